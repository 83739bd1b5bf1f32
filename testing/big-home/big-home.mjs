// @ts-check
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Chance } from './chance.mjs';
import { Texts } from './texts.mjs';
import { ThreadWriter } from './thread-writer.mjs';
/** @import { HistoryMode } from './rollout-file.mjs' */

/** What was written of a thread. @typedef {{ id: string, path: string, bytes: number, lines: number, turns: number }} WrittenThread */

const START_MS = Date.UTC(2025, 10, 20, 9);
/** A turn every so many bytes, as the large threads of the specification have them: 10,000 turns in 200 MB; a paginated file holds ordinals and whole items besides. */
const BYTES_PER_TURN = { legacy: 20_000, paginated: 21_000 };

/** @param {ThreadWriter} writer @param {{ turns: number, bytes: number }} size @returns {WrittenThread} */
function fill(writer, { turns, bytes }) {
  const { file } = writer;
  const begun = file.bytes;
  for (let n = 1; n <= turns; n++) writer.turn(begun + ((bytes - begun) * n) / turns);
  file.close();
  return { id: file.id, path: file.path, bytes: file.bytes, lines: file.lines, turns };
}

/**
 * Writes a Codex home with one large thread. The same arguments give the same bytes.
 * @param {string} home @param {{ mode: HistoryMode, bytes: number, turns?: number, seed?: number }} size `bytes`: reached within a turn or so
 * @returns {WrittenThread}
 */
export function writeBigThread(home, { mode, bytes, turns = Math.ceil(bytes / BYTES_PER_TURN[mode]), seed = 1 }) {
  const texts = new Texts(new Chance(seed));
  return fill(new ThreadWriter(home, texts, { mode, startMs: START_MS }), { turns, bytes });
}

/** Mostly 50 kB to 2 MB, small ones more often; one in twenty is smaller and one in a hundred larger. @param {Chance} chance */
function someSize(chance) {
  const kind = chance.next();
  const [from, to] = kind < 0.05 ? [30_000, 50_000] : kind < 0.06 ? [2_000_000, 6_000_000] : [50_000, 2_000_000];
  return Math.round(from * (to / from) ** chance.next());
}

/**
 * Writes a Codex home with many threads of mixed sizes and both generations: some archived, some sub-agents, some with names, some with long instructions.
 * @param {string} home @param {{ threads: number, seed?: number }} size @returns {{ threads: number, bytes: number, largest: number }}
 */
export function writeManyThreads(home, { threads, seed = 1 }) {
  const chance = new Chance(seed);
  const texts = new Texts(chance);
  const names = [];
  let [bytes, largest, parentId] = [0, 0, ''];
  mkdirSync(home, { recursive: true });
  for (let n = 0; n < threads; n++) {
    const size = someSize(chance);
    const isSubAgent = parentId !== '' && chance.is(0.08);
    /** @type {HistoryMode} */
    const mode = chance.is(0.5) ? 'legacy' : 'paginated';
    const writer = new ThreadWriter(home, texts, {
      mode, startMs: START_MS + n * 97_000, isArchived: chance.is(0.05), instructionUnits: chance.is(0.1) ? 45_000 : 8_000 + chance.below(8_000),
      ...(isSubAgent ? { parentId } : {}),
    });
    const written = fill(writer, { turns: Math.max(1, Math.round(size / BYTES_PER_TURN[mode])), bytes: size });
    if (!isSubAgent) parentId = written.id;
    if (chance.is(0.3)) names.push(JSON.stringify({ id: written.id, thread_name: texts.sentence(), updated_at: new Date(writer.file.clockMs).toISOString() }));
    bytes += written.bytes;
    largest = Math.max(largest, written.bytes);
  }
  writeFileSync(join(home, 'session_index.jsonl'), names.map((name) => `${name}\n`).join(''));
  return { threads, bytes, largest };
}
