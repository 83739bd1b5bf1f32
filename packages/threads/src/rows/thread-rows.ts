import { type FactKey, assertNever } from '@tapefold/facts';
import type { ItemRow, ItemTarget, NoticeRow, RealtimeRow, TurnHeader, TurnRow } from '../fold/row.js';
import type { HistoryScope, InputPlacing, RowChange } from '../fold/row-change.js';
import { isEffective } from './interval.js';
import { compareArrival } from './item-group.js';
import { ItemIndex, type StepRow, groupOfTurn, isLeftover } from './item-index.js';
import { type Draft, itemAsOf } from './item-state.js';
import type { RowView } from './row-view.js';
import { turnAsOf } from './turn-as-of.js';
import { TurnIndex } from './turn-index.js';
import { WordIndex } from './word-index.js';

/** Rows as JSON: what `ThreadRows` is restored from. It shares structure with the rows, so write it down before more changes are applied. */
export interface RowsSnapshot {
  readonly appliedTo: number;
  readonly turns: readonly TurnRow[];
  readonly steps: readonly StepRow[];
  readonly items: readonly ItemRow[];
  readonly notices: readonly NoticeRow[];
  readonly realtime: readonly RealtimeRow[];
}

/** Some of a thread's rows, as a store kept them. */
export type KeptRows = Pick<RowsSnapshot, 'turns' | 'steps' | 'items' | 'notices'>;

/** A row that one fact made, whichever kind. */
export type Row = TurnRow | ItemRow | NoticeRow | RealtimeRow;

const byPosition = (a: ItemRow, b: ItemRow): number => a.position - b.position;
const present = <T>(value: T | undefined): T[] => (value === undefined ? [] : [value]);

/**
 * The rows of one thread in memory: what the changes of the fold materialise. Applying is O(rows that change), whatever the thread's length, and a
 * change applied twice changes nothing. Rows that readers hold are live: they show later changes.
 */
export class ThreadRows implements RowView {
  readonly #words = new WordIndex();
  readonly #turns = new TurnIndex(this.#words);
  readonly #items = new ItemIndex();
  readonly #notices = new Map<FactKey, NoticeRow>();
  readonly #realtime = new Map<FactKey, RealtimeRow>();
  /** The highest position applied: changes of lower ones were applied before. */
  #appliedTo = -1;

  /** Applies changes in order of their positions; answers the rows that changed, none where the changes were applied before. */
  apply(changes: readonly RowChange[]): readonly Row[] {
    return changes.flatMap((change) => this.applyOne(change));
  }

  /** The same of one change. */
  applyOne(change: RowChange): readonly Row[] {
    const { position } = change;
    if (position < this.#appliedTo) return [];
    this.#appliedTo = position;
    switch (change.op) {
      case 'turn.upsert': return this.#upsertTurn(change.turn, position);
      case 'turn.end': return present(this.#turns.end(this.#turnKey(change) ?? '', change.end));
      case 'turn.expect': return present(this.#turns.expect(change.turn, change.outlook));
      case 'turn.compact': return present(this.#turns.compact(change.turn, change.compaction));
      case 'turn.usage': return present(this.#turns.addUsage(change.turn, change.usage, position));
      case 'turn.hideOlder': return this.#turns.hideOlder(change.id, change.tape, position);
      case 'history.close': case 'history.open': return this.#changeHistory(change.op, change, position);
      case 'item.upsert': return present(this.#items.upsert(change.item.turn === null ? { ...change.item, ...this.#resolved(change.item) } : change.item, change.place, position));
      case 'item.revise': return present(this.#items.revise(this.#resolved(change.target), change.revision, position));
      case 'input.receive': return present(this.#items.receive(change.input, position));
      case 'input.place': return this.#placeInput(change, position);
      case 'notice.add': return this.#addNotice(change.notice);
      case 'realtime.add': return this.#addRealtime(change.realtime);
      default: return assertNever(change);
    }
  }

  #upsertTurn(turn: TurnHeader, position: number): Row[] {
    const row = this.#turns.upsert(turn);
    return row ? [row, ...this.#items.adopt(turn.id, turn.key, position)] : [];
  }

  #changeHistory(op: 'history.close' | 'history.open', scope: HistoryScope, position: number): Row[] {
    const change = op === 'history.close' ? 'close' : 'open';
    for (const step of scope.steps) this.#items.changeStep(op, step, position);
    const turns = scope.turns.flatMap((key) => present(this.#turns[change](key, position)));
    const items = scope.items.flatMap((key) => present(this.#items[change](key, position)));
    return [...turns, ...items, ...scope.facts.flatMap((range) => this.#words.change(op, range, position))];
  }

  #turnKey({ turn, turnId }: Pick<ItemTarget, 'turn' | 'turnId'>): FactKey | null {
    return turn ?? (turnId === null ? null : this.#turns.newestOfId(turnId)?.key ?? null);
  }

  /** An item that names its turn by id belongs to the newest turn that has it. */
  #resolved(target: ItemTarget): ItemTarget {
    return { turn: this.#turnKey(target), turnId: target.turnId, id: target.id };
  }

  #placeInput(placing: InputPlacing, position: number): Row[] {
    const turnId = this.#items.get(placing.input)?.turnId ?? null;
    return present(this.#items.place({ ...placing, turn: this.#turnKey({ turn: placing.turn, turnId }) }, position));
  }

  #addNotice(notice: NoticeRow): Row[] {
    if (this.#notices.has(notice.key)) return [];
    const row: Draft<NoticeRow> = { ...notice };
    this.#notices.set(row.key, row);
    this.#words.add(row, row);
    return [row];
  }

  #addRealtime(row: RealtimeRow): Row[] {
    if (this.#realtime.has(row.key)) return [];
    this.#realtime.set(row.key, row);
    return [row];
  }

  turn(key: FactKey): TurnRow | undefined {
    return this.#turns.get(key);
  }

  /** The turn that an item belongs to which names it by id: the newest effective one that has it, else the newest. */
  turnOfId(id: string): TurnRow | undefined {
    return this.#turns.newestOfId(id);
  }

  /** The item or input that a fact began. */
  item(key: FactKey): ItemRow | undefined {
    return this.#items.get(key);
  }

  /** The step that a fact began, where a history fact named it. */
  step(key: FactKey): StepRow | undefined {
    return this.#items.step(key);
  }

  /** The highest position that changes were applied of; -1 before the first. */
  get appliedTo(): number {
    return this.#appliedTo;
  }

  /** Whether the row and its step are part of the history now, whatever its turn. */
  isEffectiveItem(row: ItemRow): boolean {
    return this.#items.isEffective(row);
  }

  /**
   * Takes up rows that a store kept of the same thread, where they are not there yet. Applying changes to some of the rows comes to the same as applying
   * them to all, as long as those are there that `addressesOf` names.
   */
  take({ turns, steps, items, notices }: KeptRows): void {
    for (const turn of turns) if (!this.#turns.get(turn.key)) this.#turns.restore(turn);
    for (const step of steps) if (!this.#items.step(step.key)) this.#items.restoreStep(step);
    for (const item of items) if (!this.#items.get(item.key)) this.#items.restore(item);
    for (const notice of notices) this.#addNotice(notice);
  }

  turns(): readonly TurnRow[] {
    return this.#turns.all().filter((row) => isEffective(row.effective));
  }

  /** All turns in order, superseded ones too. */
  allTurns(): readonly TurnRow[] {
    return this.#turns.all();
  }

  items(turn: FactKey): readonly ItemRow[] {
    return this.allItems(turn).filter((row) => this.#items.isEffective(row));
  }

  /** All items of a turn in order, superseded ones too. */
  allItems(turn: FactKey): readonly ItemRow[] {
    return this.#items.group(groupOfTurn(turn));
  }

  leftovers(): readonly ItemRow[] {
    return [...this.#items.waiting()].filter((row) => this.#items.isEffective(row)).sort(byPosition);
  }

  /** Items whose turn no row has, in order of their records. `turnId`: only those that name this one. */
  orphans(turnId?: string): readonly ItemRow[] {
    const isOrphan = (row: ItemRow): boolean => (row.turn === null || !this.#turns.get(row.turn)) && (turnId === undefined || row.turnId === turnId);
    return [...this.#items.groups()].flatMap((group) => group.filter(isOrphan)).filter((row) => this.#items.isEffective(row)).sort(byPosition);
  }

  /** Effective notices in order. */
  notices(): readonly NoticeRow[] {
    return [...this.#notices.values()].filter((row) => isEffective(row.effective));
  }

  realtime(): readonly RealtimeRow[] {
    return [...this.#realtime.values()];
  }

  /** The rows as they were when the fact at `position` had been folded; where an input was placed anew later, its newest place stands. */
  asOf(position: number): RowView {
    const then = (rows: Iterable<ItemRow>): ItemRow[] => [...rows].filter((row) => this.#items.isEffective(row, position)).map((row) => itemAsOf(row, position));
    return {
      turns: () => this.#turns.all().filter((row) => isEffective(row.effective, position)).map((row) => turnAsOf(row, position)),
      items: (turn) => then(this.allItems(turn)).filter((row) => row.placedAt <= position),
      leftovers: () => then(this.#items.all()).filter((row) => isLeftover(row) || (row.body.kind === 'input' && row.placedAt > position)).sort(byPosition),
    };
  }

  snapshot(): RowsSnapshot {
    const items = [...this.#items.all()].sort(compareArrival);
    return { appliedTo: this.#appliedTo, turns: this.#turns.all(), steps: this.#items.steps(), items, notices: [...this.#notices.values()], realtime: this.realtime() };
  }

  /** Rows as a snapshot has them, also one that went through JSON. */
  static restore(snapshot: RowsSnapshot): ThreadRows {
    const rows = new ThreadRows();
    rows.#appliedTo = snapshot.appliedTo;
    for (const turn of snapshot.turns) rows.#turns.restore(turn);
    for (const step of snapshot.steps) rows.#items.restoreStep(step);
    for (const item of snapshot.items) rows.#items.restore(item);
    for (const notice of snapshot.notices) rows.#addNotice(notice);
    for (const realtime of snapshot.realtime) rows.#addRealtime(realtime);
    return rows;
  }
}
