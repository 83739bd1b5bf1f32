import { type PreviewResult, emptyPreview, feedPreview, previewResult } from '@tapefold/reading';
import type { Anchor, HistoryReader, HistoryTurn, Thread, ThreadItem } from '@tapefold/threads';
import { PREVIEW_TURNS } from '../files/limits.js';

function* newestItems(history: HistoryReader, turns: readonly HistoryTurn[]): Generator<ThreadItem> {
  for (const turn of turns) yield* [...history.turnObject(turn, 'full').items].reverse();
}

/**
 * [R-STO-5] The newest lines of a history, from its newest turn on: in the order of the full view, where an item that came late stands in its turn, and one whose
 * turn there is not stands nowhere.
 */
export async function previewOfHistory(history: HistoryReader, { cwd }: Pick<Thread, 'cwd'>): Promise<PreviewResult> {
  let preview = emptyPreview;
  for (let anchor: Anchor | undefined; ;) {
    const { rows, next } = await history.turnPage({ anchor, direction: 'desc', limit: PREVIEW_TURNS, hasItems: true });
    preview = feedPreview(preview, newestItems(history, rows), { cwd });
    if (preview.bound !== undefined) return previewResult(preview, preview.bound);
    if (!next) return previewResult(preview, 'start');
    anchor = next;
  }
}
