import { type KeySet, hasKey, noKeys, withKeys } from './key-set.js';

/** A chain of pages that goes on: `cursor` is what to ask with next, `seen` all that were asked with before. */
export interface OpenChain {
  readonly status: 'open';
  readonly cursor: string | null;
  readonly seen: KeySet;
}

/**
 * How far a chain of pages has come. `stalled`: the last page brought nothing new but names a fresh cursor; whoever goes on by itself stops there,
 * or a source with endless empty pages would hold it for ever. `looped`: it named a cursor that was asked with before.
 */
export type CursorChain = OpenChain | { readonly status: 'stalled'; readonly rest: OpenChain } | { readonly status: 'ended' } | { readonly status: 'looped' };

/** A chain before its first page: a request without cursor gives the newest. */
export const newestFirst: OpenChain = { status: 'open', cursor: null, seen: noKeys };

/** The chain after a page. No cursor is ever asked with twice, so a chain is finite whenever its cursors are. */
export function follow(chain: OpenChain, answer: { readonly nextCursor: string | null; readonly hasNew: boolean }): CursorChain {
  const { nextCursor } = answer;
  if (nextCursor === null) return { status: 'ended' };
  if (nextCursor === chain.cursor || hasKey(chain.seen, nextCursor)) return { status: 'looped' };
  const rest: OpenChain = { status: 'open', cursor: nextCursor, seen: chain.cursor === null ? chain.seen : withKeys(chain.seen, [chain.cursor]) };
  return answer.hasNew ? rest : { status: 'stalled', rest };
}
