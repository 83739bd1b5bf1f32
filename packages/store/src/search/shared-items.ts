import { historyOf, positionOf, rangeOf, rowIdOf } from '../sqlite/schema.js';
import { type SharingFork, idsApart } from '../sqlite/shared-spans.js';
import type { SharedRows } from '../sqlite/shared-view.js';
import type { HistoryId } from '../thread-store.js';
import type { IdRange } from './text-index.js';

/** Row ids between which items of a history stand. `shown`: those of them that are its own now, as if all were. */
export interface ItemRange {
  readonly range: IdRange;
  readonly shown: (ids: readonly number[]) => readonly number[];
}

const asTheyAre = (ids: readonly number[]): readonly number[] => ids;

/** All ranges with items of a history: its own, and of those that it shares rows of. */
export function itemRanges({ shared }: Pick<SharedRows, 'shared'>, history: HistoryId): ItemRange[] {
  const others = shared.of(history).map(({ base, from, to }): ItemRange => {
    const by = idsApart(history, base);
    return { range: [rowIdOf(base, from), rowIdOf(base, to)], shown: (ids) => ids.map((id) => id + by).filter((id) => !shared.isOwn('items', id)) };
  });
  return [{ range: rangeOf(history), shown: asTheyAre }, ...others];
}

/** Row ids of items with those that they have in the histories which share them. */
export function inForksToo({ shared }: Pick<SharedRows, 'shared'>, ids: ReadonlySet<number>): ReadonlySet<number> {
  if (!shared.hasAny) return ids;
  const all = new Set(ids);
  const forks = new Map<HistoryId, readonly SharingFork[]>();
  for (const id of ids) {
    const [history, position] = [historyOf(id), positionOf(id)];
    const known = forks.get(history) ?? shared.forksOf(history);
    forks.set(history, known);
    for (const { fork, from, to } of known) if (position >= from && position < to && !shared.isOwn('items', rowIdOf(fork, position))) all.add(rowIdOf(fork, position));
  }
  return all;
}
