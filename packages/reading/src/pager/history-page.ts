/** What the pager needs to know of an entry: `thread/items/list` answers with these. */
export interface PagedEntry {
  readonly turnId: string;
  readonly item: { readonly id: string };
}

/** One answer of a list method. It was asked for newest first (`desc`, so the default); a source that turns it round says so. */
export interface HistoryPage<E> {
  readonly data: readonly E[];
  readonly nextCursor: string | null;
  readonly sortDirection?: 'asc' | 'desc';
}

/** One call that the host carries out, newest first. `id` is unique for the pager's life and comes back with the answer; cursor null: from the newest. */
export interface PageRequest {
  readonly id: number;
  readonly cursor: string | null;
  readonly limit: number;
}

/** Native item ids repeat over turns, so the key is both; with the length in front no two pairs share one. */
export const entryKey = (entry: PagedEntry): string => `${entry.turnId.length}:${entry.turnId}${entry.item.id}`;

/** The page oldest first. */
export const ascending = <E>(page: HistoryPage<E>): readonly E[] => (page.sortDirection === 'asc' ? page.data : [...page.data].reverse());
