import type { ThreadItem } from '@tapefold/threads';
import { visibleTextOfItem } from '../item-text.js';
import type { VisibleTextOptions } from '../visible-text.js';
import { PREVIEW_ITEMS, PREVIEW_LINES } from '../pager/limits.js';

/** A line of a preview, trimmed and not blank: a line of the full text of a message, and whose it is. */
export interface PreviewLine {
  readonly role: 'user' | 'agent';
  readonly text: string;
}

/** As for the visible text of an item. */
export type PreviewOptions = Omit<VisibleTextOptions, 'kind'>;

/** What a preview has found so far: at most six lines, newest last. `bound`: six lines are there, or 400 items were looked at. */
export interface PreviewReduction {
  readonly lines: readonly PreviewLine[];
  readonly itemsRead: number;
  readonly bound: 'lines' | 'items' | undefined;
}

/** Before the first item. */
export const emptyPreview: PreviewReduction = { lines: [], itemsRead: 0, bound: undefined };

/** The newest lines of an item, newest last. */
function newestLines(item: ThreadItem, options: PreviewOptions): readonly PreviewLine[] {
  const visible = visibleTextOfItem(item, options);
  if (visible === undefined) return [];
  const lines = visible.text.split('\n').map((line) => line.trim()).filter((line) => line !== '');
  return lines.slice(-PREVIEW_LINES).map((text) => ({ role: visible.role, text }));
}

function withItem(preview: PreviewReduction, item: ThreadItem, options: PreviewOptions): PreviewReduction {
  const lines = [...newestLines(item, options), ...preview.lines].slice(-PREVIEW_LINES);
  const itemsRead = preview.itemsRead + 1;
  return { lines, itemsRead, bound: lines.length === PREVIEW_LINES ? 'lines' : itemsRead === PREVIEW_ITEMS ? 'items' : undefined };
}

/**
 * [R-STO-5] The preview with older items, given **newest first**; the same reference where it is bound already. How items are cut into pages makes no
 * difference. Nothing of an item behind the bound is looked at. Never throws.
 */
export function feedPreview(preview: PreviewReduction, items: Iterable<ThreadItem>, options: PreviewOptions = {}): PreviewReduction {
  let fed = preview;
  if (fed.bound !== undefined) return fed;
  for (const item of items) {
    fed = withItem(fed, item, options);
    if (fed.bound !== undefined) return fed;
  }
  return fed;
}

/** [R-STO-5] The six newest lines of items that stand **oldest first**, as in a thread; newest last. */
export const previewLines = (items: readonly ThreadItem[], options: PreviewOptions = {}): readonly PreviewLine[] => feedPreview(emptyPreview, [...items].reverse(), options).lines;
