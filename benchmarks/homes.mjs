// @ts-check
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeBigThread, writeManyThreads } from '../testing/big-home/big-home.mjs';
import { Chance } from '../testing/big-home/chance.mjs';
import { Texts } from '../testing/big-home/texts.mjs';
import { ThreadWriter } from '../testing/big-home/thread-writer.mjs';
/** @import { HistoryMode } from '../testing/big-home/rollout-file.mjs' */
/** @import { WrittenThread } from '../testing/big-home/big-home.mjs' */

/** Where generated homes are kept between runs; it may be deleted at any time. */
const cache = process.env['TAPEFOLD_BENCH_DIR'] ?? join(tmpdir(), 'tapefold-bench');

/** Changes with the generator, so that a home of an older one is never measured. */
function generatorDigest() {
  const folder = fileURLToPath(new URL('../testing/big-home/', import.meta.url));
  const hash = createHash('sha256');
  for (const name of readdirSync(folder).filter((file) => file.endsWith('.mjs')).sort()) hash.update(readFileSync(join(folder, name)));
  return hash.digest('hex').slice(0, 10);
}

/** @param {string} name */
const folderOf = (name) => join(cache, `${name}-${generatorDigest()}`);

/**
 * A home under this name, generated unless it is there. `home` below its folder is what programs are pointed at.
 * @template T @param {string} name @param {(home: string) => T} write @returns {T & { home: string }}
 */
function cached(name, write) {
  const folder = folderOf(name);
  const told = join(folder, 'written.json');
  if (!existsSync(told)) {
    const draft = `${folder}.draft-${process.pid}`;
    rmSync(draft, { recursive: true, force: true });
    mkdirSync(join(draft, 'home'), { recursive: true });
    writeFileSync(join(draft, 'written.json'), JSON.stringify(write(join(draft, 'home'))).replaceAll(draft, folder));
    rmSync(folder, { recursive: true, force: true });
    renameSync(draft, folder);
  }
  return { ...JSON.parse(readFileSync(told, 'utf8')), home: join(folder, 'home') };
}

/** @param {HistoryMode} mode @param {number} bytes */
const bigName = (mode, bytes) => `${mode}-${Math.round(bytes / 1e6)}mb-seed1`;

/** A home with one thread of about `bytes`. @param {HistoryMode} mode @param {number} bytes @returns {WrittenThread & { home: string }} */
export const bigHome = (mode, bytes) => cached(bigName(mode, bytes), (home) => writeBigThread(home, { mode, bytes }));

/** Does away with a home that is too large to be kept. @param {HistoryMode} mode @param {number} bytes */
export const removeHome = (mode, bytes) => rmSync(folderOf(bigName(mode, bytes)), { recursive: true, force: true });

/** A home with many threads of mixed sizes. @param {number} threads */
export const manyHome = (threads) => cached(`threads-${threads}-seed1`, (home) => writeManyThreads(home, { threads }));

/** Small threads begin so long after each other. */
const STEP_MS = 97_000;
const FIRST_MS = Date.UTC(2025, 6, 1);

/** Writes threads of one turn each, for what only their number makes slow. @param {string} home @param {number} threads */
function writeSmallThreads(home, threads) {
  const texts = new Texts(new Chance(1));
  let bytes = 0;
  for (let n = 0; n < threads; n++) {
    const writer = new ThreadWriter(home, texts, { mode: n % 2 === 0 ? 'legacy' : 'paginated', startMs: FIRST_MS + n * STEP_MS, instructionUnits: 2_000 });
    writer.turn(writer.file.bytes + 6_000);
    writer.file.close();
    bytes += writer.file.bytes;
  }
  return { threads, bytes };
}

/** A home with many small threads. @param {number} threads */
export const smallThreadsHome = (threads) => cached(`small-${threads}-seed1`, (home) => writeSmallThreads(home, threads));
