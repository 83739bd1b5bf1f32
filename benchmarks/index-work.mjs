// @ts-check
// Indexes a home in a fresh process, as `tapefold index` does: `node index-work.mjs HOME FOLDER` prints one line of JSON and leaves the index in the folder.
import { SqliteStore, startIndexing } from '@tapefold/store';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { peakBytes } from './peak-memory.mjs';

/**
 * What indexing came to. `rowsMs`: until rows of everything answer; `textMs`: from then until the text of all of it is searched. Bytes of the database's pages: with all, of the rows,
 * and of the index of text (what was said and done; what tools put out). Peaks: of the process, when the rows were there, and at the end.
 * @typedef {object} Indexed
 * @property {number} threads @property {number} bytes @property {number} rowsMs @property {number} rowsCpuMs @property {number} textMs @property {number} textCpuMs @property {number} rowsPeakBytes @property {number} peakBytes
 * @property {number} databaseBytes @property {number} rowsBytes @property {number} textBytes @property {number} outputBytes
 */

const [home = '', folder = ''] = process.argv.slice(2);
const path = join(folder, 'index.db');
const cpuMs = () => { const { user, system } = process.cpuUsage(); return (user + system) / 1_000; };

const start = { ms: performance.now(), cpuMs: cpuMs() };
/** @type {{ ms: number, cpuMs: number, threads: number, bytes: number, peak: number } | undefined} */
let rows;
await startIndexing({ path, homes: [{ program: 'codex', path: home }], isWatching: false, isFresh: false }, {
  onPass: ({ threads, bytes }) => { rows = { ms: performance.now(), cpuMs: cpuMs(), threads, bytes, peak: peakBytes() }; },
}).done;
const end = { ms: performance.now(), cpuMs: cpuMs(), peak: peakBytes() };
if (!rows) throw new Error('another process indexes');

const store = new SqliteStore(path, { nowMs: Date.now });
store.db.pragma('wal_checkpoint(TRUNCATE)');
const pages = /** @type {{ name: string, bytes: number }[]} */ (store.db.prepare('SELECT name, SUM(pgsize) AS bytes FROM dbstat GROUP BY name').all());
const bytesOf = (/** @type {string} */ prefix) => pages.filter(({ name }) => name.startsWith(prefix)).reduce((sum, { bytes }) => sum + bytes, 0);
const [textBytes, outputBytes] = [bytesOf('search_text'), bytesOf('search_output')];
await store.close();
/** @type {Indexed} */
const indexed = {
  threads: rows.threads, bytes: rows.bytes, rowsMs: rows.ms - start.ms, rowsCpuMs: rows.cpuMs - start.cpuMs, textMs: end.ms - rows.ms, textCpuMs: end.cpuMs - rows.cpuMs, rowsPeakBytes: rows.peak, peakBytes: end.peak,
  databaseBytes: statSync(path).size, rowsBytes: bytesOf('') - textBytes - outputBytes, textBytes, outputBytes,
};
process.stdout.write(`${JSON.stringify(indexed)}\n`);
