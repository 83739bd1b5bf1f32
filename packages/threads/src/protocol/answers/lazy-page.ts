/** What stands beside the rows of a page. */
export interface PageCursors {
  readonly nextCursor: string | null;
  readonly backwardsCursor: string | null;
}

/** A page whose objects are made one by one, as they are taken: a full page of long turns never exists at once. `data` can be gone through again. */
export interface LazyPage<T> extends PageCursors {
  readonly data: Iterable<T>;
}

/** A page over functions that make its objects; each pass calls them again, so they must be pure. */
export function lazyPage<T>(makers: readonly (() => T)[], cursors: PageCursors): LazyPage<T> {
  return { data: { *[Symbol.iterator]() { for (const make of makers) yield make(); } }, ...cursors };
}
