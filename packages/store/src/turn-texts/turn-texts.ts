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

/** How far texts have come: the number of the next block, the order of the last turn, and what is kept by now. */
export interface TextsSoFar {
  readonly next: number;
  readonly last: Order | undefined;
  readonly keptBytes: number;
}

interface BlockRecord { readonly id: number; readonly last: string; readonly bytes: number; readonly text: Buffer }

function prepared(db: Sqlite) {
  return {
    count: db.prepare<[number, number], number | null>('SELECT t.blocks FROM turn_texts t JOIN histories h ON h.id = t.history AND h.version = t.of_version WHERE t.history = ? AND t.text_version = ?').pluck(),
    hadAll: db.prepare<[number], number>('SELECT 1 FROM turn_texts WHERE history = ? AND blocks IS NOT NULL').pluck(),
    block: db.prepare<[number], BlockRecord>('SELECT id, last, bytes, text FROM turn_text_blocks WHERE id = ?'),
    newest: db.prepare<[number, number], BlockRecord>('SELECT id, last, bytes, text FROM turn_text_blocks WHERE id >= ? AND id < ? ORDER BY id DESC LIMIT 1'),
    size: db.prepare<[number, number], number | null>('SELECT SUM(LENGTH(text)) FROM turn_text_blocks WHERE id >= ? AND id < ?').pluck(),
    waiting: db.prepare<[number, number], number>(`
      SELECT history FROM turn_texts JOIN histories h ON h.id = history
      WHERE (blocks IS NULL OR text_version <> ? OR of_version <> h.version) AND not_before_ms <= ? ORDER BY not_before_ms DESC, history LIMIT 1`).pluck(),
    ofNone: db.prepare<[], number>('SELECT history FROM turn_texts WHERE history NOT IN (SELECT id FROM histories)').pluck(),
    wait: db.prepare<[number, number, number]>('INSERT OR REPLACE INTO turn_texts (history, text_version, of_version, not_before_ms, blocks) SELECT id, ?, version, ?, NULL FROM histories WHERE id = ?'),
    begin: db.prepare<[number, number]>('UPDATE turn_texts SET text_version = ?, of_version = (SELECT version FROM histories WHERE id = history), blocks = NULL WHERE history = ?'),
    postpone: db.prepare<[number, number]>('UPDATE turn_texts SET not_before_ms = ? WHERE history = ?'),
    insert: db.prepare<[number, string, number, Buffer]>('INSERT INTO turn_text_blocks (id, last, bytes, text) VALUES (?, ?, ?, ?)'),
    finish: db.prepare<[number, number]>('UPDATE turn_texts SET blocks = ? WHERE history = ? AND of_version = (SELECT version FROM histories WHERE id = history)'),
    forget: db.prepare<[number]>('DELETE FROM turn_texts WHERE history = ?'),
    forgetBlocks: db.prepare<[number, number]>('DELETE FROM turn_text_blocks WHERE id >= ? AND id < ?'),
  };
}

/** Texts of the turns of large histories, kept beside their rows. Whoever reads or writes them is inside a transaction. */
export class TurnTexts implements RowCompanion {
  readonly #nowMs: () => number;
  readonly #run: ReturnType<typeof prepared>;

  constructor(db: Sqlite, nowMs: () => number) {
    this.#nowMs = nowMs;
    this.#run = prepared(db);
  }

  /** How many blocks a history has; undefined while they are not all there, or are not of its rows as they are now. */
  count(history: HistoryId): number | undefined {
    return this.#run.count.get(history, TURN_TEXTS_VERSION) ?? undefined;
  }

  /** One of them. Throws where it says no order. */
  block(history: HistoryId, number: number): TextBlock | undefined {
    const record = this.#run.block.get(rowIdOf(history, number));
    return record && { ...record, last: JSON.parse(record.last) as Order };
  }

  /** A history that has been quiet for long enough, the one that was written to last, whose texts are to be made. */
  waiting(nowMs: number): HistoryId | undefined {
    return this.#run.waiting.get(TURN_TEXTS_VERSION, nowMs);
  }

  /** Lets a history wait for its texts until a time. */
  wait(history: HistoryId, notBeforeMs: number): void {
    this.#run.wait.run(TURN_TEXTS_VERSION, notBeforeMs, history);
  }

  /** The same for one that waits. */
  postpone(history: HistoryId, notBeforeMs: number): void {
    this.#run.postpone.run(notBeforeMs, history);
  }

  /** Begins with the texts of a history, or goes on with those that are of its rows as they are now. */
  begin(history: HistoryId): TextsSoFar {
    if (this.#run.count.get(history, TURN_TEXTS_VERSION) === undefined) {
      this.#run.forgetBlocks.run(...rangeOf(history));
      this.#run.begin.run(TURN_TEXTS_VERSION, history);
    }
    const newest = this.#run.newest.get(...rangeOf(history));
    return newest ? { next: newest.id - rowIdOf(history, 0) + 1, last: JSON.parse(newest.last) as Order, keptBytes: this.#run.size.get(...rangeOf(history)) ?? 0 } : { next: 0, last: undefined, keptBytes: 0 };
  }

  add(history: HistoryId, number: number, { last, bytes, text }: TextBlock): void {
    this.#run.insert.run(rowIdOf(history, number), JSON.stringify(last), bytes, text);
  }

  /** Answers whether they are of the rows as they are now. */
  finish(history: HistoryId, blocks: number): boolean {
    return this.#run.finish.run(blocks, history).changes > 0;
  }

  /** Removes texts of histories that are gone: a program that knows of no texts may have dropped them. */
  tidy(): void {
    for (const history of this.#run.ofNone.all()) this.cleared(history);
  }

  wrote(history: HistoryId, _items: readonly number[], { isWhole, bytes, segments }: HistoryState): void {
    // A thread that goes on when its texts are there is not quiet, whatever time its file shows.
    const sinceMs = this.#run.hadAll.get(history) === undefined ? 0 : this.#nowMs();
    this.cleared(history);
    if (isWhole && bytes >= KEPT_BYTES) this.wait(history, Math.max(sinceMs, segments.at(-1)?.mtimeMs ?? 0) + QUIET_MS);
  }

  cleared(history: HistoryId): void {
    this.#run.forgetBlocks.run(...rangeOf(history));
    this.#run.forget.run(history);
  }
}
