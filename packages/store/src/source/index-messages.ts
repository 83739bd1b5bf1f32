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

/** An error on its way to another thread. `stack`: of a bug. */
interface SentError { readonly code: StoreErrorCode | undefined; readonly path: string | undefined; readonly reason: string; readonly stack?: string | undefined }

/**
 * What the worker says. `held`: another process writes; a watching worker waits for it. `trouble`: something
 * failed, and a watching worker tries it again; `failed`: it ends.
 */
export type IndexMessage =
  | { readonly type: 'progress'; readonly progress: IndexProgress }
  | { readonly type: 'pass'; readonly result: IndexResult }
  | { readonly type: 'texts'; readonly texts: TextProgress }
  | { readonly type: 'held'; readonly holder: LeaseHolder }
  | ({ readonly type: 'trouble' | 'failed' } & SentError);

/** An error as it can be sent to another thread. */
export function failure(type: 'trouble' | 'failed', cause: unknown): IndexMessage {
  if (!(cause instanceof StoreError)) return { type, code: undefined, path: undefined, reason: String(cause), stack: cause instanceof Error ? cause.stack : undefined };
  const { cause: inner } = cause.detail;
  return { type, code: cause.code, path: cause.detail.path, reason: inner instanceof Error ? inner.message : '' };
}

/** The error that was sent. */
export function errorOf({ code, path, reason, stack }: SentError): Error {
  if (code !== undefined) return new StoreError(code, { path, cause: new Error(reason) });
  const error = new Error(reason);
  if (stack !== undefined) error.stack = stack;
  return error;
}
