import { Buffer } from 'node:buffer';
import type { Statement } from 'better-sqlite3';
import { ITEM_PLACE } from '../rows/row-codec.js';
import type { Sqlite } from './database.js';
import type { EndedRecord, RowScans } from './history-finds.js';
import type { ItemRecord } from './item-record.js';
import { SCAN_FIRST_ROWS, SCAN_ROWS } from './limits.js';
import { orderKey } from './order-key.js';
import { ITEM_COLUMNS, TURN_COLUMNS, type TurnRecord } from './row-queries.js';
import { rangeOf, rowIdOf } from './schema.js';
import type { Find } from './shared-view.js';
import type { Span } from './span.js';

/** Prepared scans, and what is asked before. */
export interface Scans extends RowScans {
  /** A turn with more items than that. */
  readonly longTurn: Statement<[number, number, number], { turn: number }>;
  readonly version: Statement<[number], { generation: number; version: number }>;
  readonly state: Statement<[number], { state: string }>;
}

/** Prepared scans for readers. */
export function createScans(db: Sqlite): Scans {
  const turns = `SELECT ${TURN_COLUMNS} FROM turns WHERE id >= ? AND id < ? AND live = 1`;
  const items = `SELECT ${ITEM_COLUMNS} FROM items WHERE id >= ? AND id < ? AND place = ${ITEM_PLACE.shown} AND ord IS NULL`;
  const moved = `SELECT ${ITEM_COLUMNS} FROM items WHERE ord >= ? AND ord < ? AND place = ${ITEM_PLACE.shown}`;
  return {
    turnsUp: db.prepare<[number, number, number], TurnRecord>(`${turns} ORDER BY id LIMIT ?`),
    turnsDown: db.prepare<[number, number, number], TurnRecord>(`${turns} ORDER BY id DESC LIMIT ?`),
    endedDown: db.prepare<[number, number, number], EndedRecord>(`SELECT ${TURN_COLUMNS}, ended FROM turns WHERE ended >= ? AND ended < ? AND live = 1 ORDER BY ended DESC LIMIT ?`),
    itemsUp: db.prepare<[number, number, number], ItemRecord>(`${items} ORDER BY id LIMIT ?`),
    itemsDown: db.prepare<[number, number, number], ItemRecord>(`${items} ORDER BY id DESC LIMIT ?`),
    movedUp: db.prepare<[Buffer, Buffer, number], ItemRecord>(`${moved} ORDER BY ord LIMIT ?`),
    movedDown: db.prepare<[Buffer, Buffer, number], ItemRecord>(`${moved} ORDER BY ord DESC LIMIT ?`),
    waiting: db.prepare<[number, number], ItemRecord>(`SELECT ${ITEM_COLUMNS} FROM items WHERE id >= ? AND id < ? AND place = ${ITEM_PLACE.waiting}`),
    longTurn: db.prepare<[number, number, number], { turn: number }>('SELECT turn FROM items WHERE turn >= ? AND turn < ? GROUP BY turn HAVING COUNT(*) > ? LIMIT 1'),
    version: db.prepare<[number], { generation: number; version: number }>('SELECT generation, version FROM histories WHERE id = ?'),
    state: db.prepare<[number], { state: string }>('SELECT state FROM histories WHERE id = ?'),
  };
}

/** The highest position there is. */
export const MAX_POSITION = 2 ** 33 - 2;

/** How many rows are fetched behind so many. */
const nextCount = (count: number): number => Math.min(Math.max(count * 2, SCAN_FIRST_ROWS), SCAN_ROWS);

/** The first key behind one: its prefix is the key, so that what nests below the key comes later still. */
const justBehind = (key: Buffer): Buffer => Buffer.concat([key, Buffer.from([0])]);

/** Row by row in a direction, a few fetched at a time: those of a history that stand at their own positions. */
export function* rowsOfSpan<R extends { readonly id: number }>(history: number, { direction, bound, wanted }: Span, statement: Find<[number, number, number], R>): Generator<R> {
  let [from, to] = rangeOf(history);
  if (bound) {
    const [first = 0, ...more] = bound.order;
    const at = rowIdOf(history, Math.min(first, MAX_POSITION));
    // Rows of a scan stand at their positions: one that equals the bound's first number stands before what the bound nests below it.
    if (direction === 'asc') from = more.length === 0 && bound.isIncluded ? at : at + 1;
    else to = more.length > 0 || bound.isIncluded ? at + 1 : at;
  }
  for (let count = wanted ?? SCAN_FIRST_ROWS; ; count = nextCount(count)) {
    const batch = statement.all(from, to, count);
    yield* batch;
    const last = batch.at(-1);
    if (!last || batch.length < count) return;
    if (direction === 'asc') from = last.id + 1;
    else to = last.id;
  }
}

/** The same of items that stand elsewhere than at their own position. */
export function* movedOfSpan(history: number, { direction, bound, wanted }: Span, scans: Pick<RowScans, 'movedUp' | 'movedDown'>): Generator<ItemRecord> {
  const isAsc = direction === 'asc';
  let [from, to] = [orderKey(history, []), orderKey(history + 1, [])];
  if (bound) {
    const [first = 0, ...more] = bound.order;
    const key = orderKey(history, [Math.min(first, MAX_POSITION), ...more]);
    if (isAsc) from = bound.isIncluded ? key : justBehind(key);
    else to = bound.isIncluded ? justBehind(key) : key;
  }
  for (let count = wanted ?? SCAN_FIRST_ROWS; ; count = nextCount(count)) {
    const batch = (isAsc ? scans.movedUp : scans.movedDown).all(from, to, count);
    yield* batch;
    const last = batch.at(-1)?.ord;
    if (!last || batch.length < count) return;
    if (isAsc) from = justBehind(last);
    else to = last;
  }
}
