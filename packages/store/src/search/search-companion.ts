import type { Statement } from 'better-sqlite3';
import type { ItemRow } from '@tapefold/threads';
import type { Sqlite } from '../sqlite/database.js';
import { rangeOf } from '../sqlite/row-queries.js';
import { rowIdOf } from '../sqlite/schema.js';
import type { RowCompanion } from '../sqlite/row-companion.js';
import type { HistoryId, HistoryState } from '../thread-store.js';
import { itemTables } from './tables.js';

/** Notes in the transaction that writes rows which of their texts are to be indexed. */
export class SearchCompanion implements RowCompanion {
  readonly #queue: Statement<[number]>;
  readonly #whole: Statement<[number, number, string]>;
  readonly #forget: Statement<[number]>;
  readonly #clear: readonly Statement<[number, number]>[];

  constructor(db: Sqlite) {
    this.#queue = db.prepare<[number]>('INSERT OR IGNORE INTO search_queue (id) VALUES (?)');
    this.#whole = db.prepare<[number, number, string]>('INSERT OR REPLACE INTO search_histories (history, is_whole, offsets) VALUES (?, ?, ?)');
    this.#forget = db.prepare<[number]>('DELETE FROM search_histories WHERE history = ?');
    this.#clear = itemTables.map((table) => db.prepare<[number, number]>(`DELETE FROM ${table} WHERE rowid >= ? AND rowid < ?`));
  }

  wrote(history: HistoryId, items: readonly ItemRow[], { isWhole, head }: HistoryState): void {
    for (const { position } of items) this.#queue.run(rowIdOf(history, position));
    this.#whole.run(history, Number(isWhole), JSON.stringify(head.offsets));
  }

  cleared(history: HistoryId): void {
    for (const statement of this.#clear) statement.run(...rangeOf(history));
    this.#forget.run(history);
  }
}
