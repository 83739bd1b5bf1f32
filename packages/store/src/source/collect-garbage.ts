import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * Collects what is garbage now, old generation too: before somebody waits (a start leaves some ten megabytes of it, and their collection takes as long as the first answer itself),
 * and where much of it came at once, which the engine would leave until there is several times as much. Does nothing where the engine gives no handle for it. Never throws.
 */
export function collectGarbage(): void {
  try {
    // Contexts that are made while the flag is set have the function; the program's own has it only with a flag on the command line.
    setFlagsFromString('--expose-gc');
    const collect: unknown = runInNewContext('globalThis.gc');
    setFlagsFromString('--no-expose-gc');
    if (typeof collect === 'function') collect();
  } catch {
    // The engine collects when it wants to, as ever.
  }
}

/** Lets the heaps of this process, its worker threads' too, grow by so much of what is used before they are collected; 0: as the engine sees fit. */
export function collectSooner(growingPercent: number): void {
  setFlagsFromString(`--heap-growing-percent=${growingPercent}`);
}
