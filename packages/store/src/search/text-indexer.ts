import type { Statement } from 'better-sqlite3';
import type { PieceReader } from '@tapefold/facts';
import { setImmediate } from 'node:timers/promises';
import { Positions } from '../rows/positions.js';
import type { Sqlite } from '../sqlite/database.js';
import type { ItemRecord } from '../sqlite/item-record.js';
import { ITEM_COLUMNS, itemOf } from '../sqlite/row-queries.js';
import { historyOf } from '../sqlite/schema.js';
import type { SqliteStore } from '../sqlite/sqlite-store.js';
import type { HistoryState } from '../thread-store.js';
import { BATCH_CHARS, BATCH_ROWS } from './limits.js';
import { type IndexedTexts, indexedTexts, stampedPieces } from './row-texts.js';
import { TextIndex } from './text-index.js';

/** How far the text of rows is indexed: items that wait. */
export interface TextProgress {
  readonly done: number;
  readonly waiting: number;
}

/** What indexing text tells on its way, and asks between two transactions. */
export interface TextHost {
  readonly onProgress?: ((progress: TextProgress) => void) | undefined;
  readonly isStopped?: (() => boolean) | undefined;
  /** Rows of a transaction, for tests that stop anywhere. */
  readonly batchRows?: number | undefined;
}

/** What rows of a history are read with. */
interface Reading { readonly history: number; readonly positions: Positions; readonly readPiece: PieceReader }

/** Takes items from the queue and indexes their text, some in each transaction. */
class TextIndexer {
  readonly #queued: Statement<[number], number>;
  readonly #item: Statement<[number], ItemRecord>;
  readonly #state: Statement<[number], { state: string }>;
  readonly #done: Statement<[number]>;
  readonly #cut: Statement<[number]>;
  readonly #notCut: Statement<[number]>;
  readonly #text: TextIndex;
  readonly #output: TextIndex;
  #reading: Reading | undefined;

  constructor(db: Sqlite) {
    this.#queued = db.prepare<[number], number>('SELECT id FROM search_queue ORDER BY id LIMIT ?').pluck();
    this.#item = db.prepare<[number], ItemRecord>(`SELECT ${ITEM_COLUMNS} FROM items WHERE id = ?`);
    this.#state = db.prepare<[number], { state: string }>('SELECT state FROM histories WHERE id = ?');
    this.#done = db.prepare<[number]>('DELETE FROM search_queue WHERE id = ?');
    this.#cut = db.prepare<[number]>('INSERT OR IGNORE INTO search_cut (id) VALUES (?)');
    this.#notCut = db.prepare<[number]>('DELETE FROM search_cut WHERE id = ?');
    this.#text = new TextIndex(db, 'search_text');
    this.#output = new TextIndex(db, 'search_output');
  }

  /** One transaction's work, inside of it; answers how many items it took from the queue. */
  batch(rows: number): number {
    this.#reading = undefined;
    let chars = 0;
    let count = 0;
    for (const id of this.#queued.all(rows)) {
      const texts = this.#textsOf(id);
      this.#write(id, texts);
      this.#done.run(id);
      count += 1;
      for (const { text } of [...texts.text, ...texts.output]) chars += text.length;
      if (chars > BATCH_CHARS) break;
    }
    return count;
  }

  #textsOf(id: number): IndexedTexts {
    const record = this.#item.get(id);
    const reading = record && this.#readingOf(historyOf(id));
    return record && reading ? indexedTexts(itemOf(record, reading.positions), reading.readPiece) : { text: [], output: [], isCut: false };
  }

  #readingOf(history: number): Reading | undefined {
    if (this.#reading?.history === history) return this.#reading;
    const record = this.#state.get(history);
    if (!record) return undefined;
    const { head, segments } = JSON.parse(record.state) as HistoryState;
    return (this.#reading = { history, positions: new Positions(head.offsets), readPiece: stampedPieces(segments) });
  }

  #write(id: number, { text, output, isCut }: IndexedTexts): void {
    this.#text.write(id, text);
    this.#output.write(id, output);
    (isCut ? this.#cut : this.#notCut).run(id);
  }
}

/** Items whose text waits to be indexed. */
export function waitingTexts(db: Sqlite): number {
  return db.prepare<[], number>('SELECT COUNT(*) FROM search_queue').pluck().get() ?? 0;
}

/**
 * Indexes the text of every row that was written since the last time. What a transaction took from the queue is in the index, whenever the process dies. Needs the
 * lease. Answers whether all is done. Throws `StoreError`.
 */
export async function indexTexts(store: SqliteStore, { onProgress, isStopped = () => false, batchRows = BATCH_ROWS }: TextHost = {}): Promise<boolean> {
  let waiting = waitingTexts(store.db);
  if (waiting === 0) return true;
  const indexer = new TextIndexer(store.db);
  for (let done = 0; waiting > 0;) {
    if (isStopped()) return false;
    const count = store.writing(() => indexer.batch(batchRows));
    if (count === 0) return true;
    done += count;
    waiting -= count;
    onProgress?.({ done, waiting });
    await setImmediate();
  }
  return waitingTexts(store.db) === 0;
}
