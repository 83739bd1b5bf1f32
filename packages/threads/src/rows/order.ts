/** A place among the items of a turn: compared number by number, a prefix before what begins with it. */
export type Order = readonly number[];

/** Chains of "right after" nest this deep; deeper ones stand behind the last level, so that a hostile chain costs no more. */
const DEPTH_LIMIT = 32;

/** Negative, zero or positive, as `a` stands before, with or after `b`. */
export function compareOrder(a: Order, b: Order): number {
  for (let i = 0; i < a.length && i < b.length; i++) {
    const difference = (a[i] ?? 0) - (b[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

/** The place right after `anchor` (and after what was placed there before) of an item whose record is at `position`. */
export function orderAfter(anchor: Order, position: number): Order {
  return [...anchor.slice(0, DEPTH_LIMIT - 1), position];
}

/** The index behind the last element that does not stand after `order`. O(log n). */
export function insertionIndex<T>(list: readonly T[], order: Order, orderOf: (element: T) => Order): number {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const element = list[middle];
    if (element !== undefined && compareOrder(orderOf(element), order) <= 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
