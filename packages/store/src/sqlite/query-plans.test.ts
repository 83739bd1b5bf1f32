import Database from 'better-sqlite3';
import { expect, it, vi } from 'vitest';
import { everyHome, index, newStore } from '../indexing/grown-home.suite.js';
import { createRowSearch } from '../search/search-rows.js';
import { indexTexts } from '../search/text-indexer.js';
import { createStoreSource } from '../source/store-source.js';
import type { SqliteStore } from './sqlite-store.js';

/** Tables that statements go through: they have a row or few, or all of their rows are asked for; of `shared` whether it has any, of what waits for the text index its first rows; how many they are. */
const goneThrough = ['CONSTANT ROW', 'histories', 'lease', 'maps', 'search_cut', 'search_queue', 'shared USING COVERING INDEX shared_by_base', 'turn_texts'];
/** What a virtual table is looked up by. */
const looked = /^\w+ VIRTUAL TABLE INDEX (?:0:\S|[1-9]\d*:)/;

/** Whatever is asked of the database while homes are indexed, listed, opened and searched. */
async function asked(): Promise<{ readonly statements: ReadonlySet<string>; readonly store: SqliteStore }> {
  const spy = vi.spyOn(Database.prototype, 'prepare');
  try {
    const store = await newStore();
    const homes = everyHome().filter(({ name }) => ['handmade/12-paginated', 'recorded/0.171/fork', 'claude/handmade'].includes(name)).map(({ home }) => home);
    await index(store, homes);
    await indexTexts(store, { isStopped: () => false });
    const source = createStoreSource({ homes, store });
    for (const { thread } of (await source.list()).rows) {
      const { history } = await source.history(thread.id);
      await history.turnPage({ direction: 'asc', limit: 3, anchor: undefined, hasItems: true });
      await history.itemPage({ direction: 'desc', limit: 3, anchor: undefined });
    }
    createRowSearch(store, { homes, nowMs: Date.now }).search({ text: 'the' });
    return { statements: new Set(spy.mock.calls.map(([sql]) => sql)), store };
  } finally {
    spy.mockRestore();
  }
}

it('[R-STO-2] no statement goes through a table whose rows are many', async () => {
  const { statements, store } = await asked();
  const scans = [...statements].filter((sql) => /^\s*(?:SELECT|UPDATE|DELETE|INSERT)/.test(sql)).flatMap((sql) => {
    const plan = store.db.prepare<null[], { readonly detail: string }>(`EXPLAIN QUERY PLAN ${sql}`).all(...[...sql.matchAll(/\?/g)].map(() => null));
    return plan.flatMap(({ detail }) => (detail.startsWith('SCAN ') ? `${detail.slice(5)}\n  in ${sql}` : []));
  });
  expect(scans.filter((scan) => !looked.test(scan) && !goneThrough.some((table) => scan.startsWith(`${table}\n`)))).toEqual([]);
  expect(statements.size).toBeGreaterThan(100);
  await store.close();
});
