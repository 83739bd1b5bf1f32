import { type FactKey, assertNever } from '@tapefold/facts';
import type { ItemRow, ItemTarget, NoticeRow, RealtimeRow, TurnRow } from '../fold/row.js';
import type { RowChange } from '../fold/row-change.js';
import { isEffective } from './interval.js';
import { ItemIndex, compareArrival, groupOfTurn } from './item-index.js';
import { itemAsOf } from './item-state.js';
import type { RowView } from './row-view.js';
import { TurnIndex } from './turn-index.js';

/** Rows as JSON: what `ThreadRows` is restored from. It shares structure with the rows, so write it down before more changes are applied. */
export interface RowsSnapshot {
  readonly appliedTo: number;
  readonly turns: readonly TurnRow[];
  readonly items: readonly ItemRow[];
  readonly notices: readonly NoticeRow[];
  readonly realtime: readonly RealtimeRow[];
}

export type Row = TurnRow | ItemRow | NoticeRow | RealtimeRow;

const byPosition = (a: ItemRow, b: ItemRow): number => a.position - b.position;
const present = <T>(value: T | undefined): T[] => (value === undefined ? [] : [value]);

/** The row as it was when the fact at `asOf` had been folded. */
export function turnAsOf(row: TurnRow, asOf: number): TurnRow {
  return { ...row, ends: row.ends.filter(({ position }) => position <= asOf), markedAt: row.markedAt !== null && row.markedAt <= asOf ? row.markedAt : null };
}

/**
 * The rows of one thread in memory: what the changes of the fold materialise. Applying is O(rows that change), whatever the thread's length, and a
 * change applied twice changes nothing. Rows that readers hold are live: they show later changes.
 */
export class ThreadRows implements RowView {
  readonly #turns = new TurnIndex();
  readonly #items = new ItemIndex();
  readonly #notices = new Map<FactKey, NoticeRow>();
  readonly #realtime = new Map<FactKey, RealtimeRow>();

  /** The highest position applied: changes of lower ones were applied before. */
  #appliedTo = -1;

  /** Applies changes in order of their positions; answers the rows that changed, none where the changes were applied before. */
  apply(changes: readonly RowChange[]): readonly Row[] {
    return changes.flatMap((change) => this.#apply(change));
  }

  #apply(change: RowChange): Row[] {
    const { position } = change;
    if (position < this.#appliedTo) return [];
    this.#appliedTo = position;
    switch (change.op) {
      case 'turn.upsert': return this.#upsertTurn(change.turn, position);
      case 'turn.end': return present(this.#turns.end(change.turn, change.end));
      case 'turn.mark': return present(this.#turns.mark(change.turn, position));
      case 'turn.usage': return present(this.#turns.addUsage(change.turn, change.usage, position));
      case 'turn.hideOlder': return this.#turns.hideOlder(change.id, change.tape, position);
      case 'history.close': return [...change.turns.flatMap((key) => present(this.#turns.close(key, position))), ...change.items.flatMap((key) => present(this.#items.close(key, position)))];
      case 'history.open': return [...change.turns.flatMap((key) => present(this.#turns.open(key, position))), ...change.items.flatMap((key) => present(this.#items.open(key, position)))];
      case 'item.upsert': return present(this.#items.upsert({ ...change.item, ...this.#resolved(change.item) }, change.place, position));
      case 'item.revise': return present(this.#items.revise(this.#resolved(change.target), change.revision, position));
      case 'input.receive': return present(this.#items.receive(change.input, position));
      case 'input.place': return present(this.#items.place(change, position));
      case 'notice.add': return this.#keep(this.#notices, change.notice);
      case 'realtime.add': return this.#keep(this.#realtime, change.realtime);
      default: return assertNever(change);
    }
  }

  #upsertTurn(turn: Extract<RowChange, { op: 'turn.upsert' }>['turn'], position: number): Row[] {
    const row = this.#turns.upsert(turn);
    return row ? [row, ...this.#items.adopt(turn.id, turn.key, position)] : [];
  }

  /** An item that names its turn by id belongs to the newest turn that has it. */
  #resolved(target: ItemTarget): ItemTarget {
    const { turn, turnId, id } = target;
    return { turn: turn ?? (turnId === null ? null : this.#turns.newestOfId(turnId)?.key ?? null), turnId, id };
  }

  #keep<T extends NoticeRow | RealtimeRow>(rows: Map<FactKey, T>, row: T): T[] {
    if (rows.has(row.key)) return [];
    rows.set(row.key, row);
    return [row];
  }

  turn(key: FactKey): TurnRow | undefined {
    return this.#turns.get(key);
  }

  turns(): readonly TurnRow[] {
    return this.#turns.all().filter((row) => isEffective(row.effective));
  }

  /** All turns in order, superseded ones too. */
  allTurns(): readonly TurnRow[] {
    return this.#turns.all();
  }

  items(turn: FactKey): readonly ItemRow[] {
    return this.allItems(turn).filter((row) => isEffective(row.effective));
  }

  /** All items of a turn in order, superseded ones too. */
  allItems(turn: FactKey): readonly ItemRow[] {
    return this.#items.group(groupOfTurn(turn));
  }

  leftovers(): readonly ItemRow[] {
    return [...this.#items.waiting()].filter((row) => isEffective(row.effective)).sort(byPosition);
  }

  /** Items whose turn no row has, in order of their records. `turnId`: only those that name this one. */
  orphans(turnId?: string): readonly ItemRow[] {
    const isOrphan = (row: ItemRow): boolean => (row.turn === null || !this.#turns.get(row.turn)) && (turnId === undefined || row.turnId === turnId);
    const groups = [...this.#items.groups()].flatMap(([, group]) => (group.inOrder().some(isOrphan) ? group.inOrder().filter(isOrphan) : []));
    return groups.filter((row) => isEffective(row.effective)).sort(byPosition);
  }

  notices(): readonly NoticeRow[] {
    return [...this.#notices.values()];
  }

  realtime(): readonly RealtimeRow[] {
    return [...this.#realtime.values()];
  }

  /** The rows as they were when the fact at `position` had been folded; where an input was placed anew later, its newest place stands. */
  asOf(position: number): RowView {
    const then = (rows: Iterable<ItemRow>): ItemRow[] => [...rows].filter((row) => isEffective(row.effective, position)).map((row) => itemAsOf(row, position));
    return {
      turns: () => this.#turns.all().filter((row) => isEffective(row.effective, position)).map((row) => turnAsOf(row, position)),
      items: (turn) => then(this.allItems(turn)).filter((row) => row.placedAt <= position),
      leftovers: () => then(this.#items.all()).filter((row) => isLeftover(row) || (row.body.kind === 'input' && row.placedAt > position)).sort(byPosition),
    };
  }

  snapshot(): RowsSnapshot {
    return { appliedTo: this.#appliedTo, turns: this.#turns.all(), items: [...this.#items.all()].sort(compareArrival), notices: this.notices(), realtime: this.realtime() };
  }

  /** Rows as a snapshot has them, also one that went through JSON. */
  static restore(snapshot: RowsSnapshot): ThreadRows {
    const rows = new ThreadRows();
    rows.#appliedTo = snapshot.appliedTo;
    for (const turn of snapshot.turns) rows.#turns.restore(turn);
    for (const item of snapshot.items) rows.#items.restore(item);
    for (const notice of snapshot.notices) rows.#notices.set(notice.key, notice);
    for (const realtime of snapshot.realtime) rows.#realtime.set(realtime.key, realtime);
    return rows;
  }
}

function isLeftover(row: ItemRow): boolean {
  return row.body.kind === 'input' && row.turn === null && row.placedAs !== 'twin';
}
