// @ts-check
import { Buffer } from 'node:buffer';
import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spreadOf } from './rounds.mjs';

/** What the original program needed. @typedef {{ version: string, startMs: number, readMs: number, againMs: number, answerBytes: number, peakBytes: number, turns: number }} OriginalRead */

const ANSWER_LIMIT_MS = 300_000;

/** The most memory of a process or of any that it started: npm's `codex` starts the program itself. @param {number | string | undefined} pid @returns {number} */
export function peakOf(pid) {
  const own = 1024 * Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? NaN);
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter((child) => child.trim() !== '');
  return Math.max(own, ...children.map(peakOf));
}

/** CPU time so far, in ms, of all threads of a process and of those that it started. @param {number | string | undefined} pid @returns {number} */
export function cpuMsOf(pid) {
  const nanoseconds = readdirSync(`/proc/${pid}/task`).map((task) => Number(readFileSync(`/proc/${pid}/task/${task}/schedstat`, 'utf8').split(' ')[0]));
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter((child) => child.trim() !== '');
  return nanoseconds.reduce((sum, one) => sum + one, 0) / 1e6 + children.map(cpuMsOf).reduce((sum, one) => sum + one, 0);
}

/** How long a page took: for who asked, and of the CPU. @typedef {{ ms: number, cpuMs: number }} PageTime */
/** How long pages of turns took. @typedef {{ startMs: number, first: PageTime, again: PageTime, further: PageTime, turns: number, peakBytes: number }} PagesRead */

/** A line that a program wrote, and when its end came. @typedef {{ line: Buffer, atMs: number }} Answered */

const NEWLINE = 0x0a;
/** Both programs write an answer's number first. */
const NUMBER = /^\{"id":(\d+)[,}]/;

/** @param {Buffer} line @returns {number | undefined} the call that it answers */
function answeredBy(line) {
  const number = NUMBER.exec(line.toString('latin1', 0, 32))?.[1];
  if (number !== undefined) return Number(number);
  const message = JSON.parse(line.toString());
  return message.method === undefined ? message.id : undefined;
}

/** A program under talk: one JSON message a line, over stdio. */
export class Server {
  /** @type {Map<number, (answer: Answered) => void>} */
  #waiting = new Map();
  /** @type {Buffer[]} */
  #rest = [];
  #next = 1;

  /** @param {readonly string[]} command the program and its arguments @param {string} home @param {string} state a folder of its own for what Tapefold keeps */
  constructor([program = '', ...args], home, state) {
    this.state = state;
    const nowhere = 'http://127.0.0.1:9';
    const env = { ...process.env, CODEX_HOME: home, TAPEFOLD_HOME: state, RUST_LOG: 'error', HTTPS_PROXY: nowhere, HTTP_PROXY: nowhere, OPENAI_API_KEY: 'none' };
    this.child = spawn(program, args, { env, stdio: ['pipe', 'pipe', 'ignore'] });
    this.child.stdout.on('data', (/** @type {Buffer} */ data) => this.#take(data));
  }

  /** @param {Buffer} data */
  #take(data) {
    let from = 0;
    for (let end = data.indexOf(NEWLINE); end >= 0; end = data.indexOf(NEWLINE, from)) {
      const line = Buffer.concat([...this.#rest, data.subarray(from, end)]);
      this.#rest = [];
      from = end + 1;
      const id = answeredBy(line);
      if (id === undefined) continue;
      this.#waiting.get(id)?.({ line, atMs: performance.now() });
      this.#waiting.delete(id);
    }
    if (from < data.length) this.#rest.push(data.subarray(from));
  }

  /** `ms`: until the last byte of the answer came; reading it as JSON is the client's. @param {string} method @param {object} params @returns {Promise<{ result: any, bytes: number, ms: number }>} */
  call(method, params) {
    const id = this.#next++;
    const start = performance.now();
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`${method} gave no answer`)), ANSWER_LIMIT_MS);
      this.#waiting.set(id, ({ line, atMs }) => {
        clearTimeout(timer);
        const message = JSON.parse(line.toString());
        if (message.error) reject(new Error(`${method}: ${JSON.stringify(message.error)}`));
        else resolve({ result: message.result, bytes: line.length, ms: atMs - start });
      });
      this.child.stdin.write(`${JSON.stringify({ id, method, params })}\n`);
    });
  }

  /** @param {string} method */
  notify(method) {
    this.child.stdin.write(`${JSON.stringify({ method })}\n`);
  }
}

/** @param {Server} server */
export async function initialize(server) {
  const { result } = await server.call('initialize', { clientInfo: { name: 'tapefold-bench', title: null, version: '1' }, capabilities: { experimentalApi: true } });
  server.notify('initialized');
  return result;
}

/**
 * Talks with a program over a copy of a home (the original writes databases into its own), and ends it. Tapefold keeps its own files beside the copy.
 * @template T @param {readonly string[]} command the program and its arguments @param {string | { justWritten: string }} home whose files the copies look as old as, or as if they had just been written
 * @param {(server: Server, startMs: number, userAgent: string) => Promise<T>} talk @returns {Promise<T>}
 */
export async function talkOver(command, home, talk) {
  const folder = mkdtempSync(join(tmpdir(), 'tapefold-original-'));
  const copy = join(folder, 'home');
  cpSync(typeof home === 'string' ? home : home.justWritten, copy, { recursive: true, preserveTimestamps: typeof home === 'string' });
  const start = performance.now();
  const server = new Server(command, copy, join(folder, 'state'));
  try {
    const { userAgent } = await initialize(server);
    return await talk(server, performance.now() - start, String(userAgent));
  } finally {
    server.child.kill();
    await new Promise((resolve) => (server.child.exitCode === null && server.child.signalCode === null ? server.child.once('close', resolve) : resolve(undefined)));
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The command of the original's server. @param {string} codex path of `codex` */
export const originalServer = (codex) => [codex, 'app-server', '--listen', 'stdio://'];

/**
 * Reads a thread with all turns through the original program, twice.
 * @param {string} codex path of `codex` @param {{ home: string, id: string }} thread @returns {Promise<OriginalRead>}
 */
export const readWithOriginal = (codex, { home, id }) => talkOver(originalServer(codex), home, async (server, startMs, userAgent) => {
  const first = await server.call('thread/read', { threadId: id, includeTurns: true });
  const again = await server.call('thread/read', { threadId: id, includeTurns: true });
  return {
    version: /\/(\d[^ ]*)/.exec(userAgent)?.[1] ?? 'of unknown version', startMs, readMs: first.ms, againMs: again.ms, answerBytes: first.bytes, peakBytes: peakOf(server.child.pid), turns: first.result.thread.turns.length,
  };
});

/** Further pages of which the median is taken. */
export const FURTHER_PAGES = 5;

/** @param {Server} server @param {object} params @returns {Promise<PageTime & { result: any }>} */
async function timedPage(server, params) {
  const before = cpuMsOf(server.child.pid);
  const { ms, result } = await server.call('thread/turns/list', params);
  return { ms, cpuMs: cpuMsOf(server.child.pid) - before, result };
}

/** @param {readonly PageTime[]} times @returns {PageTime} */
const medianTime = (times) => ({ ms: spreadOf(times.map(({ ms }) => ms)).median, cpuMs: spreadOf(times.map(({ cpuMs }) => cpuMs)).median });

/**
 * The newest page of turns of a thread through a server that has just started, the same page again, and the pages before it.
 * @param {readonly string[]} command @param {{ home: string, id: string, pauseMs?: number }} thread `pauseMs`: between the answer to `initialize` and the first page @returns {Promise<PagesRead>}
 */
const pagesThrough = (command, { home, id, pauseMs = 0 }) => talkOver(command, home, async (server, startMs) => {
  if (pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs));
  const first = await timedPage(server, { threadId: id });
  const again = await timedPage(server, { threadId: id });
  const further = [];
  for (let cursor = first.result.nextCursor; cursor && further.length < FURTHER_PAGES;) {
    const page = await timedPage(server, { threadId: id, cursor });
    further.push(page);
    cursor = page.result.nextCursor;
  }
  return { startMs, first: medianTime([first]), again: medianTime([again]), further: medianTime(further), turns: first.result.data.length, peakBytes: peakOf(server.child.pid) };
});

/** How long a client pauses that does not ask at once. */
export const PAUSE_MS = 500;

/** The same through the original and through ours in one round; `ownIndexing`: while it makes its index. @typedef {{ original: PagesRead, own: PagesRead, ownPaused: PagesRead, ownIndexing: PagesRead }} PagesRound */

/**
 * Pages through the original and through ours, each started anew, in turns.
 * @param {string} codex path of `codex` @param {readonly string[]} own @param {{ home: string, id: string, rounds: number, tell: (text: string) => void }} what @returns {Promise<PagesRound[]>}
 */
export async function pagesInTurns(codex, own, { home, id, rounds, tell }) {
  const results = [];
  for (let round = 0; round < rounds; round++) {
    const plain = [...own, '--no-index'];
    const measured = {
      own: await pagesThrough(plain, { home, id }), original: await pagesThrough(originalServer(codex), { home, id }), ownPaused: await pagesThrough(plain, { home, id, pauseMs: PAUSE_MS }), ownIndexing: await pagesThrough(own, { home, id }),
    };
    results.push(measured);
    const told = Object.entries(measured).map(([name, { first, further }]) => `${name} ${first.ms.toFixed(0)} / ${further.ms.toFixed(0)} ms`);
    tell(`round ${round + 1}/${rounds}  newest / further page: ${told.join(', ')}`);
  }
  return results;
}
