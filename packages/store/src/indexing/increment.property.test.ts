import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { GrowingHome, everyHome, folder, indexReopened, newStore, picker, verified } from './grown-home.suite.js';

/** Commits after each few lines: rows are let go and fetched again all the time. */
const steps = { commitBytes: 1, chunkBytes: 600 };
const isLong = process.env['TAPEFOLD_LONG'] === '1';
const seeds = isLong ? [11, 12, 13, 14, 15, 16] : [11];
/** The short run takes every so many homes of each agent: each is indexed some dozen times. */
const EVERY = isLong ? 1 : 9;

// That they are those of a fresh fold in one go as well is told by `store-source.test.ts`.
describe('[R-STO-1] [R-STO-2] rows of recorded sessions', () => {
  const homes = everyHome();
  const chosen = homes.filter(({ name, home }) => homes.filter((other) => other.home.program === home.program).findIndex((other) => other.name === name) % EVERY === 0);

  // Each time as a process of its own does: nothing but what is in the database is known from one time to the next.
  it.each(seeds)('are those of a fresh fold however the files grew: pieces that end anywhere, in any order of files, a commit after every few lines, each time in a store that was opened anew (seed %i)', async (seed) => {
    const random = picker(seed);
    let looks = 0;
    for (const { name, home } of chosen) {
      const growing = new GrowingHome(home);
      const path = join(folder(), 'index.db');
      for (let n = 0; !growing.isWhole; n++) {
        growing.grow(random);
        if (random.pick(3) > 0 && !growing.isWhole) continue;
        await indexReopened(path, [growing.home], { steps });
        looks += 1;
        if (!growing.isWhole && random.pick(4) > 0) continue;
        const store = await newStore({}, path);
        expect((await verified(store, [growing.home])).wrong, `${name}, after ${n + 1} pieces`).toEqual([]);
        await store.release();
        await store.close();
      }
    }
    expect(looks).toBeGreaterThan(chosen.length);
    expect(new Set(chosen.map(({ home }) => home.program))).toEqual(new Set(['codex', 'claude', 'kimi', 'native']));
  }, 900_000);
});
