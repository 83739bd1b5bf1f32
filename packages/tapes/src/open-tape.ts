import type { TapeLine } from '@tapefold/facts';
import type { DocumentOptions } from './document-scanner.js';
import { readDocumentLinesSync } from './read-document.js';
import { inTurns, readLinesSync } from './read-lines.js';
import type { TapeEnd } from './read-options.js';
import { tapeForm } from './tape-form.js';

/** Options of `readLines`, and `onBetween` of a document. */
export type OpenTapeOptions = DocumentOptions;

/** The lines of a tape in whichever form its file has: `readLinesSync` for plain and `.zst`, `readDocumentLinesSync` for a document. */
export function openTapeLinesSync(path: string, options: OpenTapeOptions = {}): Generator<TapeLine[], TapeEnd> {
  return tapeForm(path, options.onRead) === 'document' ? readDocumentLinesSync(path, options) : readLinesSync(path, options);
}

/** `openTapeLinesSync` that lets other work run between batches; its errors come with the first batch. */
export async function* openTapeLines(path: string, options: OpenTapeOptions = {}): AsyncGenerator<TapeLine[], TapeEnd> {
  return yield* inTurns(openTapeLinesSync(path, options));
}
