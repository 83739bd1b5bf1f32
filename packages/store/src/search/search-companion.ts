import type { Statement } from 'better-sqlite3';
import type { Sqlite } from '../sqlite/database.js';
import { rangeOf } from '../sqlite/schema.js';
import type { RowCompanion } from '../sqlite/row-companion.js';
import type { HistoryId, HistoryState } from '../thread-store.js';
import { itemTables } from './tables.js';

/** Notes in the transaction that writes rows which of their texts are to be indexed. */
export class SearchCompanion implements RowCompanion {
  readonly #queue: Statement<[number]>;
  readonly #history: Statement<[number, number, string, string | undefined, number | undefined, number | undefined]>;
  readonly #forget: Statement<[number]>;
  readonly #clear: readonly Statement<[number, number]>[];

  constructor(db: Sqlite) {
    this.#queue = db.prepare<[number]>('INSERT OR IGNORE INTO search_queue (id) VALUES (?)');
    this.#history = db.prepare<[number, number, string, string | undefined, number | undefined, number | undefined]>('INSERT OR REPLACE INTO search_histories (history, is_whole, offsets, path, size_bytes, mtime_ms) VALUES (?, ?, ?, ?, ?, ?)');
    this.#forget = db.prepare<[number]>('DELETE FROM search_histories WHERE history = ?');
    this.#clear = itemTables.map((table) => db.prepare<[number, number]>(`DELETE FROM ${table} WHERE rowid >= ? AND rowid < ?`));
  }

  wrote(history: HistoryId, items: readonly number[], { isWhole, head, segments }: HistoryState): void {
    for (const id of items) this.#queue.run(id);
    const newest = segments.at(-1);
    this.#history.run(history, Number(isWhole), JSON.stringify(head.offsets), newest?.path, newest?.sizeBytes, newest?.mtimeMs);
  }

  cleared(history: HistoryId): void {
    for (const statement of this.#clear) statement.run(...rangeOf(history));
    this.#forget.run(history);
  }
}
