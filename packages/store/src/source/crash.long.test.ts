import { expect, it } from 'vitest';
import { killed } from './crash.suite.js';

it('[R-STO-2] 500 times, most of them in the midst', async () => {
  let midway = 0;
  for (let seed = 1; seed <= 20; seed++) {
    const round = await killed(25, seed);
    expect(round.wrong, `seed ${seed}`).toEqual([]);
    midway += round.midway;
  }
  expect(midway).toBeGreaterThanOrEqual(400);
}, 10_800_000);
