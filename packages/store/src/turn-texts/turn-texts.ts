import type { Statement } from 'better-sqlite3';
import type { Order } from '@tapefold/threads';
import type { Sqlite } from '../sqlite/database.js';
import type { RowCompanion } from '../sqlite/row-companion.js';
import { rangeOf, rowIdOf } from '../sqlite/schema.js';
import type { HistoryId, HistoryState } from '../thread-store.js';
import { KEPT_BYTES, QUIET_MS, TURN_TEXTS_VERSION } from './limits.js';

/** Turns that follow each other, as JSON with commas between, deflated. `last`: the order of the last of them. `bytes`: of the text. */
export interface TextBlock {
  readonly last: Order;
  readonly bytes: number;
  readonly text: Buffer;
}

interface BlockRecord { readonly last: string; readonly bytes: number; readonly text: Buffer }

/** Texts of the turns of large histories, kept beside their rows. Whoever reads or writes them is inside a transaction. */
export class TurnTexts implements RowCompanion {
  readonly #count: Statement<[number, number], number | null>;
  readonly #block: Statement<[number], BlockRecord>;
  readonly #forget: Statement<[number]>;
  readonly #forgetBlocks: Statement<[number, number]>;
  readonly #wait: Statement<[number, number, number]>;
  readonly #waiting: Statement<[number, number], number>;
  readonly #insert: Statement<[number, string, number, Buffer]>;
  readonly #finish: Statement<[number, number]>;

  constructor(db: Sqlite) {
    this.#count = db.prepare<[number, number], number | null>('SELECT blocks FROM turn_texts WHERE history = ? AND text_version = ?').pluck();
    this.#block = db.prepare<[number], BlockRecord>('SELECT last, bytes, text FROM turn_text_blocks WHERE id = ?');
    this.#forget = db.prepare<[number]>('DELETE FROM turn_texts WHERE history = ?');
    this.#forgetBlocks = db.prepare<[number, number]>('DELETE FROM turn_text_blocks WHERE id >= ? AND id < ?');
    this.#wait = db.prepare<[number, number, number]>('INSERT OR REPLACE INTO turn_texts (history, text_version, not_before_ms, blocks) VALUES (?, ?, ?, NULL)');
    this.#waiting = db.prepare<[number, number], number>('SELECT history FROM turn_texts WHERE (blocks IS NULL OR text_version <> ?) AND not_before_ms <= ? ORDER BY not_before_ms DESC LIMIT 1').pluck();
    this.#insert = db.prepare<[number, string, number, Buffer]>('INSERT INTO turn_text_blocks (id, last, bytes, text) VALUES (?, ?, ?, ?)');
    this.#finish = db.prepare<[number, number]>('UPDATE turn_texts SET blocks = ? WHERE history = ?');
  }

  /** How many blocks a history has; undefined while they are not all there. */
  count(history: HistoryId): number | undefined {
    return this.#count.get(history, TURN_TEXTS_VERSION) ?? undefined;
  }

  /** One of them. */
  block(history: HistoryId, number: number): TextBlock | undefined {
    const record = this.#block.get(rowIdOf(history, number));
    return record && { ...record, last: JSON.parse(record.last) as Order };
  }

  /** A history that has been quiet for long enough, the one that was written to last, whose texts are to be made. */
  waiting(nowMs: number): HistoryId | undefined {
    return this.#waiting.get(TURN_TEXTS_VERSION, nowMs);
  }

  /** Begins with a history anew. */
  begin(history: HistoryId): void {
    this.#forgetBlocks.run(...rangeOf(history));
    this.#wait.run(history, TURN_TEXTS_VERSION, 0);
  }

  add(history: HistoryId, number: number, { last, bytes, text }: TextBlock): void {
    this.#insert.run(rowIdOf(history, number), JSON.stringify(last), bytes, text);
  }

  finish(history: HistoryId, blocks: number): void {
    this.#finish.run(blocks, history);
  }

  wrote(history: HistoryId, _items: readonly number[], { isWhole, bytes, segments }: HistoryState): void {
    this.cleared(history);
    if (isWhole && bytes >= KEPT_BYTES) this.#wait.run(history, TURN_TEXTS_VERSION, (segments.at(-1)?.mtimeMs ?? 0) + QUIET_MS);
  }

  cleared(history: HistoryId): void {
    this.#forgetBlocks.run(...rangeOf(history));
    this.#forget.run(history);
  }
}
