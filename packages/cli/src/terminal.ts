import type { Readable, Writable } from 'node:stream';
import { type Paint, createPaint } from './text/line.js';
import { safeLine } from './text/safe-text.js';

/** What the command is run in: streams, environment and clock, handed in once by `main.ts`. */
export interface Surroundings {
  /** Standard input, touched only by a command that reads it. */
  readonly input?: (() => Readable) | undefined;
  readonly output: Writable & { readonly isTTY?: boolean; readonly columns?: number };
  readonly errors: Writable & { readonly isTTY?: boolean };
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly homeDir: string;
  readonly nowMs: () => number;
  /** Calls back when the process is asked to end (interrupt, termination); the second time it just ends. Absent: nobody asks. */
  readonly onStop?: ((stop: () => void) => void) | undefined;
}

/** Where a person sits, if anywhere. */
export interface Terminal {
  readonly paint: Paint;
  readonly isTerminal: boolean;
  /** Columns of the terminal; undefined where the output goes elsewhere. */
  readonly widthCols: number | undefined;
  readonly hasProgress: boolean;
  readonly errors: Writable;
  readonly nowMs: () => number;
  /** One sentence on standard error, in front of which the command's name stands. */
  note(sentence: string): void;
}

/** `NO_COLOR` wins over `FORCE_COLOR`, which wins over what the stream is. */
export function hasColours(env: Surroundings['env'], isTerminal: boolean): boolean {
  if (env['NO_COLOR']) return false;
  if (env['FORCE_COLOR'] !== undefined && env['FORCE_COLOR'] !== '') return env['FORCE_COLOR'] !== '0' && env['FORCE_COLOR'] !== 'false';
  return isTerminal && env['TERM'] !== 'dumb';
}

const DEFAULT_COLS = 80;

/** Looks at the streams once; `widthCols` does not follow a window that is resized. */
export function createTerminal({ output, errors, env, nowMs }: Surroundings): Terminal {
  const isTerminal = output.isTTY === true;
  // Standard error may be a closed pipe, too: then there is nobody to tell.
  errors.on('error', () => undefined);
  return {
    paint: createPaint(hasColours(env, isTerminal)), isTerminal, widthCols: isTerminal ? output.columns || DEFAULT_COLS : undefined,
    hasProgress: errors.isTTY === true && env['TERM'] !== 'dumb', errors, nowMs, note: (sentence) => void errors.write(`tapefold: ${safeLine(sentence)}\n`),
  };
}
