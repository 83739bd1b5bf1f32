import { randomFrom } from '@tapefold/testing';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../tape-bytes.suite.js';
import { killMany } from './kills.suite.js';

const root = temporaryFolder();

it('[R-TAPE-7] 2,000 writers of 5,000 facts each, killed at random moments', { timeout: 3_600_000 }, async () => {
  const seed = Number(process.env['TAPEFOLD_SEED'] ?? Date.now() % 1_000_000);
  const random = randomFrom(seed);
  const { wrong, killedOpen, facts } = await killMany({ processes: 2_000, writers: 1, perTape: 4, count: 5_000, root, chance: () => random.below(1_000) / 1_000 });
  expect(wrong, `seed ${seed}`).toEqual([]);
  expect(killedOpen).toBeGreaterThan(1_200);
  expect(facts).toBeGreaterThan(100_000);
});
