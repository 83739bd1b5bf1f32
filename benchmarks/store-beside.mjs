// @ts-check
// The store beside the original program, over copies of the same home in the same run: how soon a large thread is ready, and what its answers take from then on.
import { originalServer, peakOf, talkOver } from './codex-server.mjs';
import { spreadOf } from './rounds.mjs';
/** @import { HistoryMode } from '../testing/big-home/rollout-file.mjs' */
/** @import { Server } from './codex-server.mjs' */

/**
 * Times of one program, in ms, from the start of its process (`startMs`, `readyMs`) or of the call; NaN where the program has none. `newestMs`: the newest page of turns at once after the start;
 * `projectionMs`: the call in which the original makes its rows; `readyMs`: when rows of all of the thread answer. The rest with rows, where the program has them.
 * @typedef {object} StoreTimes
 * @property {number} startMs @property {number} newestMs @property {number} projectionMs @property {number} readyMs @property {number} itemsFirstMs @property {number} itemsMs @property {number} itemsFurtherMs
 * @property {number} turnsMs @property {number} readMs @property {number} readAgainMs @property {number} readBytes @property {number} indexPeakBytes @property {number} peakBytes
 */
/** @typedef {{ original: StoreTimes, own: StoreTimes }} StoreRound */

/** Warm pages of which the median is taken. */
const PAGES = 9;
/** How long between two looks whether the rows are there. */
const LOOK_MS = 25;

/** @param {Server} server @param {string} method @param {object} params */
async function warm(server, method, params) {
  const times = [];
  for (let i = 0; i < PAGES; i++) times.push((await server.call(method, params)).ms);
  return spreadOf(times).median;
}

/** Pages of items, cold, warm and the ones behind. @param {Server} server @param {string} threadId */
async function itemPages(server, threadId) {
  const first = await server.call('thread/items/list', { threadId });
  const itemsMs = await warm(server, 'thread/items/list', { threadId });
  const further = [];
  for (let cursor = first.result.nextCursor; cursor && further.length < PAGES;) {
    const page = await server.call('thread/items/list', { threadId, cursor });
    further.push(page.ms);
    cursor = page.result.nextCursor;
  }
  return { itemsFirstMs: first.ms, itemsMs, itemsFurtherMs: spreadOf(further).median };
}

/** The whole thread, twice. @param {Server} server @param {string} threadId */
async function wholeReads(server, threadId) {
  const first = await server.call('thread/read', { threadId, includeTurns: true });
  const again = await server.call('thread/read', { threadId, includeTurns: true });
  return { readMs: first.ms, readAgainMs: again.ms, readBytes: first.bytes };
}

const noItems = { itemsFirstMs: NaN, itemsMs: NaN, itemsFurtherMs: NaN };

/** @param {string} codex @param {HistoryMode} mode @param {{ home: string, id: string }} thread @returns {Promise<StoreTimes>} */
const throughOriginal = (codex, mode, { home, id }) => talkOver(originalServer(codex), home, async (server, startMs) => {
  const newestMs = mode === 'legacy' ? (await server.call('thread/turns/list', { threadId: id })).ms : NaN;
  // A paginated thread without rows answers empty: its rows are made when it is resumed.
  const projectionMs = mode === 'paginated' ? (await server.call('thread/resume', { threadId: id, excludeTurns: true })).ms : NaN;
  const pages = mode === 'paginated' ? await itemPages(server, id) : noItems;
  const turnsMs = mode === 'paginated' ? await warm(server, 'thread/turns/list', { threadId: id }) : (await server.call('thread/turns/list', { threadId: id })).ms;
  const indexPeakBytes = peakOf(server.child.pid);
  return { startMs, newestMs, projectionMs, readyMs: startMs + projectionMs, ...pages, turnsMs, ...await wholeReads(server, id), indexPeakBytes, peakBytes: peakOf(server.child.pid) };
});

/** @param {readonly string[]} command @param {{ home: string, id: string }} thread @returns {Promise<StoreTimes>} */
const throughOwn = (command, { home, id }) => talkOver(command, home, async (server, startMs) => {
  const started = performance.now() - startMs;
  const newest = await server.call('thread/turns/list', { threadId: id });
  let { result } = newest;
  while (result.notYetIndexed) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    ({ result } = await server.call('thread/turns/list', { threadId: id, limit: 1 }));
  }
  const readyMs = performance.now() - started;
  const indexPeakBytes = peakOf(server.child.pid);
  const pages = await itemPages(server, id);
  const turnsMs = await warm(server, 'thread/turns/list', { threadId: id });
  return { startMs, newestMs: newest.ms, projectionMs: NaN, readyMs, ...pages, turnsMs, ...await wholeReads(server, id), indexPeakBytes, peakBytes: peakOf(server.child.pid) };
});

/**
 * Both programs over copies of one home, in turns.
 * @param {string} codex @param {readonly string[]} own @param {{ mode: HistoryMode, home: string, id: string, rounds: number, tell: (text: string) => void }} what @returns {Promise<StoreRound[]>}
 */
export async function storeInTurns(codex, own, { mode, rounds, tell, ...thread }) {
  const results = [];
  for (let round = 0; round < rounds; round++) {
    const measured = { own: await throughOwn(own, thread), original: await throughOriginal(codex, mode, thread) };
    results.push(measured);
    for (const [name, times] of Object.entries(measured)) tell(`${mode} round ${round + 1}/${rounds} ${name}: ${Object.entries(times).map(([key, value]) => `${key} ${key.endsWith('Bytes') ? `${Math.round(value / 1e6)} MB` : value.toFixed(0)}`).join(', ')}`);
  }
  return results;
}
