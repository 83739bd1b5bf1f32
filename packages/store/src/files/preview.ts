import { type PreviewReduction, type PreviewResult, emptyPreview, feedPreview, previewResult } from '@tapefold/reading';
import { type Turn, settleThread } from '@tapefold/threads';
import type { NewestTurns, OpenedThread, TailMark } from '../thread-source.js';
import { PREVIEW_BYTES, PREVIEW_TURNS } from './limits.js';
import type { OnRead, ShelfThread } from './shelf.js';

/** Items of turns, newest first. */
function* newestItems(turns: readonly Turn[]): Generator<Turn['items'][number]> {
  for (const turn of [...turns].reverse()) yield* [...turn.items].reverse();
}

function fedWith(preview: PreviewReduction, opened: OpenedThread): PreviewReduction {
  return feedPreview(preview, newestItems(settleThread(opened.head, opened.rows, { readPiece: opened.readPiece })), { cwd: opened.thread.cwd });
}

/**
 * The newest lines by a scan from the end of the newest file on, of at most 1 MiB. Undefined where the scan is given up, since only the whole thread
 * tells what still counts: rather no preview than one of an annulled timeline.
 */
export function scanPreview(thread: ShelfThread, onRead?: OnRead): PreviewResult | undefined {
  let preview = emptyPreview;
  let left = PREVIEW_BYTES;
  const count = (bytes: number): void => {
    left -= bytes;
    onRead?.(bytes);
  };
  for (let before: TailMark | undefined; left > 0;) {
    const page: NewestTurns | undefined = thread.openNewest({ turns: PREVIEW_TURNS, budgetBytes: left, wholeBytes: 0, before, onRead: count });
    if (!page) return undefined;
    preview = fedWith(preview, page);
    if (preview.bound !== undefined) return previewResult(preview, preview.bound);
    if (!page.older) return previewResult(preview, 'start');
    before = page.older;
  }
  return previewResult(preview, 'bytes');
}

/** The preview of a thread that was read whole. */
export function previewOfOpened(opened: OpenedThread): PreviewResult {
  const preview = fedWith(emptyPreview, opened);
  return previewResult(preview, preview.bound ?? 'start');
}
