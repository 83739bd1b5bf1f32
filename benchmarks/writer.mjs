// @ts-check
// What writing costs: appends to a native tape beside a bare loop of writes of the same bytes, and barriers beside a bare loop of syncs, in one process
// that takes turns, so that a noisy minute favours none. Alone: `node benchmarks/writer.mjs [FOLDER]` prints one line of JSON.
import { openTapeWriter } from '@tapefold/tapes';
import { Buffer } from 'node:buffer';
import { closeSync, fdatasyncSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { spreadOf } from './rounds.mjs';
/** @import { Goal } from './goals.mjs' */
/** @import { Spread } from './rounds.mjs' */

/** Appends per round: enough to take tens of milliseconds. */
const APPENDS = 20_000;
/** Barriers of one caller per round. */
const BARRIERS = 50;
/** Callers that wait for barriers on one tape at the same time. */
export const CALLERS = 64;

/** A message of usual length. @param {number} i @returns {import('@tapefold/facts').FactDraft} */
const fact = (i) => ({
  type: 'item.completed', at: '2026-01-01T00:00:00.000Z', turn: 'native/01990000-0000-7000-8000-000000000000#3', id: `t0.1.f${i}`, visibility: 'shown', isAdded: false,
  body: { kind: 'agentMessage', text: 'The tests pass now; what failed was the clock that they read. '.repeat(4) },
});

/** Ready before it is measured: what a fact says costs its agent, not its writer. */
const drafts = Array.from({ length: 64 }, (_, i) => fact(i));
const draft = (/** @type {number} */ i) => drafts[i % drafts.length] ?? fact(i);

/** Calls per second of CPU time: a machine that does other things at the same time takes longer, and not more. @param {number} count @param {() => void} work */
function cpuRate(count, work) {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (count * 1e6) / (user + system);
}

/** Calls per second. @param {number} count @param {() => unknown} work */
async function rate(count, work) {
  const start = performance.now();
  await work();
  return (count * 1000) / (performance.now() - start);
}

/** @param {import('@tapefold/tapes').TapeWriter} writer @param {number} callers */
const barriersOf = (writer, callers) => Promise.all(Array.from({ length: callers }, async () => {
  for (let i = 0; i < BARRIERS; i++) {
    writer.append(fact(i));
    await writer.barrier();
  }
}));

/** Facts that are appended at once: a recorder writes what belongs together in one go, an input or a call with its entry of the model's history. */
export const GROUP = 4;

/** @typedef {'bareWrites' | 'encodedWrites' | 'appends' | 'groups' | 'bareSyncs' | 'barriers' | 'barriersTogether'} Measure */
/** Per second: facts (of CPU time) and barriers (of wall time); ratios are of the same round. @typedef {{ rates: Record<Measure, Spread>, ratio: (own: Measure, base: Measure) => Spread, lineBytes: number }} WriterResult */

/** @param {string} folder on the disk to be measured @param {number} rounds @returns {Promise<WriterResult>} */
export async function measureWriter(folder, rounds) {
  const writer = await openTapeWriter(join(folder, 'tape'), { tape: 'native/bench' });
  const line = Buffer.from(`${JSON.stringify({ ordinal: 10_000, ...draft(0) })}\n`);
  const fd = openSync(join(folder, 'bare'), 'a');
  /** @type {Record<Measure, number[]>} */
  const rates = { bareWrites: [], encodedWrites: [], appends: [], groups: [], bareSyncs: [], barriers: [], barriersTogether: [] };
  const loops = {
    bareWrites: () => { for (let i = 0; i < APPENDS; i++) writeSync(fd, line); },
    encodedWrites: () => { for (let i = 0; i < APPENDS; i++) writeSync(fd, `${JSON.stringify(draft(i))}\n`); },
    appends: () => { for (let i = 0; i < APPENDS; i++) writer.append(draft(i)); },
    groups: () => { for (let i = 0; i < APPENDS; i += GROUP) writer.appendAll([draft(i), draft(i + 1), draft(i + 2), draft(i + 3)]); },
  };
  const names = /** @type {(keyof typeof loops)[]} */ (Object.keys(loops));
  const bareSyncs = () => { for (let i = 0; i < BARRIERS; i++) { writeSync(fd, line); fdatasyncSync(fd); } };
  // Once unmeasured: Node compiles them.
  for (const name of names) loops[name]();
  for (let round = 0; round < rounds; round++) {
    for (let i = 0; i < names.length; i++) {
      const name = names[(i + round) % names.length] ?? 'bareWrites';
      rates[name].push(cpuRate(APPENDS, loops[name]));
    }
    fdatasyncSync(fd);
    await writer.barrier();
    rates.bareSyncs.push(await rate(BARRIERS, bareSyncs));
    rates.barriers.push(await rate(BARRIERS, () => barriersOf(writer, 1)));
    rates.barriersTogether.push(await rate(BARRIERS * CALLERS, () => barriersOf(writer, CALLERS)));
  }
  closeSync(fd);
  await writer.close();
  return {
    rates: /** @type {WriterResult['rates']} */ (Object.fromEntries(Object.entries(rates).map(([name, values]) => [name, spreadOf(values)]))), lineBytes: line.length,
    ratio: (own, base) => spreadOf(rates[own].map((value, round) => value / Number(rates[base][round]))),
  };
}

/** What is asked of a writer. @param {WriterResult} result @returns {Goal[]} */
export function writerGoals({ ratio }) {
  const [alone, together] = [ratio('appends', 'bareWrites').median, ratio('barriersTogether', 'barriers').median];
  return [
    { asked: 'facts appended one by one, without barriers, at half of the rate of the bare loop or better', measured: alone.toFixed(2), isMet: alone >= 0.5 },
    { asked: `${CALLERS} callers that await barriers on one tape at 10 times the rate of one or better`, measured: `${together.toFixed(1)} times`, isMet: together >= 10 },
  ];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const folder = mkdtempSync(join(process.argv[2] ?? tmpdir(), 'tapefold-writer-'));
  const result = await measureWriter(folder, 5);
  console.log(JSON.stringify({ ...result, ratios: { appends: result.ratio('appends', 'bareWrites'), groups: result.ratio('groups', 'bareWrites'), together: result.ratio('barriersTogether', 'barriers') } }));
  rmSync(folder, { recursive: true, force: true });
}
