import type { FactKey } from '@tapefold/facts';
import type { Interval, ItemHeader, ItemRow, ItemTarget, Place } from '../fold/row.js';
import type { InputHeader, InputPlacing, ItemRevision } from '../fold/row-change.js';
import { closed, isEffective, opened } from './interval.js';
import { ItemGroup } from './item-group.js';
import { type Draft, replaceState, revise } from './item-state.js';
import { type Order, orderAfter } from './order.js';

/** Where rows of one address stand: under a turn, under an id that no turn has, or outside of turns. */
export type GroupKey = string;
/** The address of the rows of a turn, by its key. */
export const groupOfTurn = (turn: FactKey): GroupKey => `turn ${turn}`;
/** The address of rows whose turn id no turn has; null: outside of turns. */
export const groupOfTurnId = (turnId: string | null): GroupKey => `id ${turnId ?? ''}`;

/** When a step was part of the history: only steps that a history fact named have one. */
export interface StepRow {
  readonly key: FactKey;
  readonly effective: readonly Interval[];
}

/** Placings that put an input into no turn. */
const outside: ReadonlySet<string> = new Set(['deferred', 'dropped', 'twin']);
/** Placings that make no item at all. */
const unseen: ReadonlySet<string | null> = new Set(['dropped', 'twin']);

/** The items and inputs of a thread: by first fact and by group. No change costs more for there being more rows. */
export class ItemIndex {
  readonly #all = new Set<Draft<ItemRow>>();
  readonly #byKey = new Map<FactKey, Draft<ItemRow>>();
  readonly #groups = new Map<GroupKey, ItemGroup>();
  /** Inputs that stand in no turn. */
  readonly #waiting = new Set<ItemRow>();
  readonly #steps = new Map<FactKey, StepRow>();

  all(): Iterable<ItemRow> {
    return this.#all;
  }

  steps(): readonly StepRow[] {
    return [...this.#steps.values()];
  }

  /** True where the row and the step that it is of are part of the history: now, or as of a position. */
  isEffective(row: ItemRow, asOf?: number): boolean {
    const step = row.step === null ? undefined : this.#steps.get(row.step);
    return isEffective(row.effective, asOf) && (!step || isEffective(step.effective, asOf));
  }

  waiting(): Iterable<ItemRow> {
    return this.#waiting;
  }

  /** The items of every group, in order. */
  groups(): readonly (readonly ItemRow[])[] {
    return [...this.#groups.values()].map((group) => group.inOrder());
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
      row.isAdded = item.isAdded;
      row.step = item.step ?? row.step;
      if (place.kind !== 'first') this.#move(row, this.#orderOf(place, position));
    });
  }

  revise(target: ItemTarget, revision: ItemRevision, position: number): ItemRow | undefined {
    return this.#change(this.#groups.get(groupKeyOf(target))?.get(target.id), position, (row) => revise(row, revision, position));
  }

  receive(input: InputHeader, position: number): ItemRow | undefined {
    if (this.#byKey.has(input.key)) return undefined;
    return this.#keep(fresh({ ...input, turn: null, step: null, isOpen: false }, [position], position));
  }

  /** The newest placing counts. `turn`: the placing's, or the one whose id the input names. */
  place(placing: InputPlacing, position: number): ItemRow | undefined {
    const known = this.#byKey.get(placing.input);
    if (known?.body.kind !== 'input') return undefined;
    return this.#change(known, position, (row) => {
      this.#take(row);
      const { turn, step, as, otherwise } = placing;
      const isInTurn = !outside.has(as);
      const place = { turn: isInTurn ? turn : null, step, placedAs: as, placedAt: position, otherwise, heldFor: isInTurn ? null : turn, order: this.#orderOf(placing.place, position) };
      Object.assign(row, place);
      this.#put(row);
    });
  }

  /** The item or input that a fact began. */
  get(key: FactKey): ItemRow | undefined {
    return this.#byKey.get(key);
  }

  step(key: FactKey): StepRow | undefined {
    return this.#steps.get(key);
  }

  close(key: FactKey, position: number): ItemRow | undefined {
    return this.#change(this.#byKey.get(key), position, (row) => { row.effective = closed(row.effective, position); });
  }

  open(key: FactKey, position: number): ItemRow | undefined {
    return this.#change(this.#byKey.get(key), position, (row) => { row.effective = opened(row.effective, position); });
  }

  changeStep(op: 'history.close' | 'history.open', key: FactKey, position: number): void {
    const known = this.#steps.get(key)?.effective ?? [[0, null]];
    this.#steps.set(key, { key, effective: op === 'history.close' ? closed(known, position) : opened(known, position) });
  }

  restoreStep(step: StepRow): void {
    this.#steps.set(step.key, step);
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
    return this.#keep({ ...row });
  }

  #keep(row: Draft<ItemRow>): ItemRow {
    this.#all.add(row);
    if (!this.#byKey.has(row.key)) this.#byKey.set(row.key, row);
    this.#put(row);
    return row;
  }

  #find(target: ItemTarget): Draft<ItemRow> | undefined {
    const row = this.#groups.get(groupKeyOf(target))?.get(target.id);
    return row?.body.kind === 'input' ? undefined : row;
  }

  #add(item: ItemHeader, place: Place, position: number): ItemRow | undefined {
    // The record of a row that stands elsewhere by now, read a second time.
    if (this.#byKey.has(item.key)) return undefined;
    return this.#keep(fresh(item, this.#orderOf(place, position), position));
  }

  #orderOf(place: Place, position: number): Order {
    if (place.kind !== 'after') return [position];
    const anchor = this.#byKey.get(place.fact);
    if (anchor) return orderAfter(anchor.order, position);
    return place.position === null ? [position] : orderAfter([place.position], position);
  }

  #put(row: ItemRow): void {
    if (isOutside(row)) {
      if (!unseen.has(row.placedAs)) this.#waiting.add(row);
      return;
    }
    const key = groupKeyOf(row);
    const group = this.#groups.get(key) ?? new ItemGroup();
    this.#groups.set(key, group);
    group.insert(row);
  }

  #take(row: ItemRow): void {
    if (!isOutside(row)) this.#groups.get(groupKeyOf(row))?.remove(row);
    this.#waiting.delete(row);
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

/** An input in no turn; one that was placed where its record named a turn id waits with the other items of that id. */
function isOutside(row: ItemRow): boolean {
  if (row.body.kind !== 'input' || row.turn !== null) return false;
  return row.turnId === null || row.placedAs === null || outside.has(row.placedAs);
}

/** Where a row stands: among the items of a turn (or of a turn id that no turn has), as an input that waits for a place, or nowhere. */
export type Standing = 'placed' | 'waiting' | 'nowhere';

/** Where a row stands by what it says itself. */
export function standingOf(row: ItemRow): Standing {
  return !isOutside(row) ? 'placed' : unseen.has(row.placedAs) ? 'nowhere' : 'waiting';
}

/** True for inputs that `settle` may have to place. */
export function isLeftover(row: ItemRow): boolean {
  return standingOf(row) === 'waiting';
}

function groupKeyOf(target: Pick<ItemTarget, 'turn' | 'turnId'>): GroupKey {
  return target.turn === null ? groupOfTurnId(target.turnId) : groupOfTurn(target.turn);
}

/** Each field by name: a spread of headers of several shapes costs an engine many times as much. */
function fresh(item: ItemHeader, order: Order, position: number): ItemRow {
  const { key, id, turn, turnId, step, body, visibility, isAdded, isOpen, startedAtMs, completedAtMs, context, at, large } = item;
  return {
    key, id, turn, turnId, step, body, visibility, isAdded, isOpen, startedAtMs, completedAtMs, context, at, large, position, order, placedAt: position, placedAs: null, otherwise: null, heldFor: null, effective: [[position, null]],
    earlier: [], growth: [], touched: position,
  };
}
