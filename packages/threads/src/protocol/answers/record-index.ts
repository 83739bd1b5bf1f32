import { type Order, compareOrder } from '../../rows/order.js';

/**
 * Where a row stands in its thread: the number of its record, and which fact of that record (0: the first), with what the row's order says beyond that.
 * Places compare number by number; no two turns, and no two items, have the same.
 */
export interface RecordPlace {
  readonly ordinal: number;
  readonly part: Order;
}

/** The place of an order of rows (`ItemRow.order`), or of the one fact at a position: `[position]`. */
export type PlaceOf = (order: Order) => RecordPlace;

/** Negative, zero or positive, as `a` stands before, with or after `b`. */
export function comparePlaces(a: RecordPlace, b: RecordPlace): number {
  return a.ordinal - b.ordinal || compareOrder(a.part, b.part);
}

/**
 * Numbers the records of a thread as the original does: by their own number where they carry one (paginated files), else one after the other, over all
 * segments. A number that steps back or repeats gives no new one, so that numbers never descend. Appending and looking up cost O(1) and O(log n).
 */
export class RecordIndex {
  readonly #starts: number[] = [];
  readonly #ordinals: number[] = [];
  #last = -1;

  /** A record whose first fact (if it has any) is at `position`; `named`: the number that it carries. */
  add(position: number, named?: number): void {
    const ordinal = named === undefined ? this.#last + 1 : Math.max(named, this.#last);
    if (ordinal === this.#last) return;
    this.#last = ordinal;
    // A record without facts before this one: its place is taken.
    if (this.#starts.at(-1) === position) this.#ordinals[this.#ordinals.length - 1] = ordinal;
    else {
      this.#starts.push(position);
      this.#ordinals.push(ordinal);
    }
  }

  /** Arrow function, so that it can be handed on as it is. */
  readonly placeOf: PlaceOf = ([position = 0, ...more]) => {
    let low = 0;
    let high = this.#starts.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#starts[middle] ?? 0) <= position) low = middle + 1;
      else high = middle;
    }
    return { ordinal: this.#ordinals[low - 1] ?? 0, part: [position - (this.#starts[low - 1] ?? 0), ...more] };
  };
}
