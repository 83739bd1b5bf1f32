import { THREAD_ID, testFolder } from '@tapefold/testing';
import fc from 'fast-check';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { newStore } from '../indexing/grown-home.suite.js';
import { hostileFiles, hostileRollout } from './hostile-rollout.suite.js';
import { compareMap, mappableThreads } from './mapped-home.suite.js';

const isLong = process.env['TAPEFOLD_LONG'] === '1';
const RUNS = isLong ? 6_000 : 250;

describe('[R-STO-3] the map of a rollout', () => {
  it('answers what the whole file does, whatever turns and calls its lines speak of, or there is none', async () => {
    const store = await newStore();
    const home = testFolder();
    const names = [`rollout-2026-01-02T03-04-05-${THREAD_ID}.jsonl`, `rollout-2026-01-02T03-05-05-${THREAD_ID}_01990000-0000-7000-8000-000000000002.jsonl`];
    const paths = names.map((name) => join(home, 'sessions/2026/01/02', name));
    mkdirSync(join(home, 'sessions/2026/01/02'), { recursive: true });
    const count = { mapped: 0, joined: 0, cut: 0, files: 0 };
    await fc.assert(fc.asyncProperty(hostileRollout, async (rollout) => {
      const files = hostileFiles(rollout);
      paths.forEach((path, i) => (files[i] === undefined ? rmSync(path, { force: true }) : writeFileSync(path, files[i])));
      const [thread] = await mappableThreads({ program: 'codex', path: home });
      const compared = thread && await compareMap(store, thread);
      if (!compared) return;
      expect(compared.difference).toBeUndefined();
      count.mapped += 1;
      count.joined += Number(compared.stretches < compared.turns);
      count.cut += Number(compared.stretches > 1);
      count.files += Number(files.length > 1);
    }), { numRuns: RUNS, ...(isLong ? {} : { seed: 20_261_201 }) });
    await store.close();
    expect(count.mapped, JSON.stringify(count)).toBeGreaterThan(RUNS / 4);
    expect(count.joined, JSON.stringify(count)).toBeGreaterThan(RUNS / 20);
    expect(count.cut, JSON.stringify(count)).toBeGreaterThan(RUNS / 6);
    expect(count.files, JSON.stringify(count)).toBeGreaterThan(RUNS / 20);
  }, isLong ? 1_200_000 : 120_000);
});
