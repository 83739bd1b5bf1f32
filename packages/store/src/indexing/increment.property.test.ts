import { describe, expect, it } from 'vitest';
import { GrowingHome, everyHome, index, newStore, picker, verified } from './grown-home.suite.js';

/** Commits after each few lines: rows are let go and fetched again all the time. */
const steps = { commitBytes: 1, chunkBytes: 600 };
const isLong = process.env['TAPEFOLD_LONG'] === '1';
const seeds = isLong ? [11, 12, 13, 14, 15, 16] : [11];
/** The short run takes every so many homes: each is indexed some dozen times. */
const EVERY = isLong ? 1 : 9;

// That they are those of a fresh fold in one go as well is told by `store-source.test.ts`.
describe('[R-STO-1] [R-STO-2] rows of recorded sessions', () => {
  const homes = everyHome();

  it.each(seeds)('are those of a fresh fold however the files grew: pieces that end anywhere, in any order of files, a commit after every few lines (seed %i)', async (seed) => {
    const random = picker(seed);
    let looks = 0;
    const chosen = homes.filter((_, i) => i % EVERY === 0);
    for (const { name, home } of chosen) {
      const growing = new GrowingHome(home);
      const store = await newStore();
      for (let n = 0; !growing.isWhole; n++) {
        growing.grow(random);
        if (random.pick(3) > 0 && !growing.isWhole) continue;
        await index(store, [growing.home], { steps });
        looks += 1;
        if (growing.isWhole || random.pick(4) === 0) expect((await verified(store, [growing.home])).wrong, `${name}, after ${n + 1} pieces`).toEqual([]);
      }
      await store.close();
    }
    expect(looks).toBeGreaterThan(chosen.length);
  }, 900_000);
});
