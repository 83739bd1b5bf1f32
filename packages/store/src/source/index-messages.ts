import type { IndexProgress } from '../indexing/index-progress.js';
import type { IndexResult, IndexRun } from '../indexing/indexer.js';
import { StoreError, type StoreErrorCode } from '../errors.js';
import type { TextProgress } from '../search/text-indexer.js';
import type { HomeRef } from '../thread-source.js';
import type { LeaseHolder } from '../thread-store.js';

/** What the worker is started with. `isWatching`: it goes on after the first pass, and looks again whenever something changes. `isFresh`: drops every row first. */
export interface IndexOrder {
  readonly path: string;
  readonly homes: readonly HomeRef[];
  readonly isWatching: boolean;
  readonly isFresh: boolean;
  /** Other steps than the usual: for tests. */
  readonly steps?: IndexRun['steps'];
}

/** What the worker says. `held`: another process writes; a watching worker waits for it. `rest`: nothing is to be done any more after much was. */
export type IndexMessage =
  | { readonly type: 'rest' }
  | { readonly type: 'progress'; readonly progress: IndexProgress }
  | { readonly type: 'pass'; readonly result: IndexResult }
  | { readonly type: 'texts'; readonly texts: TextProgress }
  | { readonly type: 'held'; readonly holder: LeaseHolder }
  | { readonly type: 'failed'; readonly code: StoreErrorCode | undefined; readonly path: string | undefined; readonly reason: string };

/** An error as it can be sent to another thread. */
export function failure(cause: unknown): Extract<IndexMessage, { type: 'failed' }> {
  if (!(cause instanceof StoreError)) return { type: 'failed', code: undefined, path: undefined, reason: cause instanceof Error ? (cause.stack ?? cause.message) : String(cause) };
  const { cause: inner } = cause.detail;
  return { type: 'failed', code: cause.code, path: cause.detail.path, reason: inner instanceof Error ? inner.message : '' };
}

/** The error that was sent. */
export function errorOf({ code, path, reason }: Extract<IndexMessage, { type: 'failed' }>): Error {
  return code === undefined ? new Error(reason) : new StoreError(code, { path, cause: new Error(reason) });
}
