import { expect, it } from 'vitest';
import { killed } from './crash.suite.js';

it('[R-STO-2] an indexer that is killed at any moment leaves a consistent prefix, and the next one goes on from it', async () => {
  const { midway, wrong } = await killed(5, 1);
  expect(wrong).toEqual([]);
  expect(midway).toBeGreaterThan(2);
}, 240_000);
