import { historyOf, positionOf } from '../sqlite/schema.js';
import type { SharedRows } from '../sqlite/shared-view.js';
import type { HistoryId } from '../thread-store.js';
import { foldText } from './fold-text.js';
import { SAID_ITEMS, SAID_THREADS } from './limits.js';
import { inForksToo, itemRanges } from './shared-items.js';
import { TextIndex } from './text-index.js';
import { type SearchedThread, SearchedThreads } from './threads.js';
import { isShort } from './trigrams.js';

/*
 * For searches of the protocol, which look for a term literally in what was said, hidden words too: where it is not, so that nobody has to look. Everything that is
 * named is looked at by them.
 */

const isAscii = (term: string): boolean => /^[\0-\x7f]*$/.test(term);

/** Terms that stand nearly everywhere are found sooner by looking. */
const isCommon = (folded: string): boolean => folded === '' || (isShort(folded) && isAscii(folded));

/** Positions of items of a history that may hold a term; undefined where they are many, or where the index does not know: then look at all. */
export function saidPositions(rows: SharedRows, history: HistoryId, searchTerm: string): readonly number[] | undefined {
  const folded = foldText(searchTerm);
  if (isCommon(folded) || hasWaiting(rows, history)) return undefined;
  const index = new TextIndex(rows.db, 'search_text');
  const positions = new Set<number>();
  for (const { range, shown } of itemRanges(rows, history)) {
    const { ids, isAll } = index.namedWithin([folded], range, SAID_ITEMS) ?? index.named([folded], SAID_THREADS);
    if (!isAll) return undefined;
    for (const id of shown(ids.filter((each) => each >= range[0] && each < range[1]))) positions.add(positionOf(id));
  }
  return [...positions];
}

function hasWaiting(rows: SharedRows, history: HistoryId): boolean {
  const waiting = rows.db.prepare<[number, number], number>('SELECT 1 FROM search_queue WHERE id >= ? AND id < ? LIMIT 1').pluck();
  return itemRanges(rows, history).some(({ range }) => waiting.get(...range) !== undefined);
}

/** Whether a term may be said in a thread: false where it is not; undefined where the index does not know the thread as its files are now. */
export type MayBeSaid = (threadId: string) => boolean | undefined;

/** For all threads of a list (`scopeOf`); undefined where the term is too common, or the list not known. */
export function mayBeSaid(rows: SharedRows, homes: string, searchTerm: string): MayBeSaid | undefined {
  const folded = foldText(searchTerm);
  if (isCommon(folded)) return undefined;
  const { db } = rows;
  const { ids, isAll } = new TextIndex(db, 'search_text').named([folded], SAID_THREADS);
  const threads = isAll ? new SearchedThreads(rows, homes).wanted({}) : undefined;
  if (!threads) return undefined;
  const named = new Set([...inForksToo(rows, new Set(ids))].map(historyOf));
  const hasQueue = db.prepare<[], number>('SELECT 1 FROM search_queue LIMIT 1').pluck().get() !== undefined;
  const answer = ({ history, isWhole }: SearchedThread): boolean | undefined => (history === null || !isWhole || (hasQueue && hasWaiting(rows, history)) ? undefined : named.has(history));
  const byId = new Map<string, boolean | undefined>();
  // An id that two threads of the list have names neither.
  for (const thread of threads) byId.set(thread.threadId, byId.has(thread.threadId) ? undefined : answer(thread));
  return (threadId) => byId.get(threadId);
}
