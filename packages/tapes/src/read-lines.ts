import type { TapeLine } from '@tapefold/facts';
import { setImmediate } from 'node:timers/promises';
import { openSource } from './open-source.js';
import type { ReadOptions, TapeEnd } from './read-options.js';
import { splitLines } from './split-lines.js';

/**
 * Lines of a plain or compressed (`.zst`) file in order, in batches of about one chunk, never empty. Only `\n` separates lines; a carriage
 * return and a byte order mark stay in `text`; blank lines come too. Memory: the longest line (up to `maxLineBytes`), one chunk, and for
 * `.zst` the frame's window. Throws `TapeError` (`notFound`, `notAFile`, `unreadable`, `changedWhileReading`); the return value says how it ended.
 */
export function* readLinesSync(path: string, options: ReadOptions = {}): Generator<TapeLine[], TapeEnd> {
  const source = openSource(path, options);
  try {
    return yield* splitLines(source, options);
  } finally {
    source.close();
  }
}

/** `readLinesSync` that lets other work run between batches. The disk is still read synchronously: one chunk takes well under a millisecond. */
export async function* readLines(path: string, options: ReadOptions = {}): AsyncGenerator<TapeLine[], TapeEnd> {
  return yield* inTurns(readLinesSync(path, options));
}

/** Hands on the batches of a synchronous generator, one per turn of the event loop. Stopping early closes the generator. */
export async function* inTurns<T, R>(batches: Generator<T, R>): AsyncGenerator<T, R> {
  try {
    for (;;) {
      const next = batches.next();
      if (next.done) return next.value;
      yield next.value;
      await setImmediate();
    }
  } finally {
    // The type wants a result; the generator is over either way.
    batches.return(undefined as R);
  }
}
