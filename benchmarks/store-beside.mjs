// @ts-check
// The store beside the original program, over copies of the same home in the same run: how soon a large thread is ready, and what its answers take from then on.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { cpuMsOf, originalServer, peakOf, talkOver } from './codex-server.mjs';
import { spreadOf } from './rounds.mjs';
/** @import { HistoryMode } from '../testing/big-home/rollout-file.mjs' */
/** @import { Server } from './codex-server.mjs' */

/** How long something took: for who waited, and of the CPU, of all threads of the process. @typedef {{ ms: number, cpuMs: number }} Took */

/**
 * What one program took; absent where it has no such thing. `start`: until `initialize` is answered; `newest`: the newest page of turns at once behind that, `newestAlone`: the same of a start that makes no index; `rows`: until any page of the
 * thread is answered from an index (the original: the call in which it makes its rows); `untilRows`: the same from the start of the process on; `early`: pages of items and turns from the beginning of the thread, right then; `written`: until the last row of it
 * stands in the database, from the answer to `initialize` on. `readRows`: the whole thread where it was written to just now, so that its turns are not kept as text (the original keeps none: `read`). The rest when nothing else goes on in the process.
 * @typedef {object} StoreTimes
 * @property {Took} start @property {Took} [newest] @property {Took} [newestAlone] @property {Took} [rows] @property {Took} [untilRows] @property {Took} [early] @property {Took} [written] @property {Took} [itemsFirst] @property {Took} [items] @property {Took} [itemsFurther]
 * @property {Took} turns @property {Took} read @property {Took} readAgain @property {Took} readRows @property {number} [databaseBytes] @property {number} readBytes @property {number} rowsPeakBytes @property {number} [writtenPeakBytes] @property {number} peakBytes
 */
/** @typedef {{ original: StoreTimes, own: StoreTimes }} StoreRound */

/** The library that the store is written with. */
const Database = createRequire(new URL('../packages/store/package.json', import.meta.url))('better-sqlite3');

/** Warm pages that are taken. */
const PAGES = 20;
/** How long between two looks whether the rows are there. */
const LOOK_MS = 25;
/** Nothing goes on in a process that takes less of the CPU in such a while. */
const QUIET_MS = 500;
const QUIET_CPU_MS = 10;

const pause = (/** @type {number} */ ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Waits until a program has done what it does beside its answers. @param {Server} server */
async function untilQuiet(server) {
  for (let before = cpuMsOf(server.child.pid); ;) {
    await pause(QUIET_MS);
    const now = cpuMsOf(server.child.pid);
    if (now - before < QUIET_CPU_MS) return;
    before = now;
  }
}

/** @template T @param {Server} server @param {() => Promise<T>} act @returns {Promise<{ took: Took, done: T }>} */
async function timed(server, act) {
  const from = { ms: performance.now(), cpuMs: cpuMsOf(server.child.pid) };
  const done = await act();
  return { done, took: { ms: performance.now() - from.ms, cpuMs: cpuMsOf(server.child.pid) - from.cpuMs } };
}

/** One call. Its time ends with the last byte of the answer. @param {Server} server @param {string} method @param {object} params */
async function call(server, method, params) {
  const { done, took: { cpuMs } } = await timed(server, () => server.call(method, params));
  return { took: { ms: done.ms, cpuMs }, result: done.result, bytes: done.bytes };
}

/** Several calls: the median time, the mean CPU, whose clock has steps. @param {readonly Took[]} several @returns {Took} */
const ofSeveral = (several) => ({ ms: spreadOf(several.map(({ ms }) => ms)).median, cpuMs: several.reduce((sum, { cpuMs }) => sum + cpuMs, 0) / several.length });

/** @param {Server} server @param {string} method @param {object} params */
async function warm(server, method, params) {
  const several = [];
  while (several.length < PAGES) several.push((await call(server, method, params)).took);
  return ofSeveral(several);
}

/** Pages that were not asked for before, of items and turns, from the oldest on. @param {Server} server @param {string} threadId */
async function earlyPages(server, threadId) {
  const several = [];
  for (const method of ['thread/items/list', 'thread/turns/list']) {
    for (let cursor = null, left = PAGES / 2; left > 0; left--) {
      const page = await call(server, method, { threadId, cursor, sortDirection: 'asc' });
      several.push(page.took);
      cursor = page.result.nextCursor;
      if (cursor === null) break;
    }
  }
  return ofSeveral(several);
}

/** What a query says of the database. @param {Server} server @param {string} query @returns {number} */
function inDatabase(server, query) {
  const db = new Database(join(server.state, 'index.db'), { readonly: true });
  try {
    return db.prepare(query).pluck().get();
  } finally {
    db.close();
  }
}

/** Whether all of the one history's rows are there. @param {Server} server */
const isWritten = (server) => inDatabase(server, "SELECT count(*) FROM histories WHERE json_extract(state, '$.isWhole') = 1") === 1;

/** Bytes of the database, those of its log that are still to go there too. @param {Server} server */
const databaseBytes = (server) => inDatabase(server, 'SELECT page_count * page_size FROM pragma_page_count, pragma_page_size');

/** Pages of items, cold, warm and the ones behind. @param {Server} server @param {string} threadId */
async function itemPages(server, threadId) {
  const first = await call(server, 'thread/items/list', { threadId });
  const items = await warm(server, 'thread/items/list', { threadId });
  const further = [];
  for (let cursor = first.result.nextCursor; cursor && further.length < PAGES;) {
    const page = await call(server, 'thread/items/list', { threadId, cursor });
    further.push(page.took);
    cursor = page.result.nextCursor;
  }
  return { itemsFirst: first.took, items, itemsFurther: ofSeveral(further) };
}

/** The whole thread, twice. @param {Server} server @param {string} threadId */
async function wholeReads(server, threadId) {
  const first = await call(server, 'thread/read', { threadId, includeTurns: true });
  const again = await call(server, 'thread/read', { threadId, includeTurns: true });
  return { read: first.took, readAgain: again.took, readRows: first.took, readBytes: first.bytes, peakBytes: peakOf(server.child.pid) };
}

/** @param {Took} a @param {Took} b @returns {Took} */
const sum = (a, b) => ({ ms: a.ms + b.ms, cpuMs: a.cpuMs + b.cpuMs });

/** @param {string} codex @param {HistoryMode} mode @param {{ home: string, id: string }} thread @returns {Promise<StoreTimes>} */
const throughOriginal = (codex, mode, { home, id }) => talkOver(originalServer(codex), home, async (server, startMs) => {
  const start = { ms: startMs, cpuMs: cpuMsOf(server.child.pid) };
  if (mode === 'legacy') {
    const newest = (await call(server, 'thread/turns/list', { threadId: id })).took;
    const newestAlone = newest;
    const turns = (await call(server, 'thread/turns/list', { threadId: id })).took;
    return { start, newest, newestAlone, turns, rowsPeakBytes: peakOf(server.child.pid), ...await wholeReads(server, id) };
  }
  // A paginated thread without rows answers empty: its rows are made when it is resumed.
  const rows = (await call(server, 'thread/resume', { threadId: id, excludeTurns: true })).took;
  const rowsPeakBytes = peakOf(server.child.pid);
  await untilQuiet(server);
  return { start, rows, untilRows: sum(start, rows), ...await itemPages(server, id), turns: await warm(server, 'thread/turns/list', { threadId: id }), rowsPeakBytes, ...await wholeReads(server, id) };
});

/** @param {readonly string[]} command @param {{ home: string, id: string }} thread */
const withoutIndex = (command, { home, id }) => talkOver([...command, '--no-index'], home, async (server) => (await call(server, 'thread/turns/list', { threadId: id })).took);

/** @param {readonly string[]} command @param {{ home: string, id: string }} thread */
const fromRows = (command, { home, id }) => talkOver(command, { justWritten: home }, async (server) => {
  await pause(QUIET_MS);
  while (!isWritten(server)) await pause(LOOK_MS);
  await untilQuiet(server);
  return (await call(server, 'thread/read', { threadId: id, includeTurns: true })).took;
});

/** @param {readonly string[]} command @param {{ home: string, id: string }} thread @returns {Promise<StoreTimes>} */
const throughOwn = async (command, thread) => ({ ...await withIndex(command, thread), newestAlone: await withoutIndex(command, thread), readRows: await fromRows(command, thread) });

/** @param {readonly string[]} command @param {{ home: string, id: string }} thread @returns {Promise<StoreTimes>} */
const withIndex = (command, { home, id }) => talkOver(command, home, async (server, startMs) => {
  const start = { ms: startMs, cpuMs: cpuMsOf(server.child.pid) };
  const { done: { newest, rows, early, rowsPeakBytes }, took: written } = await timed(server, async () => {
    const { done, took } = await timed(server, async () => {
      const first = await call(server, 'thread/turns/list', { threadId: id });
      for (let { result } = first; result.notYetIndexed; ({ result } = await call(server, 'thread/turns/list', { threadId: id, limit: 1 }))) await pause(LOOK_MS);
      return first.took;
    });
    const peakBytes = peakOf(server.child.pid);
    const pages = await earlyPages(server, id);
    while (!isWritten(server)) await pause(LOOK_MS);
    return { newest: done, rows: took, early: pages, rowsPeakBytes: peakBytes };
  });
  const writtenPeakBytes = peakOf(server.child.pid);
  await untilQuiet(server);
  return { start, newest, rows, untilRows: sum(start, rows), early, written, writtenPeakBytes, ...await itemPages(server, id), turns: await warm(server, 'thread/turns/list', { threadId: id }), rowsPeakBytes, ...await wholeReads(server, id), databaseBytes: databaseBytes(server) };
});

/** @param {string} name @param {unknown} value */
const told = (name, value) => (typeof value === 'number' ? `${name} ${Math.round(value / 1e6)} MB` : `${name} ${Number(/** @type {Took} */ (value).ms).toFixed(0)}/${/** @type {Took} */ (value).cpuMs.toFixed(0)}`);

/**
 * Both programs over copies of one home, in turns.
 * @param {string} codex @param {readonly string[]} own @param {{ mode: HistoryMode, home: string, id: string, rounds: number, tell: (text: string) => void }} what @returns {Promise<StoreRound[]>}
 */
export async function storeInTurns(codex, own, { mode, rounds, tell, ...thread }) {
  const results = [];
  for (let round = 0; round < rounds; round++) {
    const measured = { own: await throughOwn(own, thread), original: await throughOriginal(codex, mode, thread) };
    results.push(measured);
    for (const [name, times] of Object.entries(measured)) tell(`${mode} round ${round + 1}/${rounds} ${name}, ms/CPU ms: ${Object.entries(times).map(([key, value]) => told(key, value)).join(', ')}`);
  }
  return results;
}
