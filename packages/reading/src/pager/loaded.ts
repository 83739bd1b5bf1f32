import { type HistoryPage, type PagedEntry, entryKey } from './history-page.js';
import { hasKey } from './key-set.js';
import { type KeyedList, emptyList, filtered, withPageOf } from './keyed-list.js';
import type { Loaded } from './pager-state.js';

/** Before the first page and the first live entry. */
export const nothingLoaded: Loaded<never> = { ahead: [], paged: emptyList, live: [], lastRequestId: 0 };

/** True where there is nothing to show; O(1). */
export const isNothing = <E>(loaded: Loaded<E>): boolean => loaded.ahead.length + loaded.paged.items.length + loaded.live.length === 0;

function lastIndexWhere<E>(list: readonly E[], isMeant: (entry: E) => boolean): number {
  for (let at = list.length - 1; at >= 0; at -= 1) {
    const entry = list[at];
    if (entry !== undefined && isMeant(entry)) return at;
  }
  return -1;
}

/** Live entries that stand before one that the page holds are older than the page, if it does not hold them too. */
function splitLive<E extends PagedEntry>(live: readonly E[], inPage: ReadonlySet<string>): { readonly older: readonly E[]; readonly newer: readonly E[] } {
  const last = lastIndexWhere(live, (entry) => inPage.has(entryKey(entry)));
  const isOutside = (entry: E): boolean => !inPage.has(entryKey(entry));
  return { older: live.slice(0, last + 1).filter(isOutside), newer: live.slice(last + 1) };
}

/** A page merged in: its order decides the place, the live connection the content (it is newer). Each entry once; the same `paged` where nothing is new. */
export function withPage<E extends PagedEntry>(loaded: Loaded<E>, page: HistoryPage<E>): Loaded<E> {
  const unpaged = new Map([...loaded.ahead, ...loaded.live].map((entry) => [entryKey(entry), entry]));
  const newest = unpaged.size === 0 ? page : { ...page, data: page.data.map((entry) => unpaged.get(entryKey(entry)) ?? entry) };
  const paged = withPageOf(loaded.paged, newest, entryKey);
  if (unpaged.size === 0 || paged === loaded.paged) return paged === loaded.paged ? loaded : { ...loaded, paged };
  const inPage = new Set(page.data.map(entryKey));
  const { older, newer } = splitLive(loaded.live, inPage);
  return { ...loaded, ahead: [...loaded.ahead.filter((entry) => !inPage.has(entryKey(entry))), ...older], paged, live: newer };
}

/** The list with the entry in its place; undefined where it holds none of that key. */
function replaced<E extends PagedEntry>(list: readonly E[], entry: E): readonly E[] | undefined {
  const key = entryKey(entry);
  const at = lastIndexWhere(list, (each) => entryKey(each) === key);
  if (at < 0) return undefined;
  return list[at] === entry ? list : [...list.slice(0, at), entry, ...list.slice(at + 1)];
}

function withLiveEntry<E extends PagedEntry>(loaded: Loaded<E>, entry: E): Loaded<E> {
  if (hasKey(loaded.paged.keys, entryKey(entry))) return withPaged(loaded, { ...loaded.paged, items: replaced(loaded.paged.items, entry) ?? loaded.paged.items });
  const live = replaced(loaded.live, entry);
  if (live !== undefined) return live === loaded.live ? loaded : { ...loaded, live };
  const ahead = replaced(loaded.ahead, entry);
  if (ahead !== undefined) return ahead === loaded.ahead ? loaded : { ...loaded, ahead };
  return { ...loaded, live: [...loaded.live, entry] };
}

const withPaged = <E>(loaded: Loaded<E>, paged: KeyedList<E>): Loaded<E> => (paged.items === loaded.paged.items ? loaded : { ...loaded, paged });

/** Entries of the live connection: known ones are replaced in their place, others come last. The same reference where nothing changed. */
export const withLive = <E extends PagedEntry>(loaded: Loaded<E>, entries: readonly E[]): Loaded<E> => entries.reduce(withLiveEntry<E>, loaded);

/** Without the entries of these turns; the same reference where there were none. */
export function withoutTurns<E extends PagedEntry>(loaded: Loaded<E>, turnIds: readonly string[]): Loaded<E> {
  const gone = new Set(turnIds);
  const isKept = (entry: E): boolean => !gone.has(entry.turnId);
  const paged = filtered(loaded.paged, isKept, entryKey);
  if (paged === loaded.paged && [...loaded.ahead, ...loaded.live].every(isKept)) return loaded;
  return { ...loaded, ahead: loaded.ahead.filter(isKept), paged, live: loaded.live.filter(isKept) };
}
