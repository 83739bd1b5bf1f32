import { compareRecordings, recordedAnswer, recordedHomes } from '@tapefold/testing';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { printed } from '../printed.suite.js';

describe('show --json beside what the real program answered', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tapefold-oracle-'));
  const homes = recordedHomes();
  const pairs = homes.map(({ name }) => ({ expected: join(folder, 'expected', name), actual: join(folder, 'actual', name) }));
  let threads = 0;

  beforeAll(async () => {
    for (const [i, home] of homes.entries()) {
      const { expected, actual } = pairs[i]!;
      mkdirSync(expected, { recursive: true });
      mkdirSync(actual, { recursive: true });
      for (const id of home.threadIds) {
        threads += 1;
        writeFileSync(join(expected, `${id}.json`), JSON.stringify({ read: { thread: recordedAnswer(home, id).read.thread } }));
        writeFileSync(join(actual, `${id}.json`), JSON.stringify({ read: JSON.parse(await printed(['show', id, '--json', '--home', `codex=${home.home}`])) as unknown }));
      }
    }
  }, 600_000);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('[R-THR-1] every thread of every recorded home equals thread/read with turns, but for what docs/compatibility.json lists', async () => {
    const { isEqual, report } = await compareRecordings(pairs);
    expect(isEqual, report).toBe(true);
    expect(report).toContain(`${homes.length} of ${homes.length} homes equal`);
  }, 60_000);

  it('[R-THR-1] compares what there is to compare', () => {
    expect(homes.length).toBeGreaterThanOrEqual(99);
    expect(threads).toBeGreaterThanOrEqual(250);
  });
});
