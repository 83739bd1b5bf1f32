// @ts-check
// What following costs: a line that another process writes until a client has the operation; a thousand readers of one session beside a bare broadcast of the same bytes;
// and bytes on the wire for each byte of text.
import { fork, spawn } from 'node:child_process';
import { appendFileSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { WebSocket } from 'ws';
import { THREAD } from './live-server.mjs';
import { spreadOf } from './rounds.mjs';
/** @import { ChildProcess } from 'node:child_process' */
/** @import { Spread } from './rounds.mjs' */

const here = fileURLToPath(new URL('.', import.meta.url));
const SOCKET_PATH = '/api/v1/ws';
/** A token of usual length. */
const TOKEN = 'word';

/** @typedef {{ cpuMs: number, wallMs: number, peakBytes: number, rssBytes: number }} Served */
/** @typedef {{ frames: number, bytes: number, first: { atMs: number, text: string }[] }} Read */
/** @typedef {{ tapefold: Served & { frames: number }, bare: Served & { frames: number }, bytes: number }} Broadcast */
/** @typedef {{ name: string, isCompressed: boolean, textBytes: number, wireBytes: number, frames: number, cpuMs: number }} Wire */
/** @typedef {{ latencyMs: Spread, latencyMost: number, lines: number, broadcasts: Broadcast[], wires: Wire[], clients: number, seconds: number }} LiveResult */

/** The next message of a child that has this field. @param {ChildProcess} child @param {string} field @returns {Promise<any>} */
const told = (child, field) => new Promise((resolve, reject) => {
  const listen = (/** @type {unknown} */ message) => {
    if (typeof message !== 'object' || message === null || !(field in message)) return;
    child.off('message', listen);
    resolve(message);
  };
  child.on('message', listen);
  child.once('exit', (code) => reject(new Error(`a process of the benchmark ended with ${code}`)));
});

/** @param {string} kind @param {string} folder */
async function server(kind, folder) {
  const child = fork(join(here, 'live-server.mjs'), [kind, folder], { serialization: 'advanced' });
  const { port } = await told(child, 'port');
  return { child, port };
}

/** @param {number} port @param {{ clients: number, path?: string, session?: string, isCompressed?: boolean }} how */
async function readers(port, { clients, path = '/', session = '', isCompressed = false }) {
  const child = fork(join(here, 'live-readers.mjs'), [String(port), String(clients), path, isCompressed ? '1' : '0', session], { serialization: 'advanced' });
  await told(child, 'ready');
  return child;
}

/** One run: all readers listen while the server does as it is told. @param {{ child: ChildProcess, port: number }} on @param {ChildProcess} listening @param {object} order @returns {Promise<Served & Read>} */
async function run(on, listening, order) {
  const begun = told(listening, 'begun');
  listening.send('begin');
  await begun;
  const done = told(on.child, 'done');
  on.child.send(order);
  const served = await done;
  const read = told(listening, 'first');
  listening.send('report');
  return { ...served, ...(await read) };
}

/** @param {string} folder @param {{ clients: number, seconds: number }} how @returns {Promise<Broadcast>} */
async function broadcast(folder, { clients, seconds }) {
  const ours = await server('tapefold', folder);
  const ourReaders = await readers(ours.port, { clients, path: SOCKET_PATH, session: THREAD });
  const own = await run(ours, ourReaders, { tokens: 100 * seconds, perSecond: 100, text: TOKEN });
  for (const child of [ours.child, ourReaders]) child.kill();
  const plain = await server('bare', '');
  const plainReaders = await readers(plain.port, { clients });
  const bare = await run(plain, plainReaders, { frames: own.first });
  for (const child of [plain.child, plainReaders]) child.kill();
  return { tapefold: own, bare, bytes: own.bytes };
}

/** @param {string} folder @param {{ name: string, tokens: number, perSecond: number, isCompressed: boolean }} how @returns {Promise<Wire>} */
async function wire(folder, { name, tokens, perSecond, isCompressed }) {
  const ours = await server('tapefold', folder);
  const reader = await readers(ours.port, { clients: 1, path: SOCKET_PATH, session: THREAD, isCompressed });
  const { bytes, frames, cpuMs } = await run(ours, reader, { tokens, perSecond, text: TOKEN });
  for (const child of [ours.child, reader]) child.kill();
  return { name, isCompressed, textBytes: tokens * (TOKEN.length + 2), wireBytes: bytes, frames, cpuMs };
}

/** Until a client of `main serve` has what this process appends to a session file, ms. @param {string} folder @param {{ main: string, samples: string, lines: number }} how */
async function latencies(folder, { main, samples, lines }) {
  const home = join(folder, 'codex');
  cpSync(samples, home, { recursive: true });
  const id = '01a22b99-774f-7000-8000-00000000be4d';
  const path = join(home, 'sessions', '2026', '01', '02', `rollout-2026-01-02T00-00-00-${id}.jsonl`);
  const record = (/** @type {string} */ type, /** @type {object} */ payload) => `${JSON.stringify({ timestamp: new Date().toISOString(), type, payload })}\n`;
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, record('session_meta', { id, timestamp: new Date().toISOString(), cwd: '/w', originator: 'bench', cli_version: '0.171.0', source: 'cli' }) + record('event_msg', { type: 'user_message', message: 'go', images: [] }));
  const child = spawn(process.execPath, [main, 'serve', '--listen', 'http://127.0.0.1:0', '--no-auth', '--home', `codex=${home}`], { env: { ...process.env, TAPEFOLD_HOME: join(folder, 'state') }, stdio: ['pipe', 'ignore', 'pipe'] });
  try {
    const port = await new Promise((resolve, reject) => {
      child.stderr.on('data', (data) => { const at = /http:\/\/127\.0\.0\.1:(\d+)/.exec(String(data)); if (at) resolve(at[1]); });
      child.once('exit', () => reject(new Error('serve ended')));
    });
    const socket = new WebSocket(`ws://127.0.0.1:${port}${SOCKET_PATH}`);
    /** @type {(text: string) => void} */
    let take = () => undefined;
    socket.on('message', (/** @type {Buffer} */ data) => take(data.toString('utf8')));
    const until = (/** @type {string} */ part) => new Promise((resolve) => { take = (text) => { if (text.includes(part)) resolve(undefined); }; });
    await new Promise((resolve) => { socket.on('open', resolve); });
    const acked = until('"type":"ack"');
    socket.send(JSON.stringify({ type: 'subscribe_v2', id: 's', payload: { session_id: id, transcript: { '*': 'delta' } } }));
    await acked;
    const times = [];
    for (let i = 0; i < lines; i++) {
      const mark = `line number ${i} of the benchmark`;
      const seen = until(mark);
      const start = performance.now();
      appendFileSync(path, record('event_msg', { type: 'agent_message', message: mark }));
      await seen;
      times.push(performance.now() - start);
      await new Promise((resolve) => { setTimeout(resolve, 40); });
    }
    socket.close();
    return times;
  } finally {
    child.kill();
  }
}

/** @param {{ main: string, samples: string, rounds: number, clients?: number, seconds?: number, tell: (text: string) => void }} how @returns {Promise<LiveResult>} */
export async function measureLive({ main, samples, rounds, clients = 1_000, seconds = 10, tell }) {
  const folder = mkdtempSync(join(process.env['TAPEFOLD_BENCH_DIR'] ?? tmpdir(), 'tapefold-live-'));
  let count = 0;
  const fresh = () => mkdtempSync(join(folder, `${(count += 1)}-`));
  try {
    const times = await latencies(fresh(), { main, samples, lines: 100 });
    tell(`a line until its operation: ${spreadOf(times).median.toFixed(1)} ms`);
    /** @type {Broadcast[]} */
    const broadcasts = [];
    for (let round = 0; round < rounds; round++) {
      const one = await broadcast(fresh(), { clients, seconds });
      broadcasts.push(one);
      tell(`round ${round + 1}/${rounds}  ${clients} readers: ${Math.round(one.tapefold.cpuMs)} ms of CPU against ${Math.round(one.bare.cpuMs)} ms`);
    }
    /** @type {Wire[]} */
    const wires = [];
    for (const isCompressed of [false, true]) {
      wires.push(await wire(fresh(), { name: '100 tokens/s', tokens: 500, perSecond: 100, isCompressed }));
      for (const tokens of [5_000, 10_000, 20_000, 40_000]) wires.push(await wire(fresh(), { name: 'burst', tokens, perSecond: 0, isCompressed }));
    }
    return { latencyMs: spreadOf(times), latencyMost: Math.max(...times), lines: times.length, broadcasts, wires, clients, seconds };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
