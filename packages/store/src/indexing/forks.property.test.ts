import { describe, expect, it } from 'vitest';
import { createRowSearch } from '../search/search-rows.js';
import { saidPositions } from '../search/said.js';
import type { SearchHit } from '../search/search-result.js';
import { indexTexts } from '../search/text-indexer.js';
import type { SqliteStore } from '../sqlite/sqlite-store.js';
import type { HomeRef } from '../thread-source.js';
import type { HistoryDump } from '../thread-store.js';
import { type ForkedFile, ForkedHome, doubled, forkableFiles, unshared } from './forked-home.suite.js';
import { everyHome, index, newStore, picker, reopened, shelvesOf, verified } from './grown-home.suite.js';

const isLong = process.env['TAPEFOLD_LONG'] === '1';
const seeds = isLong ? [21, 22, 23, 24, 25, 26, 27, 28] : [21];
const STEPS = isLong ? 36 : 24;
const commits = { commitBytes: 1, chunkBytes: 900, startBytes: 2_000 };
const materials = everyHome().filter(({ home }) => home.program === 'codex').flatMap(({ name, home }) => forkableFiles(home).map((path) => ({ name, path })));
type Picker = ReturnType<typeof picker>;
const one = <T>(random: Picker, list: readonly T[]): T => list[random.pick(list.length)] as T;

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value)) as unknown;
const rowsOf = ({ checkpoint: { state }, turns, items, steps, notices, realtime, records, outline }: HistoryDump): unknown => plain({ head: state.head, turns, items, steps, notices, realtime, records, outline });
const hitsOf = (hits: readonly SearchHit[]): string[] => hits.map(({ thread, turnId, itemId, ordinal, source, snippet, isSuperseded, alsoIn }) => JSON.stringify([thread.thread.id, turnId, itemId, ordinal, source, snippet, isSuperseded, alsoIn])).sort();

/** Every row, and everything that is found, is that of the same threads without sharing. */
async function expectEqual(store: SqliteStore, home: HomeRef, at: string): Promise<void> {
  const alone = await unshared(home);
  expect((await verified(alone, [home])).wrong, `${at}: without sharing`).toEqual([]);
  for (const { name, id } of await alone.histories()) {
    const [expected, actual] = [await alone.dump(name), await store.dump(name)];
    expect(actual && rowsOf(actual), `${at}: ${name}`).toEqual(expected && rowsOf(expected));
    for (const term of ['hello', 'xxx', 'echo']) expect(new Set(saidPositions(store, actual?.checkpoint.id ?? -1, term)), `${at}: ${term} in ${name}`).toEqual(new Set(saidPositions(alone, id, term)));
  }
  const searches = [alone, store].map((each) => createRowSearch(each, { homes: [home], nowMs: () => 0 }));
  const ids = (await shelvesOf([home])).threads().map(({ threadId }) => threadId);
  for (const text of ['hello', 'echo', 'xxx', 'to']) {
    for (const threadId of [undefined, ...ids]) {
      const [expected, actual] = searches.map((each) => each.search({ text, threadId, hasToolOutput: true, hasSuperseded: true, limit: 500, budgetTexts: 100_000 }));
      expect(hitsOf(actual?.hits ?? []), `${at}: ${text} in ${threadId ?? 'all'}`).toEqual(hitsOf(expected?.hits ?? []));
    }
  }
  await alone.close();
}

/** Brings all up to the files and looks at everything. Answers how many rows are shared. */
async function checked(store: SqliteStore, { home }: ForkedHome, at: string): Promise<number> {
  await index(store, [home]);
  await indexTexts(store);
  expect((await verified(store, [home])).wrong, at).toEqual([]);
  const { twice, shared } = await doubled(store);
  expect(twice, at).toEqual([]);
  await expectEqual(store, home, at);
  return shared;
}

/** Something happens to the files. */
function change(random: Picker, forked: ForkedHome): string {
  const file = one(random, forked.files);
  const lines = file.written.split('\n').length - 1;
  const kind = random.pick(forked.files.length > 6 ? 20 : 26);
  if (kind < 13) { if (file.left.length > 0) forked.write(file, 1 + random.pick(12)); return 'grows'; }
  if (kind < 16) { forked.rewrite(file, random.pick(4)); return 'is rewritten'; }
  if (kind < 18 && forked.files.length > 2) { forked.remove(file); return 'goes'; }
  const isRevert = kind % 4 === 0;
  if (lines > 1) forked.write(forked.goOn(file, { lines: 1 + random.pick(lines), own: 1 + random.pick(30), isRevert }), 1 + random.pick(20));
  return isRevert ? 'is reverted' : 'is forked';
}

describe('[R-STO-1] forks of recorded sessions, at cuts anywhere', () => {
  it.each(seeds)('have the rows of their own files, whatever happens to their bases, and no row that a base has as well (seed %i)', async (seed) => {
    const random = picker(seed);
    let shared = 0;
    for (let round = 0; round < (isLong ? 5 : 2); round++) {
      const { name, path } = one(random, materials);
      const forked = new ForkedHome(path);
      const base: ForkedFile = forked.begin();
      forked.write(base, 6 + random.pick(base.left.length - 6));
      forked.write(forked.goOn(base, { lines: 5, own: 20 }), 8);
      let store = await newStore();
      let isRewritten = false;
      for (let step = 0; step < STEPS; step++) {
        const what = change(random, forked);
        isRewritten ||= what === 'is rewritten' || what === 'goes';
        if (random.pick(2) === 0) continue;
        // What a store knows besides its database is gone from time to time.
        if (random.pick(3) === 0) store = await reopened(store);
        const at = `${name}, round ${round}, step ${step} (${what})`;
        // Rows of a file that was written anew are those of before until it is their turn.
        let batches = !isRewritten && random.pick(4) === 0 ? random.pick(12) : Infinity;
        isRewritten = false;
        await index(store, [forked.home], { ...(random.pick(2) === 0 ? { steps: commits } : {}), isStopped: () => (batches -= 1) < 0 });
        if (random.pick(3) === 0) await indexTexts(store);
        expect((await verified(store, [forked.home])).wrong.filter(({ state }) => state === 'differs'), at).toEqual([]);
        if (random.pick(4) === 0) shared += await checked(store, forked, at);
      }
      shared += await checked(store, forked, `${name}, round ${round}, at the end`);
      await store.close();
    }
    expect(shared, 'rows that were found shared').toBeGreaterThan(20);
  }, 900_000);
});
