import type { ThreadSearchParams } from '../schemas/list-params.js';
import type { ThreadSearchResponse } from '../schemas/list-results.js';
import type { HistoryReader } from './history-reader.js';
import { clampedLimit } from './keyset.js';
import { type ListRow, listedThread } from './list-row.js';
import { listCursors } from './list-threads.js';
import { literalMatches, literalPattern } from './literal-search.js';
import { spokenText } from './occurrences.js';

/** A row that the search found, with what to show of it. */
export interface SearchHit {
  readonly row: ListRow;
  readonly snippet: string;
}

/** The first place in a thread where the term stands in what was said; undefined where it does not. Pure. */
export async function firstSnippet(history: HistoryReader, searchTerm: string): Promise<string | undefined> {
  const pattern = literalPattern(searchTerm);
  for await (const item of (await history.saying?.(searchTerm)) ?? history.eachItem()) {
    if (item.row.body.kind !== 'input' && item.row.body.kind !== 'agentMessage') continue;
    for (const { snippet } of literalMatches(spokenText(history.itemObject(item)) ?? '', pattern)) return snippet;
  }
  return undefined;
}

/**
 * A pattern that matches the raw text of every session file in which the term is said: the longest run of characters that JSON writes as they are.
 * Undefined where the term has no such run. A match proves nothing: the text may stand in a tool's output.
 */
export function rawPattern(searchTerm: string): RegExp | undefined {
  const [longest] = (searchTerm.match(/[A-Za-z0-9 .,;:_=()[\]{}!?@#$%^*+~|'-]+/g) ?? []).sort((a, b) => b.length - a.length);
  return longest === undefined ? undefined : new RegExp(literalPattern(longest).source, 'iu');
}

/**
 * Answers `thread/search`. `hits`: in order, one more than fits the page where there are more. `stoppedAt`: the row at which a budget ended the search;
 * the next page goes on behind it. Pure.
 */
export function searchAnswer(hits: readonly SearchHit[], params: ThreadSearchParams, stoppedAt?: ListRow): ThreadSearchResponse {
  const page = hits.slice(0, clampedLimit(params.limit));
  const nextAt = hits.length > page.length ? page.at(-1)?.row : stoppedAt;
  const { backwardsCursor } = listCursors(page.map(({ row }) => row), params, false);
  const { nextCursor } = listCursors(nextAt ? [nextAt] : [], params, true);
  return { data: page.map(({ row, snippet }) => ({ thread: listedThread(row.thread), snippet })), nextCursor, backwardsCursor };
}
