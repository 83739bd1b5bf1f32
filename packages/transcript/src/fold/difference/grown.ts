import { isSameValue } from '../../state/same-value.js';

/** An entry that is new, or says something else than before. */
export interface Changed<T> {
  readonly before: T | undefined;
  readonly after: T;
}

/**
 * What upserts have to say so that one list becomes the other: its entries that changed, in order, with what is new behind the rest. Undefined where no upsert can
 * say it: an entry went, or two changed places.
 */
export function grown<T>(before: readonly T[], after: readonly T[], idOf: (entry: T) => string): readonly Changed<T>[] | undefined {
  if (after.length < before.length) return undefined;
  const changed: Changed<T>[] = [];
  for (const [index, entry] of after.entries()) {
    const old = before[index];
    if (old !== undefined && idOf(old) !== idOf(entry)) return undefined;
    if (!isSameValue(old, entry)) changed.push({ before: old, after: entry });
  }
  return changed;
}
