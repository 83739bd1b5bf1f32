import type { Segment } from './shelf.js';

/** What the rows of an opened thread were made of: they hold while none of it changes. */
export function stampOf(segments: readonly Segment[]): string {
  return segments.map(({ file, endOffset }) => `${file.path} ${file.sizeBytes} ${file.mtimeMs} ${endOffset ?? ''}`).join('\n');
}
