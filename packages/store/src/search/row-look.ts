import type { Statement } from 'better-sqlite3';
import { type ItemRow, standingOf } from '@tapefold/threads';
import { Positions } from '../rows/positions.js';
import { ITEM_PLACE } from '../rows/row-codec.js';
import type { ItemRecord } from '../sqlite/item-record.js';
import { itemOf } from '../sqlite/row-queries.js';
import { positionOf, rowIdOf } from '../sqlite/schema.js';
import { type SharedView, sharedView } from '../sqlite/shared-view.js';
import type { SqliteStore } from '../sqlite/sqlite-store.js';
import type { HistoryId, HistoryState } from '../thread-store.js';
import type { SearchText } from './item-texts.js';
import { stampedPieces, textsOfItemRow } from './row-texts.js';
import type { SearchedThread } from './threads.js';

/** An item that was looked at. `isShown`: it is part of the thread now. */
export interface FoundItem {
  readonly row: ItemRow;
  readonly turnId: string;
  readonly isShown: boolean;
}

/** A list, which is made quicker than an object. */
type LookRecord = readonly [
  place: ItemRecord['place'], turn: number | null, step: number | null, ord: ItemRecord['ord'], itemId: string, state: string | null, body: ItemRecord['body'],
  turnLive: number | null, turnId: string | null, stepLive: number | null,
];

/** Reads single items of histories, with nothing around them. */
export class RowLook {
  readonly #store: SqliteStore;
  readonly #item: Statement<[number], LookRecord>;
  readonly #offsets: Statement<[number], string>;
  readonly #state: Statement<[number], string>;
  readonly #turn: Statement<[number], [live: number, turnId: string]>;
  readonly #step: Statement<[number], number>;

  constructor(store: SqliteStore) {
    this.#store = store;
    this.#item = store.db.prepare<[number], LookRecord>(`SELECT i.place, i.turn, i.step, i.ord, i.item_id, i.state, i.body, t.live, t.turn_id, s.live
      FROM items i LEFT JOIN turns t ON t.id = i.turn LEFT JOIN steps s ON s.id = i.step WHERE i.id = ?`).raw();
    this.#offsets = store.db.prepare<[number], string>('SELECT offsets FROM search_histories WHERE history = ?').pluck();
    this.#turn = store.db.prepare<[number], [live: number, turnId: string]>('SELECT live, turn_id FROM turns WHERE id = ?').raw();
    this.#step = store.db.prepare<[number], number>('SELECT live FROM steps WHERE id = ?').pluck();
    this.#state = store.db.prepare<[number], string>('SELECT state FROM histories WHERE id = ?').pluck();
  }

  /** What items of a thread are read with; undefined where its rows are gone. */
  thread({ history, threadId }: SearchedThread): ThreadLook | undefined {
    const offsets = history === null ? undefined : this.#offsets.get(history);
    if (history === null || offsets === undefined) return undefined;
    return { history, threadId, view: sharedView(this.#store.shared, history), positions: new Positions(JSON.parse(offsets) as Record<string, number>) };
  }

  /** An item by its row id; undefined where it is none that is, or was, shown. */
  item(id: number, look: ThreadLook): FoundItem | undefined {
    const { positions, history, threadId, view } = look;
    const record = this.#item.get(view?.storedId('items', id) ?? id);
    if (!record) return undefined;
    const [place, turn, step, ord, itemId, state, body] = record;
    const [turnLive, nativeTurnId, stepLive] = view ? this.#around(record, view, history) : [record[7], record[8], record[9]];
    if (place === ITEM_PLACE.waiting) return this.#waiting(id, history, threadId);
    const row = itemOf({ id, place, turn, step, ord, item_id: itemId, state, body }, positions);
    const turnId = nativeTurnId ?? row.turnId ?? '';
    if (place === ITEM_PLACE.shown && turnLive !== 0 && stepLive !== 0) return { row, turnId, isShown: true };
    return row.visibility === 'shown' && standingOf(row) === 'placed' ? { row, turnId, isShown: false } : undefined;
  }

  /** The turn and the step of an item of a history that shares rows: they may be the history's own, and the item another's. */
  #around([, turn, step]: LookRecord, view: SharedView, history: HistoryId): readonly [turnLive: number | null, turnId: string | null, stepLive: number | null] {
    const stored = (table: 'turns' | 'steps', id: number): number => view.storedId(table, rowIdOf(history, positionOf(id)));
    const [turnLive = null, turnId = null] = (turn === null ? undefined : this.#turn.get(stored('turns', turn))) ?? [];
    return [turnLive, turnId, (step === null ? undefined : this.#step.get(stored('steps', step))) ?? null];
  }

  #waiting(id: number, history: HistoryId, threadId: string): FoundItem | undefined {
    const rows = this.#store.rowsOf(history, threadId);
    const waiting = rows?.snapshot(() => rows.waitingAt(positionOf(id)));
    return waiting && { ...waiting, isShown: true };
  }

  /** The texts of an item; what stands in the tape alone is read there. */
  texts({ row }: FoundItem, { history }: ThreadLook): readonly SearchText[] {
    if (row.large.length === 0) return textsOfItemRow(row, undefined);
    const state = this.#state.get(history);
    return textsOfItemRow(row, state === undefined ? undefined : stampedPieces((JSON.parse(state) as HistoryState).segments));
  }

  /** The number of an item's record in its thread. */
  ordinal({ row }: FoundItem, { history, threadId }: ThreadLook): number {
    const rows = this.#store.rowsOf(history, threadId);
    return rows?.snapshot(() => rows.records.placeOf(row.order).ordinal) ?? row.position;
  }
}

/** What items of one thread are read with. */
export interface ThreadLook {
  readonly history: HistoryId;
  readonly threadId: string;
  readonly positions: Positions;
  readonly view: SharedView | undefined;
}
