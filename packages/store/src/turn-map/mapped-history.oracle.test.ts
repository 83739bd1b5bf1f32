import { describe, expect, it } from 'vitest';
import { everyHome, newStore } from '../indexing/grown-home.suite.js';
import { compareMap, mappableThreads } from './mapped-home.suite.js';

const isLong = process.env['TAPEFOLD_LONG'] === '1';
/** The short run takes every so many threads of a home that has many. */
const EVERY = isLong ? 1 : 3;

describe('[R-STO-3] pages of a thread from the map of its turns', () => {
  it('are those of its whole file, for every recorded paginated thread that has stretches', async () => {
    const store = await newStore();
    const differences: string[] = [];
    const count = { mapped: 0, turns: 0, stretches: 0 };
    for (const { name, home } of everyHome().filter(({ home: { program } }) => program === 'codex')) {
      for (const [i, thread] of (await mappableThreads(home)).entries()) {
        if (i % EVERY > 0) continue;
        const compared = await compareMap(store, thread);
        if (!compared) continue;
        count.mapped += 1;
        count.turns += compared.turns;
        count.stretches += compared.stretches;
        if (compared.difference !== undefined) differences.push(`${name} ${thread.threadId}: ${compared.difference}`);
      }
    }
    await store.close();
    expect(differences).toEqual([]);
    expect(count.mapped).toBeGreaterThan(20);
    expect(count.stretches).toBeGreaterThan(count.turns / 2);
  }, 240_000);
});
