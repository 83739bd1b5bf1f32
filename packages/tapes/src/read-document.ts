import type { TapeLine } from '@tapefold/facts';
import { type DocumentOptions, scanDocument } from './document-scanner.js';
import { openSource } from './open-source.js';
import { inTurns } from './read-lines.js';
import type { TapeEnd } from './read-options.js';

/**
 * The lines of a session document of early 2025 (`{session: {…}, items: […]}`, one JSON object a file): the value of `session` and each element
 * of `items`, in the order of the file. Each is a terminated line whose span is the value's own bytes; the bytes between go to `onBetween`,
 * and the two add up to the file. In a torn document the value that the file ends in is one line without end; `isTorn` says so also where the
 * cut lies between values. Memory: the longest value and one chunk. Throws `TapeError` as `readLines` does.
 */
export function* readDocumentLinesSync(path: string, options: DocumentOptions = {}): Generator<TapeLine[], TapeEnd> {
  // Whether a byte is inside a string is known only from the start, so `from` saves the delivery and not the reading.
  const source = openSource(path, { onRead: options.onRead });
  try {
    return yield* scanDocument(source, options);
  } finally {
    source.close();
  }
}

/** `readDocumentLinesSync` that lets other work run between batches. */
export async function* readDocumentLines(path: string, options: DocumentOptions = {}): AsyncGenerator<TapeLine[], TapeEnd> {
  return yield* inTurns(readDocumentLinesSync(path, options));
}
