import { appendFileSync, closeSync, existsSync, openSync, readFileSync, statSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { folder, index, newStore, put, verified } from '../indexing/grown-home.suite.js';
import { SCHEMA_VERSION } from '../sqlite/schema.js';
import { SqliteStore } from '../sqlite/sqlite-store.js';
import type { HomeRef } from '../thread-source.js';
import { startIndexing } from './start-indexing.js';
import { createStoreSource } from './store-source.js';

const id = (n: number): string => `01990000-0000-7000-8000-0000000000${String(n).padStart(2, '0')}`;
const line = (type: string, payload: object): string => `${JSON.stringify({ timestamp: '2026-01-01T00:00:00.000Z', type, payload })}\n`;
const meta = (n: number): string => line('session_meta', { id: id(n), timestamp: '2026-01-01T00:00:00Z', cwd: '/w', originator: 'codex', cli_version: '1', source: 'cli' });
const said = (text: string): string => line('event_msg', { type: 'user_message', message: text }) + line('event_msg', { type: 'agent_message', message: `re: ${text}` });
const pathOf = (home: HomeRef, n: number): string => join(home.path, `sessions/2026/01/01/rollout-2026-01-01T00-00-${String(n).padStart(2, '0')}-${id(n)}.jsonl`);

function homeOf(threads: number, turns: number): HomeRef {
  const home: HomeRef = { program: 'codex', path: folder() };
  for (let n = 0; n < threads; n++) put(pathOf(home, n), meta(n) + Array.from({ length: turns }, (_, i) => said(`${i} ${'word '.repeat(40)}`)).join(''), Date.UTC(2026, 0, 1) + n);
  return home;
}

const until = async (isTrue: () => boolean | Promise<boolean>): Promise<void> => {
  for (let left = 600; !(await isTrue()); left--) {
    if (left === 0) throw new Error('it never came true');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
};

describe('[R-STO-2] one writes, others read', () => {
  it('who comes second is told who writes; it takes over from one that is gone, and from one that is silent', async () => {
    let nowMs = 0;
    const path = join(folder(), 'index.db');
    const first = await newStore({ nowMs: () => nowMs }, path);
    const second = new SqliteStore(path, { nowMs: () => nowMs });
    expect(await second.acquire()).toMatchObject({ pid: process.pid });
    const home = homeOf(1, 2);
    await index(first, [home]);
    nowMs = 31_000;
    expect(await second.acquire()).toBeUndefined();
    put(pathOf(home, 0), meta(0) + said('other'), 1);
    await expect(index(first, [home])).rejects.toMatchObject({ code: 'leaseLost' });
    expect(await index(second, [home])).toMatchObject({ isComplete: true });
    second.db.prepare("UPDATE lease SET pid = 2147483646, token = 'of a process that is gone'").run();
    expect(await first.acquire()).toBeUndefined();
    expect((await verified(first, [home])).wrong).toEqual([]);
    await second.close();
    await first.close();
  });

  it('a reader sees whole commits while a worker writes, and never half of a thread', async () => {
    const home = homeOf(3, 400);
    const path = join(folder(), 'index.db');
    const reader = new SqliteStore(path, { nowMs: () => Date.now() });
    const indexing = startIndexing({ path, homes: [home], isWatching: false, isFresh: false, steps: { commitBytes: 4_000, chunkBytes: 4_000 } });
    let isDone = false;
    void indexing.done.then(() => { isDone = true; });
    let looks = 0;
    while (!isDone) {
      const { wrong } = await verified(reader, [home]);
      expect(wrong.filter(({ state }) => state === 'differs')).toEqual([]);
      looks += 1;
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(await indexing.done).toMatchObject({ built: 3, isComplete: true });
    expect(looks).toBeGreaterThan(1);
    expect((await verified(reader, [home])).wrong).toEqual([]);
    await reader.close();
  }, 60_000);

  it('a watching worker takes up what is appended, a new file and one that goes, and ends when it is told to', async () => {
    const home = homeOf(2, 3);
    const path = join(folder(), 'index.db');
    const reader = new SqliteStore(path, { nowMs: () => Date.now() });
    let passes = 0;
    const indexing = startIndexing({ path, homes: [home], isWatching: true, isFresh: false }, { onPass: () => { passes += 1; } });
    await until(() => passes > 0);
    // The watch is laid after the first pass.
    await new Promise((resolve) => setTimeout(resolve, 300));
    appendFileSync(pathOf(home, 0), said('more'));
    put(pathOf(home, 5), meta(5) + said('new'), Date.UTC(2026, 0, 2));
    await until(async () => {
      const { threads, wrong } = await verified(reader, [home]);
      return threads === 3 && wrong.length === 0 && (await reader.histories()).some(({ state }) => state.bytes === statSync(pathOf(home, 0)).size);
    });
    indexing.stop();
    expect(await indexing.done).toMatchObject({ isComplete: true });
    expect(reader.lease.holder()).toBeUndefined();
    await reader.close();
  }, 60_000);
});

describe('[R-STO-8] the main thread', () => {
  it('is never held up by the worker', async () => {
    const home = homeOf(4, 2_000);
    const indexing = startIndexing({ path: join(folder(), 'index.db'), homes: [home], isWatching: false, isFresh: false });
    let isDone = false;
    void indexing.done.then(() => { isDone = true; });
    const before = performance.eventLoopUtilization();
    let turns = 0;
    while (!isDone) {
      await new Promise((resolve) => setTimeout(resolve, 5));
      turns += 1;
    }
    expect(await indexing.done).toMatchObject({ built: 4 });
    expect(turns).toBeGreaterThan(5);
    expect(performance.eventLoopUtilization(before).utilization).toBeLessThan(0.5);
  }, 60_000);
});

describe('what goes wrong with the database', () => {
  it('a full disk: said as such, what was committed stays whole, and with room the next run ends', async () => {
    const home = homeOf(6, 400);
    const path = join(folder(), 'index.db');
    const small = await newStore({ maxPages: 120 }, path);
    await expect(index(small, [home], { steps: { commitBytes: 20_000, chunkBytes: 10_000 } })).rejects.toMatchObject({ code: 'storeFull' });
    const { wrong } = await verified(small, [home]);
    expect(wrong.filter(({ state }) => state === 'differs')).toEqual([]);
    expect((await small.histories()).length).toBeGreaterThan(0);
    await small.release();
    await small.close();
    const store = await newStore({}, path);
    expect(await index(store, [home])).toMatchObject({ isComplete: true });
    expect((await verified(store, [home])).wrong).toEqual([]);
    await store.close();
  });

  it('a file that is no database, and one that is broken inside, are told apart from everything else', async () => {
    const path = join(folder(), 'index.db');
    writeFileSync(path, 'this is no database, and long enough to be taken for a header of one: '.repeat(20));
    expect(() => new SqliteStore(path, { nowMs: () => 0 })).toThrow(expect.objectContaining({ code: 'storeDamaged' }));
    const home = homeOf(3, 400);
    const good = join(folder(), 'index.db');
    const store = await newStore({}, good);
    await index(store, [home]);
    expect(store.isSound()).toBe(true);
    store.db.pragma('wal_checkpoint(TRUNCATE)');
    await store.release();
    await store.close();
    const fd = openSync(good, 'r+');
    const noise = Buffer.alloc(4_096, 0xa5);
    // Behind those of the schema: a database without one cannot even be opened.
    for (let page = 60; page < statSync(good).size / 4_096; page += 3) writeSync(fd, noise, 0, noise.length, page * 4_096);
    closeSync(fd);
    const broken = await newStore({}, good);
    expect(broken.isSound()).toBe(false);
    await expect(verified(broken, [home])).rejects.toMatchObject({ code: 'storeDamaged' });
    await broken.close();
  });

  it('[R-STO-1] a newer schema that older programs cannot go on with is refused; the file stays as it is', async () => {
    const path = join(folder(), 'index.db');
    await (await newStore({}, path)).close();
    const db = new Database(path);
    db.pragma(`user_version = ${SCHEMA_VERSION + 1}`);
    db.prepare('UPDATE rollback_floor SET floor = ?').run(SCHEMA_VERSION + 1);
    db.close();
    expect(() => new SqliteStore(path, { nowMs: () => 0 })).toThrow(/made by a newer Tapefold/);
    expect(new Database(path, { readonly: true }).pragma('user_version', { simple: true })).toBe(SCHEMA_VERSION + 1);
  });

  it('[R-SEC-1] files and folder are for their owner alone', async () => {
    const path = join(folder(), 'below', 'index.db');
    const store = await newStore({}, path);
    await index(store, [homeOf(1, 1)]);
    const mode = (file: string): string => (statSync(file).mode & 0o777).toString(8);
    expect(mode(join(path, '..'))).toBe('700');
    for (const file of [path, `${path}-wal`, `${path}-shm`]) if (existsSync(file)) expect(mode(file), file).toBe('600');
    await store.close();
  });

  it('no session file is ever written to', async () => {
    const home = homeOf(2, 5);
    const before = [0, 1].map((n) => [readFileSync(pathOf(home, n), 'utf8'), statSync(pathOf(home, n)).mtimeMs]);
    const store = await newStore();
    await index(store, [home]);
    await createStoreSource({ homes: [home], store, isFollowed: true }).read(id(1));
    expect([0, 1].map((n) => [readFileSync(pathOf(home, n), 'utf8'), statSync(pathOf(home, n)).mtimeMs])).toEqual(before);
    await store.close();
  });
});
