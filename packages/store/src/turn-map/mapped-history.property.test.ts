import { testFolder } from '@tapefold/testing';
import fc from 'fast-check';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { newStore } from '../indexing/grown-home.suite.js';
import { type HostileRollout, hostileFiles, hostileRollout } from './hostile-rollout.suite.js';
import { compareMap, mappableThreads } from './mapped-home.suite.js';

const isLong = process.env['TAPEFOLD_LONG'] === '1';
const RUNS = isLong ? 6_000 : 250;

/** Writes the files of a rollout in place of those before; tells how many. */
function writeFiles(home: string, rollout: HostileRollout): number {
  const folder = join(home, 'sessions/2026/01/02');
  const files = hostileFiles(rollout);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const { name, content } of files) writeFileSync(join(folder, name), content);
  return files.length;
}

describe('[R-STO-3] the map of a rollout', () => {
  it('answers what the whole file does, whatever turns and calls its lines speak of, or there is none', async () => {
    const store = await newStore();
    const home = testFolder();
    const count = { mapped: 0, joined: 0, cut: 0, files: 0, odd: 0 };
    await fc.assert(fc.asyncProperty(hostileRollout, async (rollout) => {
      const files = writeFiles(home, rollout);
      const newest = (await mappableThreads({ program: 'codex', path: home })).find(({ threadId }) => threadId.endsWith('1'));
      const compared = newest && await compareMap(store, newest);
      if (!compared) return;
      expect(compared.difference).toBeUndefined();
      count.mapped += 1;
      count.joined += Number(compared.stretches < compared.turns);
      count.cut += Number(compared.stretches > 1);
      count.files += Number(files > 1);
      count.odd += Number(rollout.form !== undefined || rollout.largeAt !== undefined);
    }), { numRuns: RUNS, ...(isLong ? {} : { seed: 20_261_201 }) });
    await store.close();
    expect(count.mapped, JSON.stringify(count)).toBeGreaterThan(RUNS / 4);
    expect(count.joined, JSON.stringify(count)).toBeGreaterThan(RUNS / 20);
    expect(count.cut, JSON.stringify(count)).toBeGreaterThan(RUNS / 6);
    expect(count.files, JSON.stringify(count)).toBeGreaterThan(RUNS / 20);
    expect(count.odd, JSON.stringify(count)).toBeGreaterThan(RUNS / 50);
  }, isLong ? 1_200_000 : 120_000);
});
