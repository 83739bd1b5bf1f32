import type { Buffer } from 'node:buffer';
import type { Statement } from 'better-sqlite3';
import { Positions } from '../rows/positions.js';
import { encodeRecords } from '../rows/record-blocks.js';
import { encodeItem, encodePlain, encodeStep } from '../rows/row-codec.js';
import { encodeTurn } from '../rows/turn-codec.js';
import type { HistoryWrite } from '../thread-store.js';
import type { Sqlite } from './database.js';
import { deflated } from './deflated.js';
import { DEFLATED_CHARS } from './limits.js';
import { orderKey } from './order-key.js';
import { rangeOf } from './row-queries.js';
import { rowIdOf, rowTables } from './schema.js';

const upsert = (table: string, columns: readonly string[]): string =>
  `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')}) ON CONFLICT (id) DO UPDATE SET ${columns.slice(1).map((column) => `${column} = excluded.${column}`).join(', ')}`;

type Cell = string | number | Buffer | null;

/** Writes rows inside a transaction that the caller holds. */
export class RowWriter {
  readonly #turn: Statement<Cell[]>;
  readonly #item: Statement<Cell[]>;
  readonly #step: Statement<Cell[]>;
  readonly #notice: Statement<Cell[]>;
  readonly #realtime: Statement<Cell[]>;
  readonly #records: Statement<Cell[]>;
  readonly #outline: Statement<Cell[]>;
  readonly #start: Statement<Cell[]>;
  readonly #deletes: readonly Statement<[number, number]>[];

  constructor(db: Sqlite) {
    this.#turn = db.prepare<Cell[]>(upsert('turns', ['id', 'turn_id', 'live', 'last_word', 'ended', 'state']));
    this.#item = db.prepare<Cell[]>(upsert('items', ['id', 'place', 'turn', 'step', 'ord', 'item_id', 'turn_id', 'kind', 'state', 'body', 'past']));
    this.#step = db.prepare<Cell[]>(upsert('steps', ['id', 'live', 'state']));
    this.#notice = db.prepare<Cell[]>(upsert('notices', ['id', 'state']));
    this.#realtime = db.prepare<Cell[]>(upsert('realtime', ['id', 'state']));
    this.#records = db.prepare<Cell[]>(upsert('records', ['id', 'ordinal', 'list']));
    this.#outline = db.prepare<Cell[]>(upsert('outline', ['id', 'facts', 'entries']));
    this.#start = db.prepare<Cell[]>(upsert('starts', ['id', 'segment', 'byte', 'player']));
    this.#deletes = rowTables.map((table) => db.prepare<[number, number]>(`DELETE FROM ${table} WHERE id >= ? AND id < ?`));
  }

  /** Removes every row of a history. */
  clear(history: number): void {
    const [from, to] = rangeOf(history);
    for (const statement of this.#deletes) statement.run(from, to);
  }

  write(history: number, write: HistoryWrite): void {
    const positions = new Positions(write.state.head.offsets);
    const at = (position: number): number => rowIdOf(history, position);
    const orNull = (position: number | null): number | null => (position === null ? null : at(position));
    for (const row of write.turns) {
      const { position, turnId, isLive, lastWord, endedAt, state } = encodeTurn(row);
      this.#turn.run(at(position), turnId, Number(isLive), orNull(lastWord), orNull(endedAt), state);
    }
    for (const row of write.items) {
      const { position, place, turn, step, order, itemId, turnId, kind, state, body, past } = encodeItem(row, positions);
      this.#item.run(at(position), place, orNull(turn), orNull(step), order && orderKey(history, order), itemId, turnId, kind, state, body.length < DEFLATED_CHARS ? body : deflated(body), past);
    }
    for (const row of write.steps) {
      const step = encodeStep(row, positions);
      if (step) this.#step.run(at(step.position), Number(step.isLive), step.state);
    }
    for (const row of write.notices) this.#notice.run(at(row.position), encodePlain(row));
    for (const row of write.realtime) this.#realtime.run(at(row.position), encodePlain(row));
    for (const list of write.records) this.#records.run(at(list.starts[0] ?? 0), list.ordinals[0] ?? 0, encodeRecords(list));
    for (const { from, facts, entries } of write.outline) this.#outline.run(at(from), deflated(facts), deflated(entries));
    for (const { position, segment, offset, player } of write.starts) this.#start.run(at(position), segment, offset, player === null ? null : deflated(player));
  }
}
