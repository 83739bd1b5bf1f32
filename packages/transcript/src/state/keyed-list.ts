import { KeyIndex } from './key-index.js';
import { Vector } from './vector.js';

/** Up to this many entries, looking at each is as fast as an index and takes no memory. */
const UNINDEXED = 8;

/**
 * Entries in order of arrival, each under a key; immutable, sharing what did not change. A key keeps its position when its entry is replaced; a
 * removed one leaves a hole. One change is O(log n).
 */
export class KeyedList<T> {
  /** How many entries there are; holes do not count. */
  readonly size: number;
  readonly keyOf: (entry: T) => string;
  private readonly entries: Vector<T | undefined>;
  private readonly index: KeyIndex | undefined;

  private constructor(from: { readonly keyOf: (entry: T) => string; readonly entries: Vector<T | undefined>; readonly size: number; readonly index: KeyIndex | undefined }) {
    this.size = from.size;
    this.keyOf = from.keyOf;
    this.entries = from.entries;
    this.index = from.index;
  }

  /** A list of these entries; of entries with the same key the first stands. */
  static from<T>(keyOf: (entry: T) => string, all: readonly T[]): KeyedList<T> {
    if (all.length === 0) return new KeyedList({ keyOf, entries: Vector.empty, size: 0, index: undefined });
    const keys = new Set<string>();
    const entries = all.filter((entry) => !keys.has(keyOf(entry)) && keys.add(keyOf(entry)));
    const index = entries.length > UNINDEXED ? indexOf(keyOf, entries) : undefined;
    return new KeyedList({ keyOf, entries: Vector.from<T | undefined>(entries), size: entries.length, index });
  }

  /** Positions that were ever given: those below have an entry or a hole. */
  get end(): number {
    return this.entries.size;
  }

  /** Where a key stands; -1 where it does not. */
  positionOf(key: string): number {
    if (this.index) return this.index.get(key) ?? -1;
    for (let position = this.entries.size - 1; position >= 0; position -= 1) {
      const entry = this.entries.get(position);
      if (entry !== undefined && this.keyOf(entry) === key) return position;
    }
    return -1;
  }

  at(position: number): T | undefined {
    return this.entries.get(position);
  }

  get(key: string): T | undefined {
    return this.entries.get(this.positionOf(key));
  }

  /** Replaces the entry at a position by one with the same key, or adds one at the end. */
  withEntry(position: number, entry: T): KeyedList<T> {
    const entries = this.entries.set(position, entry);
    const isNew = position >= this.entries.size;
    return new KeyedList({ keyOf: this.keyOf, entries, size: isNew ? this.size + 1 : this.size, index: isNew ? this.indexWith(entry, entries) : this.index });
  }

  /** Replaces the entry of the same key, or adds one at the end. */
  with(entry: T): KeyedList<T> {
    const position = this.positionOf(this.keyOf(entry));
    return this.withEntry(position < 0 ? this.entries.size : position, entry);
  }

  /** Removes the entry at a position. Where holes are more than entries, all positions are given anew. */
  without(position: number): KeyedList<T> {
    const entry = this.entries.get(position);
    if (entry === undefined) return this;
    const entries = this.entries.set(position, undefined);
    const left = new KeyedList({ keyOf: this.keyOf, entries, size: this.size - 1, index: this.index?.delete(this.keyOf(entry)) });
    return left.hasTooManyHoles ? KeyedList.from(this.keyOf, left.toArray()) : left;
  }

  private get hasTooManyHoles(): boolean {
    return this.entries.size - this.size > UNINDEXED + this.size;
  }

  /** The entry of each position. */
  slots(): (T | undefined)[] {
    return this.entries.toArray();
  }

  /** The entries in order, without holes. */
  toArray(): T[] {
    const all = this.entries.toArray();
    return this.size === all.length ? (all as T[]) : all.filter((entry) => entry !== undefined);
  }

  private indexWith(entry: T, entries: Vector<T | undefined>): KeyIndex | undefined {
    if (this.index) return this.index.set(this.keyOf(entry), entries.size - 1);
    return entries.size > UNINDEXED ? indexOf(this.keyOf, entries.toArray()) : undefined;
  }
}

function indexOf<T>(keyOf: (entry: T) => string, entries: readonly (T | undefined)[]): KeyIndex {
  return entries.reduce((index, entry, position) => (entry === undefined ? index : index.set(keyOf(entry), position)), KeyIndex.empty);
}
