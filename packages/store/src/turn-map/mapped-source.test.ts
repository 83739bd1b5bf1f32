import { testFolder } from '@tapefold/testing';
import { appendFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createFileSource } from '../files/file-source.js';
import { index, newStore, put, verified } from '../indexing/grown-home.suite.js';
import { createStoreSource } from '../source/store-source.js';
import type { SqliteStore } from '../sqlite/sqlite-store.js';
import type { HomeRef } from '../thread-source.js';
import { differentPages } from '../verify/different-pages.js';
import type { RolloutStep } from './hostile-records.suite.js';
import { hostileText } from './hostile-rollout.suite.js';
import { MAP_IDLE_MS } from './limits.js';

const ID = '01990000-0000-7000-8000-000000000001';
const turns = (count: number): RolloutStep[] => Array.from({ length: count }, (_, call): RolloutStep[] => [
  { kind: 'ask', back: 0 }, { kind: 'call', back: 0, call, isNamed: true }, { kind: 'command', back: 0, call, isNamed: true }, { kind: 'output', call, how: 1 }, { kind: 'say', back: 0 }, { kind: 'end', back: 0 }, { kind: 'begin', back: 0 },
]).flat();
const text = (count: number): string => hostileText({ steps: turns(count), spoiled: [], isTame: true, hasLongIds: true, cut: undefined });

function newHome(content = text(40)): { readonly home: HomeRef; readonly path: string } {
  const home: HomeRef = { program: 'codex', path: testFolder() };
  const path = join(home.path, `sessions/2026/01/02/rollout-2026-01-02T03-04-05-${ID}.jsonl`);
  put(path, content, Date.UTC(2026, 0, 3));
  return { home, path };
}

/** Indexes until the map is there and rows have just begun. */
async function indexMaps(store: SqliteStore, home: HomeRef): Promise<void> {
  let isStopped = false;
  await index(store, [home], { mappedBytes: 1, steps: { commitBytes: 1, chunkBytes: 1_000 }, isStopped: () => isStopped, onProgress: ({ bytesDone }) => { isStopped ||= bytesDone > 0; } });
}

describe('[R-STO-3] a large thread whose rows are being made', () => {
  it('answers from the map of its turns, and says nothing of rows that are missing', async () => {
    const { home } = newHome();
    const store = await newStore();
    await indexMaps(store, home);
    const source = createStoreSource({ homes: [home], store });
    const { stamp, history, notYetIndexed, thread } = await source.history(ID);
    expect(stamp).toMatch(/^map /);
    expect(notYetIndexed).toBeUndefined();
    expect(await source.notYetIndexed(ID)).toBeUndefined();
    expect(await source.openNewest(ID, { turns: 5, wholeBytes: 0 })).toBeUndefined();
    const files = await createFileSource([home]).history(ID);
    expect(thread).toEqual(files.thread);
    expect(await differentPages(files.history, history)).toBeUndefined();
    await store.close();
  });

  it('is found again by its whole id; what the newest one is, or a part of an id means, is looked for anew', async () => {
    const { home, path } = newHome();
    const store = await newStore();
    await indexMaps(store, home);
    const source = createStoreSource({ homes: [home], store, isFollowed: true });
    for (const id of [ID, 'last', ID.slice(0, 20)]) expect((await source.history(id)).thread.id).toBe(ID);
    const other = `${ID.slice(0, -1)}9`;
    put(path.replace(ID, other), text(2).replaceAll(ID, other), Date.UTC(2026, 0, 4));
    expect((await source.history(ID)).thread.id).toBe(ID);
    expect((await source.history('last')).thread.id).toBe(other);
    await expect(source.history(ID.slice(0, 20))).rejects.toMatchObject({ code: 'ambiguousId' });
    await store.close();
  });

  it('names the turn that may run by its key in that history', async () => {
    const { home } = newHome();
    const store = await newStore();
    await indexMaps(store, home);
    const { history, openTurn } = await createStoreSource({ homes: [home], store }).history(ID);
    const { rows: [last] } = await history.turnPage({ anchor: undefined, direction: 'desc', limit: 1, hasItems: false });
    expect(await openTurn?.()).toBe(last?.rows.turn.key);
    await store.close();
  });

  it('answers from its file once that is another one, and from its rows once they are there; then the map goes', async () => {
    const { home, path } = newHome();
    const store = await newStore();
    await indexMaps(store, home);
    const source = createStoreSource({ homes: [home], store });
    appendFileSync(path, text(41).slice(text(40).length));
    expect((await source.history(ID)).stamp).toBeUndefined();
    await index(store, [home], { mappedBytes: 1 });
    const { stamp, history } = await source.history(ID);
    expect(stamp).not.toMatch(/^map /);
    expect(await differentPages((await createFileSource([home]).history(ID)).history, history)).toBeUndefined();
    expect(await store.mapped()).toHaveLength(1);
    for (const [nowMs, left] of [[1_000, 1], [1_000 + MAP_IDLE_MS - 1, 1], [1_000 + MAP_IDLE_MS, 0]] as const) {
      await index(store, [home], { mappedBytes: 1, nowMs: () => nowMs });
      expect(await store.mapped()).toHaveLength(left);
    }
    await store.close();
  });

  it('is not answered from the map of a file that was rewritten, is gone, or has no stretches', async () => {
    const { home, path } = newHome();
    const store = await newStore();
    const source = createStoreSource({ homes: [home], store });
    await indexMaps(store, home);
    put(path, text(40).replaceAll('words', 'WORDS'), Date.UTC(2026, 0, 4));
    expect((await source.history(ID)).stamp).toBeUndefined();
    writeFileSync(path, text(40).replace('"ordinal":30,', ''));
    await indexMaps(store, home);
    expect(await store.mapped()).toEqual([]);
    writeFileSync(path, text(40));
    await indexMaps(store, home);
    expect(await store.mapped()).toHaveLength(1);
    rmSync(path);
    await indexMaps(store, home);
    expect(await store.mapped()).toEqual([]);
    await store.close();
  });

  it('[R-STO-8] is verified by its map, too', async () => {
    const { home } = newHome();
    const store = await newStore();
    await indexMaps(store, home);
    expect((await verified(store, [home])).wrong).toEqual([]);
    store.db.prepare('UPDATE map_turns SET is_start = 0 WHERE ordinal > 30').run();
    expect((await verified(store, [home])).wrong).toEqual([]);
    store.db.prepare('UPDATE map_turns SET byte = byte + 1, is_start = 1 WHERE ordinal > 30').run();
    expect((await verified(store, [home])).wrong).toMatchObject([{ state: 'differs', difference: expect.stringContaining('the map of its turns: pages.') }]);
    await store.close();
  });

  it('is refused once its file is another one while pages are played; what is only longer goes on', async () => {
    const { home, path } = newHome();
    const store = await newStore();
    await indexMaps(store, home);
    const source = createStoreSource({ homes: [home], store });
    const { history } = await source.history(ID);
    const page = (from: number) => history.itemPage({ anchor: { ordinal: from, part: [0], includeAnchor: true }, direction: 'asc', limit: 1 });
    appendFileSync(path, text(41).slice(text(40).length));
    const { rows: [grown] } = await page(100);
    expect(grown?.place.ordinal).toBeGreaterThan(99);
    put(path, text(41).replaceAll('words', 'WORDS'), Date.UTC(2026, 0, 4));
    await expect(page(200)).rejects.toMatchObject({ code: 'rewritten' });
    writeFileSync(path, text(3));
    await expect(page(150)).rejects.toMatchObject({ code: 'changedWhileReading' });
    rmSync(path);
    await expect(page(160)).rejects.toMatchObject({ code: 'notFound' });
    await store.close();
  });

  it('that is read whole while its map goes is refused, not cut short', async () => {
    const { home } = newHome();
    const store = await newStore();
    await indexMaps(store, home);
    const { history } = await createStoreSource({ homes: [home], store }).history(ID);
    const read = async (): Promise<void> => {
      let turn = 0;
      for await (const _ of history.eachTurn()) if (turn++ === 3) await store.clear();
    };
    await expect(read()).rejects.toMatchObject({ code: 'rewritten' });
    await store.close();
  });
});
