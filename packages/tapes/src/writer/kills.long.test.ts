import { randomFrom } from '@tapefold/testing';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../tape-bytes.suite.js';
import { killMany } from './kills.suite.js';

const root = temporaryFolder();

/** As many as property tests try: 2,000 in the long run. */
const kills = Number(process.env['TAPEFOLD_RUNS'] ?? 2_000);

it(`[R-TAPE-7] ${kills} writers of 5,000 facts each, killed at random moments`, { timeout: 7_200_000 }, async () => {
  const seed = Number(process.env['TAPEFOLD_SEED'] ?? Date.now() % 1_000_000);
  const random = randomFrom(seed);
  const { wrong, killedOpen, facts } = await killMany({ processes: kills, writers: 1, perTape: 4, count: 5_000, withinMs: 600, root, chance: () => random.below(1_000) / 1_000 });
  expect(wrong, `seed ${seed}`).toEqual([]);
  expect(killedOpen).toBeGreaterThan(kills / 2);
  expect(facts).toBeGreaterThan(kills * 50);
});
