import type { PreviewLine, PreviewReduction } from './preview-lines.js';

/**
 * What ended the reading: six lines, the beginning of the thread, a budget (items looked at, bytes scanned), or a source that leads nowhere: it named a
 * cursor a second time, or a page brought nothing new though there was said to be more.
 */
export type PreviewEnd = 'lines' | 'start' | 'items' | 'bytes' | 'repeatedCursor' | 'nothingNew';

/** [R-STO-5] How a preview ends. Only `lines` shows text; each of the others is its own message to the person. */
export type PreviewResult =
  /** At least one line, newest last. Fewer than six: nothing else was said (`endedBy: start`), or nothing else was found within the budget. */
  | { readonly kind: 'lines'; readonly lines: readonly PreviewLine[]; readonly endedBy: PreviewEnd }
  /** The thread was read to its beginning, and nobody said anything. */
  | { readonly kind: 'empty' }
  /** The budget was spent before anything was found, or before it was sure that what was found still counts. */
  | { readonly kind: 'outOfBudget'; readonly budget: 'items' | 'bytes' }
  /** The thread's format is older than what can be previewed from its end. */
  | { readonly kind: 'tooOld' }
  /** The source cannot be read. */
  | { readonly kind: 'unreadable'; readonly reason: string };

/** The result of a reduction that ended by `endedBy`. */
export function previewResult({ lines }: PreviewReduction, endedBy: PreviewEnd): PreviewResult {
  if (lines.length > 0) return { kind: 'lines', lines, endedBy };
  switch (endedBy) {
    case 'items': case 'bytes': return { kind: 'outOfBudget', budget: endedBy };
    case 'repeatedCursor': return { kind: 'unreadable', reason: 'the source repeats a cursor' };
    case 'nothingNew': return { kind: 'unreadable', reason: 'the source gives a page without anything new' };
    case 'start': case 'lines': return { kind: 'empty' };
  }
}
