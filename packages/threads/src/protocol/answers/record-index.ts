import type { TapeId } from '@tapefold/facts';
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

/** A record by the byte at which it begins in its tape: the same whether a thread was read whole or from its end. */
export interface RecordMark {
  readonly tape: TapeId;
  readonly offset: number;
}

/** Finds records by their bytes, and back. */
export interface RecordMarks {
  /** Where the record stands that the fact at `position` is of. */
  markOf(position: number): RecordMark | undefined;
  /** The number of the record at a mark, or of the next one behind it; undefined where the thread does not have that tape. */
  ordinalAt(mark: RecordMark): number | undefined;
}

/** Some consecutive records as they are kept: JSON, lists of the same length. `last`: the number of the newest record that was seen. */
export interface RecordList {
  readonly starts: readonly number[];
  readonly ordinals: readonly number[];
  readonly offsets: readonly number[];
  readonly tapes: readonly { readonly tape: TapeId; readonly from: number }[];
  readonly last: number;
}

/** No records yet. */
export const noRecords: RecordList = { starts: [], ordinals: [], offsets: [], tapes: [], last: -1 };

/** Negative, zero or positive, as `a` stands before, with or after `b`. */
export function comparePlaces(a: RecordPlace, b: RecordPlace): number {
  return a.ordinal - b.ordinal || compareOrder(a.part, b.part);
}

/**
 * Numbers the records of a thread as the original does: by their own number where they carry one (paginated files), else one after the other, over all
 * segments. A number that steps back or repeats gives no new one, so that numbers never descend. Appending and looking up cost O(1) and O(log n).
 */
export class RecordIndex implements RecordMarks {
  readonly #starts: number[] = [];
  readonly #ordinals: number[] = [];
  readonly #offsets: number[] = [];
  /** Tapes in order, each with its first record. */
  readonly #tapes: { readonly tape: TapeId; readonly from: number }[] = [];
  #last = -1;

  /** A record whose first fact (if it has any) is at `position`; `named`: the number that it carries; `mark`: where it stands. */
  add(position: number, { named, mark }: { readonly named?: number | undefined; readonly mark?: RecordMark | undefined } = {}): void {
    const ordinal = named === undefined ? this.#last + 1 : Math.max(named, this.#last);
    if (ordinal === this.#last) return;
    this.#last = ordinal;
    // A record without facts before this one: its place is taken.
    const at = this.#starts.at(-1) === position ? this.#starts.length - 1 : this.#starts.length;
    if (mark) this.#begin(mark.tape, at);
    this.#starts[at] = position;
    this.#ordinals[at] = ordinal;
    this.#offsets[at] = mark?.offset ?? 0;
  }

  /** The record at an index is of a tape. A tape whose only record it takes the place of has none. */
  #begin(tape: TapeId, at: number): void {
    for (let last = this.#tapes.at(-1); last && last.tape !== tape && last.from >= at; last = this.#tapes.at(-1)) this.#tapes.pop();
    if (this.#tapes.at(-1)?.tape !== tape) this.#tapes.push({ tape, from: at });
  }

  /** Records that were kept, to be gone on with, or to be looked up in. */
  static restore({ starts, ordinals, offsets, tapes, last }: RecordList): RecordIndex {
    const index = new RecordIndex();
    index.#starts.push(...starts);
    index.#ordinals.push(...ordinals);
    index.#offsets.push(...offsets);
    index.#tapes.push(...tapes);
    index.#last = last;
    return index;
  }

  get length(): number {
    return this.#starts.length;
  }

  /** The records from index `from` on to before `to`, as a list of its own; the newest record's place may still be taken by the next. */
  slice(from: number, to: number): RecordList {
    const tapes = this.#tapes.filter((each, i) => each.from < to && (this.#tapes[i + 1]?.from ?? to) > from).map((each) => ({ tape: each.tape, from: Math.max(0, each.from - from) }));
    return { starts: this.#starts.slice(from, to), ordinals: this.#ordinals.slice(from, to), offsets: this.#offsets.slice(from, to), tapes, last: this.#last };
  }

  /** Arrow function, so that it can be handed on as it is. */
  readonly placeOf: PlaceOf = ([position = 0, ...more]) => {
    const index = firstPast(this.#starts, position, [0, this.#starts.length]) - 1;
    return { ordinal: this.#ordinals[index] ?? 0, part: [position - (this.#starts[index] ?? 0), ...more] };
  };

  markOf(position: number): RecordMark | undefined {
    const index = firstPast(this.#starts, position, [0, this.#starts.length]) - 1;
    const tape = this.#tapes.filter(({ from }) => from <= index).at(-1)?.tape;
    return tape === undefined ? undefined : { tape, offset: this.#offsets[index] ?? 0 };
  }

  /** The position of the first fact of the first record whose number is at least `ordinal`; undefined behind the last. */
  startOf(ordinal: number): number | undefined {
    return this.#starts[firstPast(this.#ordinals, ordinal - 1, [0, this.#ordinals.length])];
  }

  ordinalAt({ tape, offset }: RecordMark): number | undefined {
    const at = this.#tapes.findIndex((each) => each.tape === tape);
    const [from, next] = [this.#tapes[at]?.from, this.#tapes[at + 1]?.from];
    if (from === undefined) return undefined;
    const index = firstPast(this.#offsets, offset - 1, [from, next ?? this.#offsets.length]);
    return this.#ordinals[index] ?? this.#last + 1;
  }
}

/** Index of the first number past `value` between two indices, where they ascend. */
function firstPast(numbers: readonly number[], value: number, [from, to]: readonly [number, number]): number {
  let [low, high] = [from, to];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((numbers[middle] ?? 0) <= value) low = middle + 1;
    else high = middle;
  }
  return low;
}
