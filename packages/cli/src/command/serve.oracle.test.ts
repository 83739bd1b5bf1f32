import { type RecordedHome, compareRecordings, recordHome, recordedHomes } from '@tapefold/testing';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { printed } from '../printed.suite.js';

/** Servers at the same time. */
const SERVERS = 3;
/** From rows, the short run takes every so many homes: that rows say what files say is shown for all of them beside the store. */
const EVERY = process.env['TAPEFOLD_LONG'] === '1' ? 1 : 6;

const all = recordedHomes();
const runs: readonly { readonly from: string; readonly homes: readonly RecordedHome[]; readonly isIndexed: boolean; readonly threads: number }[] = [
  { from: 'session files', homes: all, isIndexed: false, threads: 260 }, { from: 'rows', homes: all.filter((_, i) => i % EVERY === 0), isIndexed: true, threads: 20 },
];

describe.each(runs)('serve from $from beside what the real program answered', ({ homes, isIndexed, threads: atLeast }) => {
  const folder = process.env['TAPEFOLD_KEEP_RECORDINGS'] ?? mkdtempSync(join(tmpdir(), 'tapefold-serve-'));
  let threads = 0;

  async function record({ name, home }: RecordedHome): Promise<void> {
    const tapefoldHome = isIndexed ? join(folder, 'index', name) : undefined;
    if (tapefoldHome !== undefined) await printed(['index', '--home', `codex=${home}`], { TAPEFOLD_HOME: tapefoldHome });
    const recorded = await recordHome(home, join(folder, name), tapefoldHome);
    // Read only now: others count while this one waits.
    threads += recorded.length;
  }

  beforeAll(async () => {
    const left = [...homes];
    const work = async (): Promise<void> => { for (let home = left.shift(); home; home = left.shift()) await record(home); };
    await Promise.all(Array.from({ length: SERVERS }, work));
  }, 600_000);
  afterAll(() => { if (process.env['TAPEFOLD_KEEP_RECORDINGS'] === undefined) rmSync(folder, { recursive: true, force: true }); });

  it('[R-RPC-1] [R-STO-3] lists, reads, turns in three views and items both ways are the recorded ones, but for what docs/compatibility.json lists, and all that it lists is needed', async () => {
    const pairs = homes.map(({ name, golden }) => ({ expected: golden, actual: join(folder, name) }));
    const { isEqual, report } = await compareRecordings(pairs, homes === all ? ['--strict-allow'] : []);
    expect(isEqual, report).toBe(true);
    expect(report).toContain(`${homes.length} of ${homes.length} homes equal`);
  }, 60_000);

  it('[R-RPC-1] compares what there is to compare', () => {
    expect(all.length).toBeGreaterThanOrEqual(99);
    expect(threads).toBeGreaterThanOrEqual(atLeast);
  });
});
