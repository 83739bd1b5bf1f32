import { compareRecordings, recordHome, recordedHomes } from '@tapefold/testing';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

/** Servers at the same time. */
const SERVERS = 3;

describe('serve beside what the real program answered', () => {
  const folder = process.env['TAPEFOLD_KEEP_RECORDINGS'] ?? mkdtempSync(join(tmpdir(), 'tapefold-serve-'));
  const homes = recordedHomes();
  let threads = 0;

  beforeAll(async () => {
    const left = [...homes];
    const work = async (): Promise<void> => {
      for (let home = left.shift(); home; home = left.shift()) {
        const ids = await recordHome(home.home, join(folder, home.name));
        threads += ids.length;
      }
    };
    await Promise.all(Array.from({ length: SERVERS }, work));
  }, 600_000);
  afterAll(() => { if (process.env['TAPEFOLD_KEEP_RECORDINGS'] === undefined) rmSync(folder, { recursive: true, force: true }); });

  it('[R-RPC-1] lists, reads, turns in three views and items both ways are the recorded ones, but for what docs/compatibility.json lists, and all that it lists is needed', async () => {
    const pairs = homes.map(({ name, golden }) => ({ expected: golden, actual: join(folder, name) }));
    const { isEqual, report } = await compareRecordings(pairs, ['--strict-allow']);
    expect(isEqual, report).toBe(true);
    expect(report).toContain(`${homes.length} of ${homes.length} homes equal`);
  }, 60_000);

  it('[R-RPC-1] compares what there is to compare', () => {
    expect(homes.length).toBeGreaterThanOrEqual(99);
    expect(threads).toBeGreaterThanOrEqual(260);
  });
});
