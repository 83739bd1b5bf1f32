// @ts-check
// A store made for a measurement of search, and what lies in it.
import { SqliteStore, createRowSearch, indexTexts, startIndexing } from '@tapefold/store';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
/** @import { HomeRef } from '@tapefold/store' */

export { createRowSearch, indexTexts };

/** @param {SqliteStore} store @param {string} table */
const bytesOf = (store, table) => Number(store.db.prepare(`SELECT COALESCE((SELECT SUM(LENGTH(block)) FROM ${table}_data), 0) + COALESCE((SELECT SUM(LENGTH(sz)) + 12 * COUNT(*) FROM ${table}_docsize), 0)`).pluck().get());

/** Rows that are taken at a time. */
const STEP = 2_000;

/** The items once more, as another tokenizer would take them. @param {SqliteStore} store @param {string} options */
function otherwise(store, options) {
  store.db.exec(`CREATE VIRTUAL TABLE temp.other USING fts5(text, content='', contentless_delete=1, ${options})`);
  const insert = store.db.prepare('INSERT INTO temp.other (rowid, text) VALUES (?, ?)');
  const next = store.db.prepare(`SELECT id, body FROM items WHERE id > ? ORDER BY id LIMIT ${STEP}`);
  store.db.transaction(() => {
    for (let last = 0; ;) {
      const rows = /** @type {{ id: number, body: string }[]} */ (next.all(last));
      for (const { id, body } of rows) insert.run(id, body);
      if (rows.length < STEP) return;
      last = rows.at(-1)?.id ?? 0;
    }
  })();
  const bytes = Number(store.db.prepare('SELECT (SELECT SUM(LENGTH(block)) FROM temp.other_data) + (SELECT SUM(LENGTH(sz)) FROM temp.other_docsize)').pluck().get());
  store.db.exec('DROP TABLE temp.other');
  return bytes;
}

/** @param {string} home */
export async function indexHomesOnce(home) {
  const path = mkdtempSync(join(tmpdir(), 'tapefold-search-'));
  const file = join(path, 'index.db');
  /** @type {HomeRef[]} */
  const homes = [{ program: 'codex', path: home }];
  const started = performance.now();
  let rowsMs = 0;
  // The worker goes on to the text: that is measured anew here, in one go.
  const indexing = startIndexing({ path: file, homes, isWatching: false, isFresh: false }, { onPass: () => { rowsMs = performance.now() - started; indexing.stop(); } });
  await indexing.done;
  const store = new SqliteStore(file, { nowMs: Date.now });
  await store.acquire();
  store.db.exec('DELETE FROM search_text; DELETE FROM search_output; DELETE FROM search_queue; VACUUM');
  store.db.pragma('wal_checkpoint(TRUNCATE)');
  const rowsBytes = statSync(file).size;
  store.db.exec('INSERT INTO search_queue SELECT id FROM items');
  return {
    store, homes, rowsMs, rowsBytes,
    folder: {
      sizes: (/** @type {SqliteStore} */ of) => ({
        text: bytesOf(of, 'search_text'), output: bytesOf(of, 'search_output'), full: otherwise(of, "detail=full, tokenize='trigram'"), words: otherwise(of, "detail=none, tokenize='unicode61'"),
      }),
      close: async (/** @type {SqliteStore} */ of) => {
        await of.release();
        await of.close();
        rmSync(path, { recursive: true, force: true });
      },
    },
  };
}
