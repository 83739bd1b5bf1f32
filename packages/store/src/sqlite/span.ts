import { type HistoryItem, type HistoryTurn, type Order, compareOrder } from '@tapefold/threads';

/** From an order on: with it, or behind it. */
export interface Bound {
  readonly order: Order;
  readonly isIncluded: boolean;
}

/** A run of rows in a direction, from a bound on; undefined: from the end that the direction comes from. `wanted`: how many will be taken of it, where that is known. */
export interface Span {
  readonly direction: 'asc' | 'desc';
  readonly bound: Bound | undefined;
  readonly wanted?: number | undefined;
}

/** Stands for an order behind all others; an order's numbers are below it. */
export const BEYOND = 2 ** 47;

/** A turn or an item. */
export type Ordered = Pick<HistoryTurn, 'rows'> | HistoryItem;

/** The order by which a row stands in its list. */
export function orderOf(row: Ordered): Order {
  return 'row' in row ? row.row.order : [row.rows.turn.position];
}

/** Whether an order lies in a span. */
export function isWithin(order: Order, { direction, bound }: Span): boolean {
  if (!bound) return true;
  const compared = compareOrder(order, bound.order);
  if (compared === 0) return bound.isIncluded;
  return direction === 'asc' ? compared > 0 : compared < 0;
}

/** Rows of several lists, each in the direction, as one list. */
export function* merged<R extends Ordered>(lists: readonly Iterable<R>[], direction: Span['direction']): Generator<R> {
  const sign = direction === 'asc' ? 1 : -1;
  let left = lists.map((list) => { const rows = list[Symbol.iterator](); return { rows, next: rows.next() }; });
  for (;;) {
    left = left.filter(({ next }) => !next.done);
    const first = left.reduce<(typeof left)[number] | undefined>((best, head) => (!best || sign * compareOrder(orderOf(head.next.value as R), orderOf(best.next.value as R)) < 0 ? head : best), undefined);
    if (!first) return;
    yield first.next.value as R;
    first.next = first.rows.next();
  }
}

/** The first so many. */
export function take<T>(values: Iterable<T>, count: number): T[] {
  const taken: T[] = [];
  if (count <= 0) return taken;
  for (const value of values) {
    taken.push(value);
    if (taken.length >= count) break;
  }
  return taken;
}
