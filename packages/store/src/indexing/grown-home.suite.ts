import { randomFrom, recordedHomes, testFolder as folder } from '@tapefold/testing';
import { appendFileSync, cpSync, existsSync, lstatSync, mkdirSync, readFileSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ShelfThread } from '../files/shelf.js';
import { type Shelves, nothingKnown, readShelves } from '../files/shelves.js';
import { SqliteStore, type SqliteStoreOptions } from '../sqlite/sqlite-store.js';
import { LookedHomes } from '../source/looked-homes.js';
import type { HomeRef } from '../thread-source.js';
import type { ThreadStore } from '../thread-store.js';
import { type VerifyResult, verifyThread } from '../verify/verify-thread.js';
import { type IndexResult, type IndexRun, indexHomes } from './indexer.js';

export { testFolder as folder } from '@tapefold/testing';

const fixtures = fileURLToPath(new URL('../../../../fixtures/', import.meta.url));

/** Homes with recorded sessions of every agent, as they lie in the fixtures. */
export function everyHome(): { readonly name: string; readonly home: HomeRef }[] {
  const codex = recordedHomes().map(({ name, home }) => ({ name, home: { program: 'codex', path: home } as const }));
  const claude = [join(fixtures, 'claude/handmade'), ...readdirSync(join(fixtures, 'claude/recorded')).flatMap((version) => readdirSync(join(fixtures, 'claude/recorded', version)).map((scenario) => join(fixtures, 'claude/recorded', version, scenario)))];
  const homes = claude.flatMap((path) => (existsSync(join(path, 'home/projects')) ? [join(path, 'home')] : []));
  const kimi = [join(fixtures, 'kimi/handmade/home'), ...readdirSync(join(fixtures, 'kimi/recorded/2.1.0')).map((scenario) => join(fixtures, 'kimi/recorded/2.1.0', scenario, 'home')), join(fixtures, '../samples/kimi-cli')];
  const named = (program: 'claude' | 'kimi', path: string): { readonly name: string; readonly home: HomeRef } => ({ name: relative(fixtures, path), home: { program, path } });
  const native = { name: 'native/v1', home: { program: 'native', path: join(fixtures, 'native/v1') } } as const;
  return [...codex, ...homes.map((path) => named('claude', path)), handMadeClaude(), ...kimi.map((path) => named('kimi', path)), native];
}

/** The hand-made sessions of Claude lie each in a folder of its own: as one home. */
function handMadeClaude(): { readonly name: string; readonly home: HomeRef } {
  const home = folder();
  for (const name of readdirSync(join(fixtures, 'claude/handmade'))) {
    const from = join(fixtures, 'claude/handmade', name);
    if (lstatSync(from).isDirectory()) cpSync(from, join(home, 'projects', `-${name}`), { recursive: true, filter: (path) => !/messages|golden/.test(path) });
  }
  return { name: 'claude/handmade', home: { program: 'claude', path: home } };
}

/** All files below a folder, by path from it. */
export function filesBelow(path: string): string[] {
  return readdirSync(path, { recursive: true, encoding: 'utf8' }).filter((name) => statSync(join(path, name)).isFile()).sort();
}

/** A copy of a home whose session files grow as they are told to. */
export class GrowingHome {
  readonly home: HomeRef;
  /** What is still to be appended, by path. */
  readonly #left = new Map<string, Buffer>();
  #timeMs = Date.UTC(2026, 0, 1);

  constructor({ program, path }: HomeRef) {
    this.home = { program, path: folder() };
    for (const name of filesBelow(path)) {
      if (name.endsWith('.jsonl') && !name.startsWith('session_index')) this.#left.set(name, readFileSync(join(path, name)));
      else { mkdirSync(dirname(join(this.home.path, name)), { recursive: true }); cpSync(join(path, name), join(this.home.path, name)); }
    }
  }

  get isWhole(): boolean {
    return this.#left.size === 0;
  }

  /** Appends the next piece of a file: some lines, and maybe the beginning of one. */
  grow(random: { readonly pick: (max: number) => number }): void {
    const names = [...this.#left.keys()];
    const name = names[random.pick(names.length)] as string;
    const left = this.#left.get(name) as Buffer;
    const isWhole = left.length < 200 || random.pick(4) === 0;
    const at = isWhole ? left.length : random.pick(left.length);
    const end = random.pick(3) > 0 ? left.indexOf(0x0a, at) + 1 || left.length : at;
    const path = join(this.home.path, name);
    mkdirSync(dirname(path), { recursive: true });
    appendFileSync(path, left.subarray(0, end));
    this.#timeMs += 1_000;
    utimesSync(path, this.#timeMs / 1000, this.#timeMs / 1000);
    if (end === left.length) this.#left.delete(name);
    else this.#left.set(name, left.subarray(end));
  }

}

/** A number source of a seed. */
export function picker(seed: number): { readonly pick: (max: number) => number } {
  const random = randomFrom(seed);
  return { pick: (max) => random.below(max) };
}

/** A store in a folder of its own, with the right to write. */
export async function newStore(options: Partial<SqliteStoreOptions> = {}, path: string = join(folder(), 'index.db')): Promise<SqliteStore> {
  const store = new SqliteStore(path, { nowMs: () => Date.now(), ...options });
  const holder = await store.acquire();
  if (holder) throw new Error('somebody else has it');
  return store;
}

/** The same database in a store that was opened anew. */
export async function reopened(store: SqliteStore): Promise<SqliteStore> {
  await store.release();
  await store.close();
  return newStore({}, store.path);
}

/** What a home holds now. */
export const shelvesOf = (homes: readonly HomeRef[]): Promise<Shelves> => readShelves(homes, { known: nothingKnown() });

/** Indexes homes as they are now. */
export async function index(store: ThreadStore, homes: readonly HomeRef[], more: Partial<IndexRun> = {}): Promise<IndexResult> {
  return indexHomes({ store, homes, shelves: await shelvesOf(homes), nowMs: () => Date.now(), ...more });
}

/** Indexes homes as they are now as a process of its own does: with a store that is opened for it, and what earlier ones looked up. */
export async function indexReopened(path: string, homes: readonly HomeRef[], more: Partial<IndexRun> = {}): Promise<IndexResult> {
  const store = await newStore({}, path);
  try {
    return await new LookedHomes(store).index({ homes, nowMs: () => Date.now(), ...more });
  } finally {
    await store.release();
    await store.close();
  }
}

/** What verifying every thread of homes comes to, those that are equal left out; and how many there are. */
export async function verified(store: ThreadStore, homes: readonly HomeRef[]): Promise<{ readonly threads: number; readonly wrong: readonly VerifyResult[] }> {
  const threads: readonly ShelfThread[] = (await shelvesOf(homes)).threads();
  const wrong: VerifyResult[] = [];
  for (const thread of threads) {
    const result = await verifyThread(store, thread);
    if (result.state !== 'equal') wrong.push(result);
  }
  return { threads: threads.length, wrong };
}

/** Writes a file, at a time of its own. */
export function put(path: string, text: string | Buffer, timeMs: number): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  utimesSync(path, timeMs / 1000, timeMs / 1000);
}
