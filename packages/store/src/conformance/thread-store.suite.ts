import type { ItemRow } from '@tapefold/threads';
import { type HistoryItem, type HistoryReader, compareOrder, emptyThreadHead } from '@tapefold/threads';
import { rmSync, truncateSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createFileSource } from '../files/file-source.js';
import { pieceReader } from '../files/piece-reader.js';
import { everyHome, folder, index, shelvesOf, verified } from '../indexing/grown-home.suite.js';
import { scopeOf } from '../indexing/indexer.js';
import { historyName } from '../indexing/plan-history.js';
import { pathOf, threadId, writeThreads } from '../search/written-home.suite.js';
import type { HomeRef } from '../thread-source.js';
import type { HistoryWrite, ThreadStore } from '../thread-store.js';
import type { TurnMap } from '../turn-map/turn-map.js';

/** Some data of its own for each test, which several handles can be opened over, as several processes would. */
export interface StoreUnderTest {
  readonly open: (nowMs?: () => number) => Promise<ThreadStore>;
}

/** Commits after each few lines. */
const steps = { commitBytes: 1, chunkBytes: 700 };
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value)) as unknown;

/** A home with written threads, the second of which was rolled back. */
function writtenHome(): HomeRef {
  const home: HomeRef = { program: 'codex', path: folder() };
  const turn = (text: string) => [{ user: text }, { agent: `re: ${text}` }, { command: ['echo', text], output: text }];
  writeThreads(home, [
    { n: 1, turns: Array.from({ length: 23 }, (_, i) => turn(`turn ${i}`)) },
    { n: 2, turns: [turn('kept'), turn('gone'), [{ rollback: 1 }], turn('instead')], isOpen: true },
  ]);
  return home;
}

/** The answers of a written thread. */
async function historyOf(store: ThreadStore, home: HomeRef, n: number): Promise<HistoryReader | undefined> {
  const shelves = await shelvesOf([home]);
  const thread = shelves.find(threadId(n));
  const opened = await store.open(historyName(thread), { thread: { id: threadId(n), historyMode: 'legacy' }, readPiece: pieceReader(shelves.byTape) });
  return opened?.history;
}

async function all<T>(rows: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const row of rows) list.push(row);
  return list;
}

/** Every item, by pages of a size. */
async function paged(history: HistoryReader, direction: 'asc' | 'desc', limit: number): Promise<HistoryItem[]> {
  const items: HistoryItem[] = [];
  for (let anchor: Parameters<HistoryReader['itemPage']>[0]['anchor'], isMore = true; isMore;) {
    const { rows } = await history.itemPage({ anchor, direction, limit });
    items.push(...rows);
    const last = rows.at(-1);
    anchor = last && { ...last.place, includeAnchor: false };
    isMore = last !== undefined;
  }
  return items;
}

const keys = (items: readonly HistoryItem[]): string[] => items.map(({ row }) => row.key);

/** The commits of an indexing run, handed on to a store. */
function spied(store: ThreadStore, onCommit: (write: HistoryWrite) => Promise<void>): ThreadStore {
  return new Proxy(store, {
    get(target, name) {
      const value = Reflect.get(target, name) as unknown;
      if (name === 'commit') return async (write: HistoryWrite) => { const id = await target.commit(write); await onCommit(write); return id; };
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}

async function acquired({ open }: StoreUnderTest): Promise<ThreadStore> {
  const store = await open();
  expect(await store.acquire()).toBeUndefined();
  return store;
}

function describeRows(create: () => Promise<StoreUnderTest>): void {
  it('[R-STO-1] an empty store has nothing, and says so', async () => {
    const store = await acquired(await create());
    expect(await store.histories()).toEqual([]);
    expect(await store.checkpoint('x')).toBeUndefined();
    expect(await store.dump('x')).toBeUndefined();
    expect(await store.open('x', { thread: { id: 'x', historyMode: 'legacy' }, readPiece: () => undefined })).toBeUndefined();
    expect(await store.threads('x')).toBeUndefined();
    expect(await store.thread('x', 'y')).toBeUndefined();
    await store.close();
  });

  it('[R-STO-1] rows, record numbers, checkpoint and pages are those of a fresh fold of the tapes', async () => {
    let threads = 0;
    for (const { name, home } of everyHome().filter((_, i) => i % 12 === 5)) {
      const store = await acquired(await create());
      await index(store, [home]);
      const found = await verified(store, [home]);
      expect(found.wrong, name).toEqual([]);
      threads += found.threads;
      await store.close();
    }
    expect(threads).toBeGreaterThan(15);
  });

  it('[R-STO-2] after every commit they are those of a prefix, also for a second reader', async () => {
    const under = await create();
    const store = await acquired(under);
    const reader = await under.open();
    const home = writtenHome();
    let commits = 0;
    await index(spied(store, async () => {
      commits += 1;
      if (commits % 4 === 0) expect((await verified(reader, [home])).wrong.filter(({ state }) => state === 'differs')).toEqual([]);
    }), [home], { steps });
    expect(commits).toBeGreaterThan(12);
    expect((await verified(reader, [home])).wrong).toEqual([]);
    await reader.close();
    await store.close();
  });

  it.each(['asc', 'desc'] as const)('[R-THR-5] pages in either direction cover each item once, whatever their size (%s)', async (direction) => {
    const store = await acquired(await create());
    const home = writtenHome();
    await index(store, [home]);
    for (const n of [1, 2]) {
      const history = await historyOf(store, home, n) as HistoryReader;
      const expected = await all(history.eachItem());
      const inOrder = direction === 'asc' ? expected : [...expected].reverse();
      expect(expected.length).toBe(n === 1 ? 69 : 6);
      expect([...expected].sort((a, b) => compareOrder(a.row.order, b.row.order))).toEqual(expected);
      for (const limit of [1, 2, 7, 100]) expect(keys(await paged(history, direction, limit)), `pages of ${limit}`).toEqual(keys(inOrder));
      const turns = await all(history.eachTurn());
      expect(turns.map(({ rows }) => rows.items.map(({ key }) => key)).flat()).toEqual(keys(expected));
      expect(plain((await history.turnPage({ anchor: undefined, direction: 'asc', limit: 100, hasItems: true })).rows)).toEqual(plain(turns));
    }
    await store.close();
  });

  it('[R-STO-2] files that are gone take their rows along; an open history of them is refused', async () => {
    const store = await acquired(await create());
    const home = writtenHome();
    await index(store, [home]);
    const open = await historyOf(store, home, 1) as HistoryReader;
    rmSync(pathOf(home, 1));
    expect(await index(store, [home])).toMatchObject({ dropped: 1 });
    expect((await store.histories()).length).toBe(1);
    await expect(open.itemPage({ anchor: undefined, direction: 'asc', limit: 1 })).rejects.toMatchObject({ code: 'rewritten' });
    expect(await store.thread(scopeOf([home]), threadId(1))).toBeUndefined();
    await store.clear();
    expect(await store.histories()).toEqual([]);
    expect(await store.threads(scopeOf([home]))).toBeUndefined();
    await store.close();
  });

  it('[R-STO-2] rows that are built anew begin a new generation: an open page begins again', async () => {
    const store = await acquired(await create());
    const home = writtenHome();
    await index(store, [home]);
    const open = await historyOf(store, home, 2) as HistoryReader;
    truncateSync(pathOf(home, 2), 900);
    await index(store, [home]);
    await expect(open.itemPage({ anchor: undefined, direction: 'asc', limit: 1 })).rejects.toMatchObject({ code: 'rewritten' });
    expect((await store.histories()).map(({ generation }) => generation).sort((a, b) => a - b)).toEqual([0, 1]);
    expect((await verified(store, [home])).wrong).toEqual([]);
    await store.close();
  });
}

function describeWriting(create: () => Promise<StoreUnderTest>): void {
  it('[R-STO-2] a commit is all or nothing', async () => {
    const store = await acquired(await create());
    const home = writtenHome();
    await index(store, [home]);
    const [entry] = await store.histories();
    const before = await store.dump(entry?.name ?? '');
    const [row] = before?.items ?? [];
    const broken = { ...row, get body(): ItemRow['body'] { throw new Error('it cannot be written'); } } as ItemRow;
    const state = { ...(before?.checkpoint.state as HistoryWrite['state']), position: 99_999 };
    const write: HistoryWrite = { name: entry?.name ?? '', isNew: true, state, player: null, turns: before?.turns.slice(0, 1) ?? [], items: [...(before?.items.slice(0, 1) ?? []), broken], steps: [], notices: [], realtime: [], records: [], outline: [], starts: [] };
    await expect(store.commit(write)).rejects.toThrow('it cannot be written');
    expect(await store.dump(entry?.name ?? '')).toEqual(before);
    await store.close();
  });

  it('[R-STO-1] one writes at a time: who comes second is told, and takes over from one that released, or is silent, which then is refused', async () => {
    let nowMs = 0;
    const under = await create();
    const [first, second] = [await under.open(() => nowMs), await under.open(() => nowMs)];
    expect(await first.acquire()).toBeUndefined();
    expect(await second.acquire()).toMatchObject({ pid: process.pid });
    await expect(second.clear()).rejects.toMatchObject({ code: 'leaseLost' });
    await first.release();
    expect(await second.acquire()).toBeUndefined();
    nowMs = 60_000;
    expect(await first.acquire()).toBeUndefined();
    const home = writtenHome();
    await expect(index(second, [home])).rejects.toMatchObject({ code: 'leaseLost' });
    await index(first, [home]);
    expect((await verified(second, [home])).wrong).toEqual([]);
    await first.close();
    await second.close();
  });

  it('[R-STO-3] the list comes back as it was written, by scope; of an id that two threads have there is none', async () => {
    const store = await acquired(await create());
    const home = writtenHome();
    await index(store, [home]);
    const listed = (await createFileSource([home]).list()).rows;
    expect(plain((await store.threads(scopeOf([home])))?.map(({ summary }) => summary))).toEqual(plain(listed));
    const found = await store.thread(scopeOf([home]), threadId(1));
    expect(found).toMatchObject({ name: expect.stringContaining(threadId(1)), object: { id: threadId(1), preview: 'turn 0' }, state: { isWhole: true } });
    const entry = { ...(await store.threads(scopeOf([home])))![0]!, object: null };
    await store.setThreads('another scope', [entry, entry]);
    expect(await store.thread('another scope', entry.summary.thread.id)).toBeUndefined();
    expect((await store.threads('another scope'))?.length).toBe(2);
    expect((await store.threads(scopeOf([home])))?.length).toBe(2);
    await store.close();
  });
}

/** A map of six turns, in four stretches of two files. */
function turnMap(): TurnMap {
  const mark = (n: number, isStart: boolean): TurnMap['marks'][number] => ({ id: n === 4 ? 'turn 1' : `turn ${n}`, ordinal: 3 + 10 * n, offset: 300 + 1_000 * n, isStart });
  const stamp = { tape: 'codex/x', path: '/x', sizeBytes: 6_000, mtimeMs: 1, inode: 1, device: 1, bytes: 5_000, headHash: '', tailHash: '', endOffset: null, endOrdinal: null };
  const files = [{ threadId: 't', from: 0, to: 5_000, firstOrdinal: 3 }, { threadId: 't', from: 5_000, to: 6_000, firstOrdinal: 53 }];
  return { marks: [mark(0, true), mark(1, true), mark(2, false), mark(3, true), mark(4, false), mark(5, true)], state: { head: emptyThreadHead, realtime: [], files, stamps: [stamp, { ...stamp, tape: 'codex/y' }], ordinals: [3, 53], problems: [] } };
}

function describeMaps(create: () => Promise<StoreUnderTest>): void {
  it('[R-STO-3] the stretches of a map are found by record, by byte, by turn, and by each other', async () => {
    const under = await create();
    const store = await acquired(under);
    await store.setTurnMap('x', turnMap());
    const reader = await under.open();
    const map = await reader.turnMap('x');
    const [first, second, third] = [{ ordinal: 3, file: 0, from: 0, to: 1_300, position: 0 }, { ordinal: 13, file: 0, from: 1_300, to: 3_300, position: 1_300 }, { ordinal: 33, file: 0, from: 3_300, to: 5_000, position: 3_300 }];
    const last = { ordinal: 53, file: 1, from: 0, to: 1_000, position: 5_000 };
    expect(map?.state).toEqual(turnMap().state);
    expect([0, 3, 12, 13, 32, 33, 52, 53, 99].map((ordinal) => map?.stretchAt(ordinal))).toEqual([first, first, first, second, second, third, third, last, last]);
    expect([first, second, third, last].map((stretch) => [map?.nextTo(stretch, 'before'), map?.nextTo(stretch, 'behind')])).toEqual([[undefined, second], [first, third], [second, last], [third, undefined]]);
    expect(['turn 0', 'turn 1', 'turn 2', 'none'].map((id) => map?.stretchesOf(id))).toEqual([[first], [second, third], [second], []]);
    expect([0, 300, 301, 4_300, 4_301, 5_301].map((offset) => map?.ordinalFrom(offset))).toEqual([3, 3, 13, 43, 53, undefined]);
    await reader.close();
    await store.close();
  });

  it('[R-STO-3] a map that another one took the place of, or none, is refused; names tell which there are', async () => {
    const store = await acquired(await create());
    expect(await store.turnMap('x')).toBeUndefined();
    await store.setTurnMap('x', turnMap());
    await store.setTurnMap('y', turnMap());
    await store.setMapIdle('y', 7);
    expect([...await store.mapped()].sort((a, b) => (a.name < b.name ? -1 : 1))).toEqual([{ name: 'x', idleSinceMs: null }, { name: 'y', idleSinceMs: 7 }]);
    const old = await store.turnMap('x');
    await store.setTurnMap('x', turnMap());
    expect((await store.turnMap('x'))?.stamp).not.toBe(old?.stamp);
    for (const look of [() => old?.stretchAt(13), () => old?.stretchesOf('turn 2'), () => old?.nextTo({ ordinal: 3, file: 0, from: 0, to: 1_300, position: 0 }, 'behind')]) expect(look).toThrow(expect.objectContaining({ code: 'rewritten' }));
    await store.setTurnMap('x', undefined);
    expect((await store.mapped()).map(({ name }) => name)).toEqual(['y']);
    await store.clear();
    expect(await store.mapped()).toEqual([]);
    await store.close();
  });
}

/** What every store of threads has to do, whatever it keeps them in. */
export function describeThreadStore(name: string, create: () => Promise<StoreUnderTest>): void {
  describe(`${name}: rows`, () => describeRows(create));
  describe(`${name}: writing`, () => describeWriting(create));
  describe(`${name}: maps`, () => describeMaps(create));
}
