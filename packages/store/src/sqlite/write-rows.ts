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
import { type Cell, rowColumns } from './row-columns.js';
import { type RowTable, rangeOf, rowIdOf, rowTables } from './schema.js';
import type { SharedSpans } from './shared-spans.js';
import { SharedRowTables, sharedWrite } from './shared-writes.js';

function upsert(table: RowTable): string {
  const columns = rowColumns[table];
  return `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')}) ON CONFLICT (id) DO UPDATE SET ${columns.slice(1).map((column) => `${column} = excluded.${column}`).join(', ')}`;
}

/** Writes rows inside a transaction that the caller holds. */
export class RowWriter {
  readonly #upserts: Readonly<Record<RowTable, Statement<Cell[]>>>;
  readonly #deletes: readonly Statement<[number, number]>[];
  readonly #shared: SharedRowTables;

  constructor(db: Sqlite, shared: SharedSpans) {
    this.#upserts = Object.fromEntries(rowTables.map((table) => [table, db.prepare<Cell[]>(upsert(table))])) as Record<RowTable, Statement<Cell[]>>;
    this.#deletes = rowTables.map((table) => db.prepare<[number, number]>(`DELETE FROM ${table} WHERE id >= ? AND id < ?`));
    this.#shared = new SharedRowTables(db, shared);
  }

  /** Removes every row of a history, that shares none then. */
  clear(history: number): void {
    const [from, to] = rangeOf(history);
    for (const statement of this.#deletes) statement.run(from, to);
    this.#shared.spans.forget(history);
  }

  /** Answers the row ids of items that were written, or went: of this history, and of those that share its rows. */
  write(history: number, write: HistoryWrite): readonly number[] {
    const shared = sharedWrite(this.#shared, history, write);
    for (const [table, cells] of rowsOf(history, write)) if (!shared || shared.isToWrite(table, cells)) this.#upserts[table].run(...cells);
    shared?.finish();
    return shared ? shared.items : write.items.map(({ position }) => rowIdOf(history, position));
  }
}

/** What a commit writes, row by row. */
function* rowsOf(history: number, write: HistoryWrite): Generator<readonly [table: RowTable, cells: Cell[]]> {
  const positions = new Positions(write.state.head.offsets);
  const at = (position: number): number => rowIdOf(history, position);
  const orNull = (position: number | null): number | null => (position === null ? null : at(position));
  for (const row of write.turns) {
    const { position, turnId, isLive, lastWord, endedAt, state } = encodeTurn(row);
    yield ['turns', [at(position), turnId, Number(isLive), orNull(lastWord), orNull(endedAt), state]];
  }
  for (const row of write.items) {
    const { position, place, turn, step, order, itemId, turnId, kind, state, body, past } = encodeItem(row, positions);
    yield ['items', [at(position), place, orNull(turn), orNull(step), order && orderKey(history, order), itemId, turnId, kind, state, body.length < DEFLATED_CHARS ? body : deflated(body), past]];
  }
  for (const row of write.steps) {
    const step = encodeStep(row, positions);
    if (step) yield ['steps', [at(step.position), Number(step.isLive), step.state]];
  }
  for (const row of write.notices) yield ['notices', [at(row.position), encodePlain(row)]];
  for (const row of write.realtime) yield ['realtime', [at(row.position), encodePlain(row)]];
  for (const list of write.records) yield ['records', [at(list.starts[0] ?? 0), list.ordinals[0] ?? 0, encodeRecords(list)]];
  for (const { from, facts, entries } of write.outline) yield ['outline', [at(from), deflated(facts), deflated(entries)]];
  for (const { position, segment, offset, player } of write.starts) yield ['starts', [at(position), segment, offset, player === null ? null : deflated(player)]];
}
