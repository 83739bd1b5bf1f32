import { type HistoryPage, ascending } from './history-page.js';
import { type KeySet, hasKey, noKeys, withKeys } from './key-set.js';

/** Entries oldest first, each key once. */
export interface KeyedList<E> {
  readonly items: readonly E[];
  readonly keys: KeySet;
}

type KeyOf<E> = (entry: E) => string;

/** The empty list, one value: equal by reference. */
export const emptyList: KeyedList<never> = { items: [], keys: noKeys };

/** A page oldest first, each key once: of copies inside the page the newest place stands. */
function distinct<E>(page: HistoryPage<E>, keyOf: KeyOf<E>): readonly E[] {
  const places = new Map<string, E>();
  for (const entry of [...ascending(page)].reverse()) if (!places.has(keyOf(entry))) places.set(keyOf(entry), entry);
  return [...places.values()].reverse();
}

/** What of a page is not known yet, oldest first, each key once. */
export const newEntries = <E>(keys: KeySet, page: HistoryPage<E>, keyOf: KeyOf<E>): readonly E[] => distinct(page, keyOf).filter((entry) => !hasKey(keys, keyOf(entry)));

/** New entries go behind the known one that the page has before them; those before the first known one go before it, and without any to the front. */
function woven<E>(list: KeyedList<E>, page: readonly E[], keyOf: KeyOf<E>): readonly E[] {
  const front: E[] = [];
  const behind = new Map<string, E[]>();
  let run = front;
  for (const entry of page) {
    if (hasKey(list.keys, keyOf(entry))) {
      run = [];
      behind.set(keyOf(entry), run);
    } else run.push(entry);
  }
  // Not spread: concat copies a whole array at once, which is what paging 100,000 items costs.
  if (behind.size === 0) return front.concat(list.items);
  const [first] = behind.keys();
  return list.items.flatMap((item) => {
    const own = [item, ...(behind.get(keyOf(item)) ?? [])];
    return keyOf(item) === first ? [...front, ...own] : own;
  });
}

/**
 * The list with what is new in a page, in the page's order; an entry that is there already stays as it is. The same reference where nothing is new.
 * O(list): its array is built anew.
 */
export function withPageOf<E>(list: KeyedList<E>, page: HistoryPage<E>, keyOf: KeyOf<E>): KeyedList<E> {
  const entries = distinct(page, keyOf);
  const added = entries.map(keyOf).filter((key) => !hasKey(list.keys, key));
  return added.length === 0 ? list : { items: woven(list, entries, keyOf), keys: withKeys(list.keys, added) };
}

/** Only the entries that `isKept`; the same reference where that is all. */
export function filtered<E>(list: KeyedList<E>, isKept: (entry: E) => boolean, keyOf: KeyOf<E>): KeyedList<E> {
  const items = list.items.filter(isKept);
  return items.length === list.items.length ? list : { items, keys: withKeys(noKeys, items.map(keyOf)) };
}
