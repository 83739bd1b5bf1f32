import { describe, expect, it } from 'vitest';
import { createFileSource } from '../files/file-source.js';
import { pathOf, writeThreads } from '../search/written-home.suite.js';
import { indexTexts } from '../search/text-indexer.js';
import { rowTables } from '../sqlite/schema.js';
import { SqliteHistory } from '../sqlite/sqlite-history.js';
import type { SqliteStore } from '../sqlite/sqlite-store.js';
import { createStoreSource } from '../source/store-source.js';
import type { HomeRef } from '../thread-source.js';
import { type ForkedFile, ForkedHome, doubled, unshared } from './forked-home.suite.js';
import { everyHome, folder, index, newStore, shelvesOf, verified } from './grown-home.suite.js';

/** Lines of a written turn. */
const TURN_LINES = 5;

/** A base of so many turns with forks at three cuts, and a fork of the second of them. */
function forkedHome(count = 30): { readonly forked: ForkedHome; readonly base: ForkedFile; readonly forks: readonly ForkedFile[] } {
  const written: HomeRef = { program: 'codex', path: folder() };
  writeThreads(written, [{ n: 1, turns: Array.from({ length: count }, (_, i) => [{ user: `question ${i}` }, { agent: `answer ${i}: ${'word '.repeat(20)}` }, { command: ['echo', `${i}`], output: `${'out '.repeat(400)}${i}` }]) }]);
  const forked = new ForkedHome(pathOf(written, 1));
  const base = forked.begin();
  forked.write(base, Infinity);
  const forks = [1, Math.floor(count / 2), count - 5].map((turns) => forked.goOn(base, { lines: 1 + turns * TURN_LINES, own: 2 * TURN_LINES }));
  for (const fork of forks) forked.write(fork, Infinity);
  const second = forked.goOn(forks[1] as ForkedFile, { lines: 1 + TURN_LINES, own: TURN_LINES });
  forked.write(second, Infinity);
  return { forked, base, forks: [...forks, second] };
}

const count = (store: SqliteStore, table: string): number => store.db.prepare<[], number>(`SELECT COUNT(*) FROM ${table}`).pluck().get() ?? 0;
const sizeOf = (store: SqliteStore): number => Number(store.db.pragma('page_count', { simple: true })) - Number(store.db.pragma('freelist_count', { simple: true }));
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value)) as unknown;

/** What a source answers about every thread of a home. */
async function answersOf(home: HomeRef, store?: SqliteStore): Promise<unknown> {
  const source = store ? createStoreSource({ homes: [home], store }) : createFileSource([home]);
  const answers = [];
  for (const { threadId } of (await shelvesOf([home])).threads()) {
    const { history } = await source.history(threadId);
    if (store) expect(history).toBeInstanceOf(SqliteHistory);
    const page = async (direction: 'asc' | 'desc') => (await history.itemPage({ anchor: undefined, direction, limit: 20 })).rows.map(({ row, turnId, place }) => [row.key, turnId, place]);
    answers.push({ reading: await source.read(threadId), asOf: await source.read(threadId, { asOf: 12 }), first: await page('asc'), last: await page('desc'), turns: (await history.turnsOfId('t3')).length, ended: (await history.endedTurns(undefined, 5)).map(({ turn, place }) => [turn.rows.turn.key, place]) });
  }
  return plain(answers);
}

describe('[R-STO-1] a base and its forks', () => {
  it('each row of the base stands once, and every thread is that of its files', async () => {
    // Enough for blocks of records and of the outline.
    const turns = 240;
    const { forked, base } = forkedHome(turns);
    const store = await newStore();
    await index(store, [forked.home]);
    await indexTexts(store);
    expect((await verified(store, [forked.home])).wrong).toEqual([]);
    expect(await answersOf(forked.home, store)).toEqual(await answersOf(forked.home));
    expect((await doubled(store)).twice).toEqual([]);
    const alone = await unshared(forked.home);
    const single = await newStore();
    const { forked: other, forks } = forkedHome(turns);
    for (const fork of forks) other.remove(fork);
    await index(single, [other.home]);
    await indexTexts(single);
    // What the forks add: their own turns, and blocks of which they end in the middle.
    for (const table of ['turns', 'items', 'search_text_docsize', 'search_output_docsize']) expect(count(store, table) - count(single, table), table).toBeLessThanOrEqual(4 * 2 * TURN_LINES);
    for (const table of ['turns', 'items', 'search_text_docsize', 'search_output_docsize']) expect(count(alone, table), table).toBeGreaterThan(2.4 * count(single, table));
    for (const table of rowTables) expect(count(store, table), table).toBeLessThanOrEqual(count(single, table) + 60);
    expect(sizeOf(store)).toBeLessThan(sizeOf(single) * 1.15);
    expect(sizeOf(alone)).toBeGreaterThan(sizeOf(single) * 2);
    expect(base.written.length).toBeGreaterThan(400_000);
    for (const each of [store, alone, single]) await each.close();
  }, 60_000);

  it('recorded ones, too: a fork of a recorded session has no row that its base has', async () => {
    const home = everyHome().find(({ name }) => name === 'recorded/0.171/fork')?.home as HomeRef;
    const store = await newStore();
    await index(store, [home]);
    const { twice, shared } = await doubled(store);
    expect(twice).toEqual([]);
    expect(shared).toBeGreaterThan(8);
    expect((await verified(store, [home])).wrong).toEqual([]);
    await store.close();
  });

  it('a thread without forks notes nothing of the kind', async () => {
    const { forked, forks } = forkedHome();
    for (const fork of forks) forked.remove(fork);
    const store = await newStore();
    await index(store, [forked.home]);
    expect([count(store, 'shared'), count(store, 'hidden')]).toEqual([0, 0]);
    await store.close();
  });

  it('a row of the base that is damaged is named, for the base and for those that share it; what is hidden or shared by mistake as well', async () => {
    const { forked } = forkedHome();
    const store = await newStore();
    await index(store, [forked.home]);
    const wrong = async (damage: string): Promise<number> => {
      store.db.exec('BEGIN');
      store.db.exec(damage);
      const found = (await verified(store, [forked.home])).wrong.length;
      store.db.exec('ROLLBACK');
      return found;
    };
    expect(await wrong(`UPDATE items SET body = json_set(body, '$.text', 'another') WHERE id = (SELECT MIN(id) FROM items)`)).toBe(5);
    expect(await wrong('DELETE FROM turns WHERE id = (SELECT MIN(id) + 100 FROM turns)')).toBeLessThanOrEqual(3);
    expect(await wrong(`INSERT INTO hidden (id, of) SELECT fork * 8589934592 + i.id % 8589934592, 'items' FROM shared JOIN items i ON i.id = (SELECT MIN(id) FROM items) LIMIT 1`)).toBe(1);
    expect(await wrong('UPDATE shared SET beyond = beyond + 3 WHERE fork = (SELECT MAX(fork) FROM shared)')).toBe(1);
    expect(await wrong('SELECT 1')).toBe(0);
    await store.close();
  }, 60_000);
});

describe('[R-STO-1] [R-STO-2] a fork while its base changes', () => {
  /** A base that is cut in the middle of a call. */
  async function cutInCall(order: 'fork first' | 'base first'): Promise<{ readonly forked: ForkedHome; readonly store: SqliteStore }> {
    const home = everyHome().find(({ name }) => name === 'handmade/4-rollback')?.home as HomeRef;
    const path = (await shelvesOf([home])).threads()[0]?.file.path as string;
    const forked = new ForkedHome(path);
    const base = forked.begin();
    forked.write(base, 7);
    const fork = forked.goOn(base, { lines: 7, own: 3 });
    forked.write(fork, Infinity);
    const store = await newStore();
    if (order === 'fork first') await index(store, [forked.home]);
    forked.write(base, Infinity);
    return { forked, store };
  }

  it.each(['fork first', 'base first'] as const)('stays as it was at the cut (%s)', async (order) => {
    const { forked, store } = await cutInCall(order);
    await index(store, [forked.home]);
    expect((await verified(store, [forked.home])).wrong).toEqual([]);
    expect(await answersOf(forked.home, store)).toEqual(await answersOf(forked.home));
    expect((await doubled(store)).twice).toEqual([]);
    await store.close();
  });

  it('is built anew when the base is, and an open page of it begins again', async () => {
    const { forked, base, forks } = forkedHome();
    const store = await newStore();
    await index(store, [forked.home]);
    const fork = (await shelvesOf([forked.home])).threads().find(({ file }) => file.path === forks[2]?.path);
    const open = await createStoreSource({ homes: [forked.home], store }).history(fork?.threadId ?? '');
    forked.rewrite(base, 3);
    expect(await index(store, [forked.home])).toMatchObject({ built: 5, problems: [] });
    await expect(open.history.itemPage({ anchor: undefined, direction: 'asc', limit: 1 })).rejects.toMatchObject({ code: 'rewritten' });
    expect((await verified(store, [forked.home])).wrong).toEqual([]);
    expect((await doubled(store)).twice).toEqual([]);
    await store.close();
  });

  it('keeps its history when the base is reverted or goes; what is left shares its rows', async () => {
    const { forked, base } = forkedHome();
    const store = await newStore();
    await index(store, [forked.home]);
    const revert = forked.goOn(base, { lines: 1 + 20 * TURN_LINES, own: 1, isRevert: true });
    forked.write(revert, Infinity);
    await index(store, [forked.home]);
    expect((await verified(store, [forked.home])).wrong).toEqual([]);
    const { twice, shared } = await doubled(store);
    expect(twice).toEqual([]);
    expect(shared).toBeGreaterThan(100);
    forked.remove(base);
    await index(store, [forked.home]);
    expect((await verified(store, [forked.home])).wrong).toEqual([]);
    await store.close();
  });

  it('is not told of by a store that is emptied', async () => {
    const { forked } = forkedHome();
    const store = await newStore();
    await index(store, [forked.home]);
    await store.clear();
    expect([...rowTables, 'shared', 'hidden', 'histories'].map((table) => count(store, table)).every((rows) => rows === 0)).toBe(true);
    await index(store, [forked.home]);
    expect((await verified(store, [forked.home])).wrong).toEqual([]);
    await store.close();
  });
});
