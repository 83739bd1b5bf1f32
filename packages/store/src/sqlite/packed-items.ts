import { Buffer } from 'node:buffer';
import Database from 'better-sqlite3';
import type { ItemPlace } from '../rows/row-codec.js';
import { packedText } from '../rows/packed-text.js';
import type { Sqlite } from './database.js';
import type { ItemRecord } from './item-record.js';

/*
 * Items of some dozens of turns in one row: to hand over each of their cells by itself costs as much as all else of a whole answer. Numbers come as JSON, texts one behind the other as bytes, of which
 * the numbers say how many are whose.
 */

/** An item as its object is written from it; texts are packed (`packedText`). */
export interface PackedItem {
  readonly id: number;
  readonly turn: number;
  readonly place: ItemPlace;
  readonly step: number | null;
  /** The key of its order in hexadecimal digits; empty where it stands at its position. */
  readonly order: string;
  readonly itemId: string;
  readonly state: string;
  /** As text, or deflated. */
  readonly body: string | Buffer;
}

type Numbers = readonly [id: number, turn: number, place: ItemPlace, step: number | null, order: string, idBytes: number, stateBytes: number, bodyBytes: number, isDeflated: 0 | 1];
type Packed = readonly [numbers: string | null, texts: Buffer | null];

const NUMBERS = "json_array(id, turn, place, step, hex(ord), octet_length(item_id), ifnull(octet_length(state), 0), octet_length(body), typeof(body) = 'blob')";
const PACKED = `SELECT group_concat(${NUMBERS}, ','), CAST(group_concat(concat(item_id, state, body), '') AS BLOB) FROM items WHERE turn IN (SELECT value FROM json_each(?))`;

function unpacked([numbers, texts]: Packed): PackedItem[] {
  if (numbers === null || texts === null) return [];
  const text = texts.toString('latin1');
  let at = 0;
  return (JSON.parse(`[${numbers}]`) as Numbers[]).map(([id, turn, place, step, order, idBytes, stateBytes, bodyBytes, isDeflated]) => {
    const state = at + idBytes;
    const body = state + stateBytes;
    const item = { id, turn, place, step, order, itemId: text.slice(at, state), state: text.slice(state, body), body: isDeflated ? texts.subarray(body, body + bodyBytes) : text.slice(body, body + bodyBytes) };
    at = body + bodyBytes;
    return item;
  });
}

/** An item by its record. */
export function packedItem({ id, turn, place, step, ord, item_id: itemId, state, body }: ItemRecord): PackedItem {
  return { id, turn: turn ?? 0, place, step, order: ord?.toString('hex') ?? '', itemId: packedText(itemId), state: packedText(state ?? ''), body: typeof body === 'string' ? packedText(body) : body };
}

/** Looks up the items of turns, whose row ids stand in a list as JSON; in no order. `itemsOfTurn`: one by one, where they are too many for a row of SQLite. */
export function packedItems(db: Sqlite, itemsOfTurn: (turn: number) => readonly ItemRecord[]): (turns: string) => PackedItem[] {
  const packed = db.prepare<[string], Packed>(PACKED).raw();
  return (turns) => {
    try {
      return packed.all(turns).flatMap(unpacked);
    } catch (error) {
      if (!(error instanceof Database.SqliteError) || error.code !== 'SQLITE_TOOBIG') throw error;
      return (JSON.parse(turns) as number[]).flatMap((turn) => itemsOfTurn(turn).map(packedItem));
    }
  };
}
