import type { FactKey, FactOf } from '@tapefold/facts';
import type { ItemHeader, ItemRow, ItemTarget, Place } from '../fold/row.js';
import type { InputHeader, ItemRevision } from '../fold/row-change.js';
import { closed, opened } from './interval.js';
import { ItemGroup } from './item-group.js';
import { type Draft, replaceState, revise } from './item-state.js';
import { type Order, compareOrder, orderAfter } from './order.js';

/** Where rows of one address stand: under a turn, under an id that no turn has, or outside of turns. */
export type GroupKey = string;
export const groupOfTurn = (turn: FactKey): GroupKey => `turn ${turn}`;
export const groupOfTurnId = (turnId: string | null): GroupKey => `id ${turnId ?? ''}`;

type PlacedAs = FactOf<'input.placed'>['as'];
/** A placing of an input: `turn` null where the record names none. */
export interface InputPlacing {
  readonly input: FactKey;
  readonly turn: FactKey | null;
  readonly as: PlacedAs;
  readonly place: Place;
}

/** The items and inputs of a thread: by first fact and by group. No change costs more for there being more rows. */
export class ItemIndex {
  readonly #all = new Set<Draft<ItemRow>>();
  readonly #byKey = new Map<FactKey, Draft<ItemRow>>();
  readonly #groups = new Map<GroupKey, ItemGroup>();
  /** Inputs that stand in no turn. */
  readonly #waiting = new Set<ItemRow>();

  all(): Iterable<ItemRow> {
    return this.#all;
  }

  waiting(): Iterable<ItemRow> {
    return this.#waiting;
  }

  groups(): Iterable<readonly [GroupKey, ItemGroup]> {
    return this.#groups;
  }

  group(key: GroupKey): readonly ItemRow[] {
    return this.#groups.get(key)?.inOrder() ?? [];
  }

  /** Takes up what a record says of an item; a record that was taken before changes nothing. */
  upsert(item: ItemHeader, place: Place, position: number): ItemRow | undefined {
    const known = this.#find(item);
    if (!known) return this.#add(item, place, position);
    return this.#change(known, position, (row) => {
      replaceState(row, item, position);
      if (place.kind !== 'first') this.#move(row, this.#orderOf(place, position));
    });
  }

  revise(target: ItemTarget, revision: ItemRevision, position: number): ItemRow | undefined {
    return this.#change(this.#groups.get(groupKeyOf(target))?.get(target.id), position, (row) => revise(row, revision, position));
  }

  receive(input: InputHeader, position: number): ItemRow | undefined {
    if (this.#byKey.has(input.key)) return undefined;
    return this.restore({ ...fresh({ ...input, turn: null, turnId: null, isOpen: false }, [position], position) });
  }

  place(placing: InputPlacing, position: number): ItemRow | undefined {
    const known = this.#byKey.get(placing.input);
    if (known?.body.kind !== 'input') return undefined;
    return this.#change(known, position, (row) => {
      this.#take(row);
      const isInTurn = placing.turn !== null && placing.as !== 'deferred' && placing.as !== 'twin';
      Object.assign(row, { turn: isInTurn ? placing.turn : null, placedAs: placing.as, placedAt: position, order: this.#orderOf(placing.place, position) });
      this.#put(row);
    });
  }

  close(key: FactKey, position: number): ItemRow | undefined {
    return this.#change(this.#byKey.get(key), position, (row) => { row.effective = closed(row.effective, position); });
  }

  open(key: FactKey, position: number): ItemRow | undefined {
    return this.#change(this.#byKey.get(key), position, (row) => { row.effective = opened(row.effective, position); });
  }

  /** A turn came whose id items had named before: they are its own. Costs their number. */
  adopt(turnId: string, turn: FactKey, position: number): ItemRow[] {
    const orphans = this.#groups.get(groupOfTurnId(turnId));
    if (!orphans) return [];
    this.#groups.delete(groupOfTurnId(turnId));
    return orphans.inOrder().map((orphan) => {
      const row: Draft<ItemRow> = orphan;
      Object.assign(row, { turn, placedAt: position });
      this.#put(row);
      return row;
    });
  }

  /** Takes a row up as it was kept. */
  restore(row: ItemRow): ItemRow {
    const draft: Draft<ItemRow> = { ...row };
    this.#all.add(draft);
    if (!this.#byKey.has(row.key)) this.#byKey.set(row.key, draft);
    this.#put(draft);
    return draft;
  }

  #find(target: ItemTarget): Draft<ItemRow> | undefined {
    const row = this.#groups.get(groupKeyOf(target))?.get(target.id);
    return row?.body.kind === 'input' ? undefined : row;
  }

  #add(item: ItemHeader, place: Place, position: number): ItemRow | undefined {
    // The record of a row that stands elsewhere by now, read a second time.
    if (this.#byKey.has(item.key)) return undefined;
    return this.restore(fresh(item, this.#orderOf(place, position), position));
  }

  #orderOf(place: Place, position: number): Order {
    if (place.kind !== 'after') return [position];
    const anchor = this.#byKey.get(place.fact);
    if (anchor) return orderAfter(anchor.order, position);
    return place.position === null ? [position] : orderAfter([place.position], position);
  }

  #put(row: ItemRow): void {
    const isInput = row.body.kind === 'input';
    if (isInput && row.turn === null) {
      if (row.placedAs !== 'twin') this.#waiting.add(row);
      return;
    }
    const key = groupKeyOf(row);
    const group = this.#groups.get(key) ?? new ItemGroup();
    this.#groups.set(key, group);
    group.insert(row);
  }

  #take(row: ItemRow): void {
    if (!this.#waiting.delete(row)) this.#groups.get(groupKeyOf(row))?.remove(row);
  }

  #move(row: Draft<ItemRow>, order: Order): void {
    this.#take(row);
    row.order = order;
    this.#put(row);
  }

  #change(row: Draft<ItemRow> | undefined, position: number, change: (row: Draft<ItemRow>) => void): ItemRow | undefined {
    if (!row || position <= row.touched) return undefined;
    change(row);
    row.touched = position;
    return row;
  }
}

function groupKeyOf(target: Pick<ItemTarget, 'turn' | 'turnId'>): GroupKey {
  return target.turn === null ? groupOfTurnId(target.turnId) : groupOfTurn(target.turn);
}

function fresh(item: ItemHeader, order: Order, position: number): ItemRow {
  return { ...item, position, order, placedAt: position, placedAs: null, effective: [[position, null]], earlier: [], growth: [], touched: position };
}

/** The order in which rows came into their groups: taking them up in it restores the groups as they were. */
export function compareArrival(a: ItemRow, b: ItemRow): number {
  return a.placedAt - b.placedAt || compareOrder(a.order, b.order) || a.position - b.position;
}
