// @ts-check
// What is measured, each in a process of its own (measure.mjs). A task answers what it counted, so that no work can be optimised away unseen.
import { createCodexPlayer } from '@tapefold/dialects';
import { createFileSource } from '@tapefold/store';
import { playTape, readLines } from '@tapefold/tapes';
import { emptyThreadHead, foldThread } from '@tapefold/threads';
import { Buffer } from 'node:buffer';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { REDUCER_TURNS, reduceTurns } from './reducer.mjs';

/** @typedef {Record<string, number>} Counts */
/** @typedef {{ path: string, home: string }} Input */

const CHUNK_BYTES = 1_048_576;

/** The least that any reader of such a file does: cut at newlines, decode, parse. @param {Input} input @returns {Counts} */
function splitAndParse({ path }) {
  const fd = fs.openSync(path, 'r');
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  let rest = Buffer.alloc(0);
  let lines = 0;
  for (;;) {
    const read = fs.readSync(fd, chunk, 0, CHUNK_BYTES, null);
    if (read === 0) break;
    const bytes = rest.length ? Buffer.concat([rest, chunk.subarray(0, read)]) : chunk.subarray(0, read);
    let from = 0;
    for (let newline = bytes.indexOf(0x0a); newline >= 0; newline = bytes.indexOf(0x0a, from)) {
      if (typeof JSON.parse(bytes.toString('utf8', from, newline)) === 'object') lines += 1;
      from = newline + 1;
    }
    rest = Buffer.from(bytes.subarray(from));
  }
  fs.closeSync(fd);
  return { lines };
}

/** @param {Input} input @returns {Promise<Counts>} */
async function read({ path }) {
  let lines = 0;
  for await (const batch of readLines(path)) lines += batch.length;
  return { lines };
}

/** @param {Input} input @returns {Promise<Counts>} */
async function play({ path }) {
  let facts = 0;
  const { ledger } = await playTape(path, createCodexPlayer({ tape: 'codex/benchmark' }), { onFacts: (some) => void (facts += some.length) });
  return { facts, lines: ledger.linesTotal, unknown: ledger.linesUnknown, damaged: ledger.linesDamaged };
}

/** As an indexer consumes a tape: every change of a row passes by and is let go. @param {Input} input @returns {Promise<Counts>} */
async function fold({ path }) {
  let head = emptyThreadHead;
  let [facts, changes] = [0, 0];
  await playTape(path, createCodexPlayer({ tape: 'codex/benchmark' }), {
    onFacts(some) {
      for (const fact of some) {
        const folded = foldThread(head, fact, facts);
        head = folded.head;
        changes += folded.changes.length;
        facts += 1;
      }
    },
  });
  return { facts, changes };
}

/** The whole thread as one object: what `show` prints. @param {Input} input @returns {Promise<Counts>} */
async function settle({ home }) {
  const { thread } = await createFileSource([{ program: 'codex', path: home }]).read('last');
  return { turns: thread.turns.length, items: thread.turns.reduce((sum, turn) => sum + turn.items.length, 0) };
}

/** Notes what every file costs in bytes, under the program that is measured: what the disk was really asked for. */
function watchReads() {
  /** @type {Map<number, string>} */
  const open = new Map();
  /** @type {Map<string, number>} */
  const bytesOf = new Map();
  const { openSync, readSync } = fs;
  fs.openSync = (path, ...rest) => {
    const fd = openSync(path, ...rest);
    open.set(fd, String(path));
    return fd;
  };
  fs.readSync = (/** @type {[number, ...any[]]} */ ...args) => {
    const bytes = /** @type {(...args: any[]) => number} */ (readSync)(...args);
    const path = open.get(args[0]) ?? '?';
    bytesOf.set(path, (bytesOf.get(path) ?? 0) + bytes);
    return bytes;
  };
  syncBuiltinESMExports();
  return bytesOf;
}

/** @param {Input} input @returns {Promise<Counts>} */
async function list({ home }) {
  const bytesOf = watchReads();
  let told = 0;
  const { rows, problems } = await createFileSource([{ program: 'codex', path: home }], (bytes) => void (told += bytes)).list({ archived: 'too', hasSubAgents: true });
  const ofThreads = [...bytesOf].flatMap(([path, bytes]) => (/rollout-[^/]*$/.test(path) ? [bytes] : []));
  const sum = ofThreads.reduce((total, bytes) => total + bytes, 0);
  return { threads: rows.length, problems: problems.length, filesRead: ofThreads.length, bytesTold: told, bytesRead: sum, bytesMean: Math.round(sum / ofThreads.length), bytesMost: Math.max(...ofThreads) };
}

/** Nothing: what Node and the loaded packages take. @returns {Counts} */
const nothing = () => ({});

/** @type {Readonly<Record<string, (input: Input) => Counts | Promise<Counts>>>} */
export const tasks = { nothing, splitAndParse, read, play, fold, settle, list, ...Object.fromEntries(REDUCER_TURNS.map((turns) => [`reduce${turns}`, () => reduceTurns(turns)])) };
