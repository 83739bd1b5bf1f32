import type { ItemRow, NoticeRow, RealtimeRow, StepRow, TurnRow } from '@tapefold/threads';
import type { Positions } from '../rows/positions.js';
import { decodeItem, decodePlain, decodeStep } from '../rows/row-codec.js';
import { decodeTurn } from '../rows/turn-codec.js';
import type { Sqlite } from './database.js';
import { inflated } from './deflated.js';
import type { ItemRecord } from './item-record.js';
import { type PackedItem, packedItem, packedItems } from './packed-items.js';
import { orderOfKey } from './order-key.js';
import { positionOf } from './schema.js';
import type { Find, SharedView } from './shared-view.js';

/** A turn as it stands in the table. */
export interface TurnRecord {
  readonly id: number;
  readonly turn_id: string;
  readonly live: number;
  readonly state: string;
}

/** A step, notice or spoken record as it stands in its table. */
export interface PlainRecord {
  readonly id: number;
  readonly state: string;
}

/** Columns that `ItemRecord` has. */
export const ITEM_COLUMNS = 'id, place, turn, step, ord, item_id, state, body';
/** The same with how the item was before. */
export const ITEM_COLUMNS_WITH_PAST = `${ITEM_COLUMNS}, past`;
/** Columns that `TurnRecord` has. */
export const TURN_COLUMNS = 'id, turn_id, live, state';

/** An item from its record. */
export function itemOf(record: ItemRecord, positions: Positions): ItemRow {
  const { body } = record;
  return decodeItem({
    position: positionOf(record.id), turn: record.turn === null ? null : positionOf(record.turn), step: record.step === null ? null : positionOf(record.step), order: record.ord && orderOfKey(record.ord),
    itemId: record.item_id, body: typeof body === 'string' ? body : inflated(body), state: record.state, past: record.past ?? null,
  }, positions);
}

/** A turn from its record. */
export function turnOf({ id, turn_id: turnId, state }: TurnRecord, positions: Positions): TurnRow {
  return decodeTurn({ position: positionOf(id), turnId, state }, positions);
}

/** A step from its record. */
export function stepOf({ id, state }: PlainRecord, positions: Positions): StepRow {
  return decodeStep({ position: positionOf(id), state }, positions);
}

/** A notice from its record. */
export const noticeOf = ({ state }: PlainRecord, positions: Positions): NoticeRow => decodePlain<NoticeRow>(state, positions);
/** A spoken record from its record. */
export const realtimeOf = ({ state }: PlainRecord, positions: Positions): RealtimeRow => decodePlain<RealtimeRow>(state, positions);

/** Look-ups of rows of one history. */
export interface RowFinds {
  readonly turn: Find<[number], TurnRecord>;
  /** Turns of a native id between two row ids. */
  readonly turnsOfId: Find<[string, number, number], TurnRecord>;
  /** Turns with a newest word from one row id on, that began before another. */
  readonly turnsWithWords: Find<[number, number, number], TurnRecord>;
  readonly item: Find<[number], ItemRecord>;
  readonly itemsOfTurn: Find<[number], ItemRecord>;
  /** Items of several turns at once, whose row ids stand in a list as JSON; in no order. */
  itemsOfTurns(turns: string): readonly PackedItem[];
  /** Items of a native turn id that stand in no turn, between two row ids. */
  readonly itemsOfTurnId: Find<[string, number, number], ItemRecord>;
  readonly step: Find<[number], PlainRecord>;
  readonly notices: Find<[number, number], PlainRecord>;
  readonly realtime: Find<[number, number], PlainRecord>;
}

/** Prepared look-ups of rows of one history; each takes row ids. `itemColumns`: with the past where rows are gone on with, without where they are shown. */
export function createRowQueries(db: Sqlite, itemColumns: typeof ITEM_COLUMNS | typeof ITEM_COLUMNS_WITH_PAST): RowFinds {
  const itemsOfTurn = db.prepare<[number], ItemRecord>(`SELECT ${itemColumns} FROM items WHERE turn = ?`);
  return {
    itemsOfTurn, itemsOfTurns: packedItems(db, (turn) => itemsOfTurn.all(turn)),
    turn: db.prepare<[number], TurnRecord>(`SELECT ${TURN_COLUMNS} FROM turns WHERE id = ?`),
    turnsOfId: db.prepare<[string, number, number], TurnRecord>(`SELECT ${TURN_COLUMNS} FROM turns WHERE turn_id = ? AND id >= ? AND id < ? ORDER BY id`),
    turnsWithWords: db.prepare<[number, number, number], TurnRecord>(`SELECT ${TURN_COLUMNS} FROM turns WHERE last_word >= ? AND last_word < ? AND id < ?`),
    item: db.prepare<[number], ItemRecord>(`SELECT ${itemColumns} FROM items WHERE id = ?`),
    itemsOfTurnId: db.prepare<[string, number, number], ItemRecord>(`SELECT ${itemColumns} FROM items WHERE turn IS NULL AND turn_id = ? AND id >= ? AND id < ?`),
    step: db.prepare<[number], PlainRecord>('SELECT id, state FROM steps WHERE id = ?'),
    notices: db.prepare<[number, number], PlainRecord>('SELECT id, state FROM notices WHERE id >= ? AND id < ? ORDER BY id'),
    realtime: db.prepare<[number, number], PlainRecord>('SELECT id, state FROM realtime WHERE id >= ? AND id < ? ORDER BY id'),
  };
}

/** The same look-ups of a history that shares rows. */
export function sharedRows(rows: RowFinds, view: SharedView | undefined): RowFinds {
  if (!view) return rows;
  const itemsOfTurn = view.many('items', rows.itemsOfTurn, { params: ['at'] });
  return {
    itemsOfTurns: (turns) => (JSON.parse(turns) as number[]).flatMap((turn) => itemsOfTurn.all(turn).map(packedItem)),
    turn: view.one('turns', rows.turn), turnsOfId: view.many('turns', rows.turnsOfId, { params: ['value', 'from', 'to'] }), turnsWithWords: view.many('turns', rows.turnsWithWords, { params: ['at', 'until', 'to'] }),
    item: view.one('items', rows.item), itemsOfTurn, itemsOfTurnId: view.many('items', rows.itemsOfTurnId, { params: ['value', 'from', 'to'] }),
    step: view.one('steps', rows.step), notices: view.many('notices', rows.notices, { params: ['from', 'to'] }), realtime: view.many('realtime', rows.realtime, { params: ['from', 'to'] }),
  };
}
