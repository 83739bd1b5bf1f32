/*
 *   plan ──▶ asking (6) ──page──▶ asking (≤ 100) ──▶ … ──▶ done: a PreviewResult
 *              └──────── tooOld, unreadable ─────────────────▲
 */
import type { ThreadItem } from '@tapefold/threads';
import { type OpenChain, follow, newestFirst } from '../pager/cursor-chain.js';
import { type HistoryPage, type PageRequest, entryKey } from '../pager/history-page.js';
import { type KeySet, noKeys, withKeys } from '../pager/key-set.js';
import { newEntries } from '../pager/keyed-list.js';
import { PAGE_LIMIT, PREVIEW_FIRST_PAGE, PREVIEW_ITEMS } from '../pager/limits.js';
import { type PreviewOptions, type PreviewReduction, emptyPreview, feedPreview } from './preview-lines.js';
import { type PreviewEnd, type PreviewResult, previewResult } from './preview-result.js';

/** An entry of `thread/items/list`. */
export interface PreviewEntry {
  readonly turnId: string;
  readonly item: ThreadItem;
}

interface Asking {
  readonly kind: 'asking';
  readonly request: PageRequest;
  readonly chain: OpenChain;
  readonly keys: KeySet;
  readonly preview: PreviewReduction;
}

/** A preview read from pages of items: it waits for one answer, or is done. A value, never changed in place. */
export type PreviewState = Asking | { readonly kind: 'done'; readonly result: PreviewResult };

/** What can happen to it: the answer to request `requestId`, or why there is none. */
export type PreviewEvent =
  | { readonly type: 'page'; readonly requestId: number; readonly page: HistoryPage<PreviewEntry> }
  | { readonly type: 'tooOld'; readonly requestId: number }
  | { readonly type: 'unreadable'; readonly requestId: number; readonly reason: string };

/** [R-STO-5] A preview with its first request: a page of six items, then pages of 100, at most 400 in all. */
export const planPreview = (): PreviewState => ({
  kind: 'asking', request: { id: 1, cursor: null, limit: PREVIEW_FIRST_PAGE }, chain: newestFirst, keys: noKeys, preview: emptyPreview,
});

function withPreviewPage(state: Asking, page: HistoryPage<PreviewEntry>, options: PreviewOptions): PreviewState {
  const fresh = newEntries(state.keys, page, entryKey);
  const preview = feedPreview(state.preview, [...fresh].reverse().map((entry) => entry.item), options);
  const done = (endedBy: PreviewEnd): PreviewState => ({ kind: 'done', result: previewResult(preview, endedBy) });
  if (preview.bound !== undefined) return done(preview.bound);
  const chain = follow(state.chain, { nextCursor: page.nextCursor, hasNew: fresh.length > 0 });
  if (chain.status === 'ended') return done('start');
  if (chain.status !== 'open') return done(chain.status === 'looped' ? 'repeatedCursor' : 'nothingNew');
  const limit = Math.min(PAGE_LIMIT, PREVIEW_ITEMS - preview.itemsRead);
  return { ...state, request: { id: state.request.id + 1, cursor: chain.cursor, limit }, chain, keys: withKeys(state.keys, fresh.map(entryKey)), preview };
}

/** [R-STO-5] The preview after an event; the same reference for an answer to another request. Pure, never throws. */
export function advancePreview(state: PreviewState, event: PreviewEvent, options: PreviewOptions = {}): PreviewState {
  if (state.kind === 'done' || event.requestId !== state.request.id) return state;
  switch (event.type) {
    case 'page': return withPreviewPage(state, event.page, options);
    case 'tooOld': return { kind: 'done', result: { kind: 'tooOld' } };
    case 'unreadable': return { kind: 'done', result: { kind: 'unreadable', reason: event.reason } };
  }
}
