import { randomFrom } from '@tapefold/testing';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../tape-bytes.suite.js';
import { killMany } from './kills.suite.js';
import { openTapeWriter } from './tape-writer.js';
import { factsIn, leftIn } from './written-tape.suite.js';

const root = temporaryFolder();

it('[R-TAPE-7] 200 writers (four in each of 50 processes) killed at random moments: each acknowledged fact is there, none half, none twice, ordinals dense', { timeout: 240_000 }, async () => {
  const random = randomFrom(Number(process.env['TAPEFOLD_SEED'] ?? 7));
  const { wrong, killedOpen, facts } = await killMany({ processes: 50, writers: 4, perTape: 10, count: 100_000, withinMs: 40, root, chance: () => random.below(1_000) / 1_000 });
  expect(wrong).toEqual([]);
  expect(killedOpen).toBeGreaterThan(100);
  expect(facts).toBeGreaterThan(1_000);
  // Whoever comes next takes over, mends, and goes on; nothing is left of the dead.
  const folder = join(root, '0-0');
  const writer = await openTapeWriter(folder, { tape: 'native/killed' });
  expect(writer.append({ type: 'notice.posted', level: 'info', code: 'after', text: '' }).ordinal).toBe(writer.nextOrdinal - 1);
  await writer.close();
  expect(factsIn(folder)).toMatchObject({ rest: '', wrong: [] });
  expect(leftIn(folder)).toEqual([]);
});
