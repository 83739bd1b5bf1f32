import { appendFileSync, cpSync, readFileSync, rmSync, truncateSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { everyHome, filesBelow, folder, index, newStore } from '../indexing/grown-home.suite.js';
import { indexTexts } from '../search/text-indexer.js';
import type { SqliteStore } from '../sqlite/sqlite-store.js';
import type { HomeRef } from '../thread-source.js';
import type { VerifyResult } from '../verify/verify-thread.js';
import { verifyHomes } from './verify-homes.js';

const CHANGED = 'its files changed since it was indexed: run `tapefold index`';
const GONE = 'its files are gone since it was indexed: run `tapefold index`';

async function all(store: SqliteStore, home: HomeRef): Promise<VerifyResult[]> {
  const results: VerifyResult[] = [];
  for await (const result of verifyHomes(store, [home])) results.push(result);
  return results;
}
const wrong = async (store: SqliteStore, home: HomeRef): Promise<VerifyResult[]> => (await all(store, home)).filter(({ state }) => state !== 'equal');
const isRollout = (name: string): boolean => name.endsWith('.jsonl') && name.includes('rollout-');

/** A copy of a recorded home, indexed. */
async function copied(name: string): Promise<{ readonly home: HomeRef; readonly store: SqliteStore; readonly rollouts: readonly string[] }> {
  const found = everyHome().find((each) => each.name.endsWith(name));
  if (!found) throw new Error(`no home ${name}`);
  const home: HomeRef = { program: found.home.program, path: folder() };
  cpSync(found.home.path, home.path, { recursive: true });
  const store = await newStore();
  await index(store, [home]);
  await indexTexts(store);
  return { home, store, rollouts: filesBelow(home.path).filter(isRollout).map((file) => join(home.path, file)) };
}

/** Rollouts that another one names as its base. */
function bases(rollouts: readonly string[]): string[] {
  return rollouts.filter((path) => rollouts.some((other) => other !== path && readFileSync(other, 'utf8').split('\n', 1)[0]?.includes(path.slice(-42, -6))));
}

describe('[R-STO-2] verify', () => {
  it.each(['0.171/revert', '0.171/fork'])('names each session of %s whose base is gone, and compares the others', async (name) => {
    const { home, store, rollouts } = await copied(name);
    expect(await wrong(store, home)).toEqual([]);
    const [base] = bases(rollouts);
    rmSync(base as string);
    const results = await all(store, home);
    expect(results.filter(({ difference }) => difference === CHANGED).length).toBeGreaterThan(0);
    expect(results.filter(({ state, difference }) => state !== 'equal' && difference !== CHANGED && difference !== GONE)).toEqual([]);
    await index(store, [home]);
    await indexTexts(store);
    expect(await wrong(store, home)).toEqual([]);
    await store.close();
  });

  it.each(['0.171/revert', '0.171/fork'])('names the sessions of %s whose files were cut', async (name) => {
    const { home, store, rollouts } = await copied(name);
    const before = (await all(store, home)).length;
    for (const path of rollouts) truncateSync(path, Math.floor(readFileSync(path).length * 2 / 3));
    const results = await all(store, home);
    expect(results.length).toBeGreaterThanOrEqual(before);
    expect(new Set(results.map(({ difference }) => difference))).toEqual(new Set([CHANGED]));
    await index(store, [home]);
    await indexTexts(store);
    expect(await wrong(store, home)).toEqual([]);
    await store.close();
  });

  it('finds a session equal that grew over a base which ends too early: it is told of as long as it is so', async () => {
    const { home, store, rollouts } = await copied('0.171/revert');
    const [base] = bases(rollouts);
    truncateSync(base as string, 3_000);
    await index(store, [home]);
    const newest = rollouts.find((path) => path !== base) as string;
    appendFileSync(newest, `${JSON.stringify({ timestamp: '2026-11-30T09:00:00.000Z', type: 'event_msg', payload: { type: 'agent_message', message: 'more' } })}\n`);
    expect(await index(store, [home])).toMatchObject({ continued: 1 });
    await indexTexts(store);
    expect((await store.histories()).flatMap(({ state }) => state.problems)).toMatchObject([expect.stringContaining('ends before the place where this thread goes on from it')]);
    expect(await wrong(store, home)).toEqual([]);
    await store.close();
  });

  it('names one session that was written to at another time, and finds the others equal', async () => {
    const { home, store, rollouts } = await copied('0.171/fork');
    utimesSync(rollouts.at(-1) as string, 1, 1);
    expect(await wrong(store, home)).toMatchObject([{ difference: CHANGED }]);
    await store.close();
  });

  const ofList: readonly (readonly [what: string, damage: string, named: RegExp])[] = [
    ['the preview of a thread', `summary = json_set(summary, '$.thread.preview', 'another')`, /^its row in the list\.summary\.thread\.preview: .*"another" in the index$/],
    ['whether it is archived', `summary = json_set(summary, '$.isArchived', json('true'))`, /^its row in the list\.summary\.isArchived: /],
    ['its rows by files', `file_rows = '[]'`, /^its row in the list\.fileRows: /],
    ['the thread itself', `object = json_set(object, '$.cwd', 'another')`, /^the thread in the list\.cwd: .*"another" in the index$/],
    ['a thread that is no JSON', `object = 'no'`, /^the thread in the list cannot be read back: .*JSON/],
    ['a row that is no JSON', `summary = 'no'`, /^the list of sessions in the index cannot be read back: .*JSON/],
    ['the name of its history', `name = 'another'`, /^it is missing in the list of sessions in the index$/],
  ];
  it.each(ofList)('names what the list says wrong: %s', async (_, damage, named) => {
    const { home, store } = await copied('0.171/chat-3-turns');
    expect(store.db.prepare(`UPDATE threads SET ${damage} WHERE place = 0`).run().changes).toBe(1);
    store.db.exec(`UPDATE meta SET value = value + 1 WHERE key = 'threads'`);
    expect((await wrong(store, home))[0]).toMatchObject({ state: 'differs', difference: expect.stringMatching(named) });
    await store.close();
  });
});
