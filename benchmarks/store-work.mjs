// @ts-check
// Measurements of the store alone: indexing of homes, lists of many threads, one very large file.
import { SqliteStore, createStoreSource, createTranscriptReader } from '@tapefold/store';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { fileURLToPath } from 'node:url';
import { Server, initialize } from './codex-server.mjs';
import { bigHome, manyHome, smallThreadsHome } from './homes.mjs';
import { spreadOf } from './rounds.mjs';
/** @import { Indexed } from './index-work.mjs' */

const run = promisify(execFile);
const work = fileURLToPath(new URL('./index-work.mjs', import.meta.url));
const CALLS = 20;

/** Indexes a home into a folder. @param {string} home @param {string} folder @returns {Promise<Indexed>} */
const indexInto = async (home, folder) => JSON.parse((await run(process.execPath, [work, home, folder])).stdout);

/** @template T @param {(folder: string) => Promise<T>} use @returns {Promise<T>} */
async function withFolder(use) {
  const folder = mkdtempSync(join(tmpdir(), 'tapefold-index-'));
  try {
    return await use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Talks with a server over a home and an index as they are. @template T @param {readonly string[]} command @param {{ home: string, folder: string }} where @param {(server: Server, startMs: number) => Promise<T>} talk @returns {Promise<T>} */
async function talk(command, { home, folder }, talk) {
  const start = performance.now();
  const server = new Server(command, home, folder);
  try {
    await initialize(server);
    return await talk(server, performance.now() - start);
  } finally {
    server.child.stdin.end();
    await new Promise((resolve) => server.child.once('close', resolve));
  }
}

/** @param {Server} server @param {string} method @param {object} params */
async function several(server, method, params) {
  const times = [];
  for (let i = 0; i < CALLS; i++) times.push((await server.call(method, params)).ms);
  return spreadOf(times);
}

/** Pages behind the first. @param {Server} server @param {string} method @param {object} params */
async function behind(server, method, params) {
  const times = [];
  let { result } = await server.call(method, params);
  while (times.length < CALLS && result.nextCursor) {
    const page = await server.call(method, { ...params, cursor: result.nextCursor });
    times.push(page.ms);
    ({ result } = page);
  }
  return spreadOf(times);
}

/**
 * Pages of the transcript of a home's only thread, newest first, in this process: the first one after the index was opened, and those behind it.
 * @param {string} home @param {string} folder
 */
async function transcriptPages(home, folder) {
  const store = new SqliteStore(join(folder, 'index.db'), { nowMs: Date.now });
  const source = createStoreSource({ homes: [{ program: 'codex', path: home }], store });
  const reader = createTranscriptReader(source);
  const id = (await source.summary('last')).thread.id;
  const times = [];
  for (let beforeTurn; times.length <= CALLS;) {
    const start = performance.now();
    const page = await reader.transcript(id, { beforeTurn });
    times.push(performance.now() - start);
    const first = page.items.find(({ kind }) => kind === 'turn');
    if (!page.has_more || first?.kind !== 'turn') break;
    beforeTurn = first.turnId;
  }
  await store.close();
  return { firstMs: times[0] ?? NaN, further: spreadOf(times.slice(1)) };
}

/** @param {number} sizeMb @param {number} threads @param {(text: string) => void} tell */
export async function measureIndexing(sizeMb, threads, tell) {
  const many = manyHome(threads);
  const legacy = bigHome('legacy', sizeMb * 1e6);
  const paginated = bigHome('paginated', sizeMb * 1.05e6);
  const name = (/** @type {number} */ bytes) => `${Math.round(bytes / 1e6)} MB`;
  const homes = [
    { name: `one legacy thread, ${name(legacy.bytes)}`, home: legacy.home }, { name: `one paginated thread, ${name(paginated.bytes)}`, home: paginated.home }, { name: `${threads} threads, ${name(many.bytes)}`, home: many.home },
  ];
  const results = [];
  for (const { name: of, home } of homes) {
    const { indexed, transcript } = await withFolder(async (folder) => ({ indexed: await indexInto(home, folder), transcript: home === many.home ? undefined : await transcriptPages(home, folder) }));
    if (transcript) tell(`${of}: transcript, first page ${transcript.firstMs.toFixed(0)} ms, those behind it ${transcript.further.median.toFixed(0)} ms`);
    tell(`${of}: rows ${(indexed.rowsMs / 1e3).toFixed(2)} s, text ${(indexed.textMs / 1e3).toFixed(2)} s, ${Math.round(indexed.rowsPeakBytes / 1e6)} MB peak, database ${((100 * indexed.databaseBytes) / indexed.bytes).toFixed(1)} %`);
    results.push({ name: of, indexed, transcript });
  }
  return results;
}

/** @param {readonly string[]} own @param {number} threads @param {(text: string) => void} tell */
export async function measureList(own, threads, tell) {
  const made = smallThreadsHome(threads);
  tell(`a home with ${made.threads} threads, ${Math.round(made.bytes / 1e6)} MB`);
  return withFolder(async (folder) => {
    const indexed = await indexInto(made.home, folder);
    tell(`indexed: rows ${(indexed.rowsMs / 1e3).toFixed(2)} s, text ${(indexed.textMs / 1e3).toFixed(2)} s`);
    return talk(own, { home: made.home, folder }, async (server) => {
      const first = await server.call('thread/list', {});
      return {
        threads: made.threads, bytes: made.bytes, indexed, firstMs: first.ms, overWire: await several(server, 'thread/list', {}), pages: await behind(server, 'thread/list', {}),
        byChange: await several(server, 'thread/list', { sortKey: 'updated_at' }),
      };
    });
  });
}

/** @param {readonly string[]} own @param {number} gb @param {(text: string) => void} tell */
export async function measureLarge(own, gb, tell) {
  tell(`a thread of ${gb} GB`);
  const { home, id, bytes, turns } = bigHome('legacy', gb * 1e9);
  const small = bigHome('legacy', 10e6);
  const newest = (/** @type {{ home: string, id: string }} */ of) => withFolder((folder) => talk([...own, '--no-index'], { home: of.home, folder }, async (server, startMs) => {
    const first = await server.call('thread/turns/list', { threadId: of.id });
    const again = await server.call('thread/turns/list', { threadId: of.id });
    const older = await server.call('thread/turns/list', { threadId: of.id, cursor: first.result.nextCursor });
    return { startMs, newestMs: first.ms, againMs: again.ms, olderMs: older.ms };
  }));
  const opened = await newest({ home, id });
  const { newestMs: smallMs } = await newest(small);
  tell(`newest page ${opened.newestMs.toFixed(0)} ms; of a small one ${smallMs.toFixed(0)} ms`);
  return withFolder(async (folder) => {
    const indexed = await indexInto(home, folder);
    const pages = await talk(own, { home, folder }, (server) => several(server, 'thread/items/list', { threadId: id }));
    return { bytes, turns, ...opened, smallMs, indexed, pages };
  });
}
