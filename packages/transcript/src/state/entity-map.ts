import { type MaybeGrowing, headOfGrowing, readGrowing } from './growing.js';
import { KeyedList } from './keyed-list.js';

/** Entities by id, in order of arrival, to be read as a `ReadonlyMap`. Immutable; one change is O(log n). */
export class EntityMap<T extends object> implements ReadonlyMap<string, T> {
  /** What it is made of, for the reducer. */
  readonly list: KeyedList<MaybeGrowing<T>>;

  constructor(list: KeyedList<MaybeGrowing<T>>) {
    this.list = list;
  }

  static of<T extends object>(idOf: (entity: T) => string, entities: readonly T[]): EntityMap<T> {
    return new EntityMap(KeyedList.from<MaybeGrowing<T>>((entry) => idOf(headOfGrowing(entry)), entities));
  }

  /** Replaces the entity of the same id, or adds one. */
  with(entity: MaybeGrowing<T>): EntityMap<T> {
    return new EntityMap(this.list.with(entity));
  }

  without(id: string): EntityMap<T> {
    return new EntityMap(this.list.without(this.list.positionOf(id)));
  }

  get [Symbol.toStringTag](): string {
    return 'Map';
  }

  get size(): number {
    return this.list.size;
  }

  has(id: string): boolean {
    return this.list.positionOf(id) >= 0;
  }

  get(id: string): T | undefined {
    const entry = this.list.get(id);
    return entry && readGrowing(entry);
  }

  *entries(): MapIterator<[string, T]> {
    for (const entry of this.list.toArray()) yield [this.list.keyOf(entry), readGrowing(entry)];
  }

  *keys(): MapIterator<string> {
    for (const entry of this.list.toArray()) yield this.list.keyOf(entry);
  }

  *values(): MapIterator<T> {
    for (const entry of this.list.toArray()) yield readGrowing(entry);
  }

  [Symbol.iterator](): MapIterator<[string, T]> {
    return this.entries();
  }

  forEach(visit: (value: T, id: string, map: ReadonlyMap<string, T>) => void): void {
    for (const [id, value] of this.entries()) visit(value, id, this);
  }
}

/** Ids in order of arrival, to be read as a `ReadonlySet`. Immutable; one change is O(log n). */
export class IdSet implements ReadonlySet<string> {
  readonly list: KeyedList<string>;

  constructor(list: KeyedList<string>) {
    this.list = list;
  }

  with(id: string): IdSet {
    return this.has(id) ? this : new IdSet(this.list.with(id));
  }

  without(id: string): IdSet {
    return this.has(id) ? new IdSet(this.list.without(this.list.positionOf(id))) : this;
  }

  get [Symbol.toStringTag](): string {
    return 'Set';
  }

  get size(): number {
    return this.list.size;
  }

  has(id: string): boolean {
    return this.list.positionOf(id) >= 0;
  }

  *values(): SetIterator<string> {
    yield* this.list.toArray();
  }

  keys(): SetIterator<string> {
    return this.values();
  }

  *entries(): SetIterator<[string, string]> {
    for (const id of this.list.toArray()) yield [id, id];
  }

  [Symbol.iterator](): SetIterator<string> {
    return this.values();
  }

  forEach(visit: (value: string, id: string, set: ReadonlySet<string>) => void): void {
    for (const id of this.list.toArray()) visit(id, id, this);
  }
}
