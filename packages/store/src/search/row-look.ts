import type { Statement } from 'better-sqlite3';
import { type ItemRow, standingOf } from '@tapefold/threads';
import { Positions } from '../rows/positions.js';
import { ITEM_PLACE } from '../rows/row-codec.js';
import { type ItemRecord, itemOf } from '../sqlite/row-queries.js';
import { positionOf } from '../sqlite/schema.js';
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

interface TurnOfItem { readonly id: number; readonly live: number; readonly turn_id: string }
type StepOfItem = Omit<TurnOfItem, 'turn_id'>;

/** Reads single items of histories, with nothing around them. */
export class RowLook {
  readonly #store: SqliteStore;
  readonly #item: Statement<[number], LookRecord>;
  readonly #offsets: Statement<[number], string>;
  readonly #state: Statement<[number], string>;
  readonly #turn: Statement<[number], TurnOfItem>;
  readonly #step: Statement<[number], StepOfItem>;

  constructor(store: SqliteStore) {
    this.#store = store;
    this.#item = store.db.prepare<[number], LookRecord>(`SELECT i.place, i.turn, i.step, i.ord, i.item_id, i.state, i.body, t.live, t.turn_id, s.live
      FROM items i LEFT JOIN turns t ON t.id = i.turn LEFT JOIN steps s ON s.id = i.step WHERE i.id = ?`).raw();
    this.#offsets = store.db.prepare<[number], string>('SELECT offsets FROM search_histories WHERE history = ?').pluck();
    this.#turn = store.db.prepare<[number], TurnOfItem>('SELECT id, live, turn_id FROM turns WHERE id = ?');
    this.#step = store.db.prepare<[number], StepOfItem>('SELECT id, live FROM steps WHERE id = ?');
    this.#state = store.db.prepare<[number], string>('SELECT state FROM histories WHERE id = ?').pluck();
  }

  /** What items of a thread are read with; undefined where its rows are gone. */
  thread({ history, threadId }: SearchedThread): ThreadLook | undefined {
    const offsets = history === null ? undefined : this.#offsets.get(history);
    if (history === null || offsets === undefined) return undefined;
    return { history, threadId, view: sharedView(this.#store.shared, history), positions: new Positions(JSON.parse(offsets) as Record<string, number>) };
  }

  /** An item by its row id; undefined where it is none that is, or was, shown. */
  item(id: number, { positions, history, threadId, view }: ThreadLook): FoundItem | undefined {
    const record = view ? this.#shared(id, view) : this.#item.get(id);
    if (!record) return undefined;
    const [place, turn, step, ord, itemId, state, body, turnLive, nativeTurnId, stepLive] = record;
    if (place === ITEM_PLACE.waiting) return this.#waiting(id, history, threadId);
    const row = itemOf({ id, place, turn, step, ord, item_id: itemId, state, body }, positions);
    const turnId = nativeTurnId ?? row.turnId ?? '';
    if (place === ITEM_PLACE.shown && turnLive !== 0 && stepLive !== 0) return { row, turnId, isShown: true };
    return row.visibility === 'shown' && standingOf(row) === 'placed' ? { row, turnId, isShown: false } : undefined;
  }

  /** An item of a history that shares rows: its turn may be the history's own, and the item another's. */
  #shared(id: number, view: SharedView): LookRecord | undefined {
    const record = view.one('items', this.#item).get(id);
    if (!record) return undefined;
    const turn = record.turn === null ? undefined : view.one('turns', this.#turn).get(record.turn);
    const step = record.step === null ? undefined : view.one('steps', this.#step).get(record.step);
    return { ...record, turn_live: turn?.live ?? null, turn_id: turn?.turn_id ?? null, step_live: step?.live ?? null };
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
