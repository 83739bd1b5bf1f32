import { cpSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { OnRead } from '../files/shelf.js';
import { type Known, nothingKnown, readShelves } from '../files/shelves.js';
import { everyHome, folder, newStore, verified } from '../indexing/grown-home.suite.js';
import { type IndexResult, scopeOf } from '../indexing/indexer.js';
import type { SqliteStore } from '../sqlite/sqlite-store.js';
import { StoredLooks } from '../sqlite/stored-looks.js';
import type { HomeRef } from '../thread-source.js';
import { LookedHomes } from './looked-homes.js';

const homes = everyHome().map(({ name, home }) => [name, home] as const);

async function withStore<T>(path: string, use: (store: SqliteStore) => T | Promise<T>): Promise<T> {
  const store = await newStore({}, path);
  try {
    return await use(store);
  } finally {
    await store.release();
    await store.close();
  }
}

interface KeptLook { readonly table: string; readonly key: string; readonly look: unknown }

/** Every look of a `Known`, by table and key. */
function looksOf(known: object, at = ''): Map<string, KeptLook> {
  return new Map(Object.entries(known).flatMap(([name, inner]: [string, unknown]) => {
    const table = `${at}/${name}`;
    if (inner instanceof Map) return [...inner].map(([key, look]: [string, unknown]): [string, KeptLook] => [`${table} ${key}`, { table, key, look }]);
    return [...looksOf(inner as object, table)];
  }));
}

/** The table of a path of names. */
const tableOf = (known: Known, table: string): Map<string, unknown> => table.split('/').slice(1).reduce<unknown>((inner, name) => (inner as Record<string, unknown>)[name], known) as Map<string, unknown>;

/** All that a list needs to know. */
async function lookThrough(home: HomeRef, known: Known, onRead?: OnRead): Promise<unknown> {
  const threads = (await readShelves([home], { known, onRead })).threads();
  return threads.map((thread) => ({ row: thread.row(), files: thread.fileRows(), member: { ...thread.member(), resolvePlanKey: undefined }, segments: thread.segments() }));
}

/** One pass as an indexer makes it, and the list then. */
const indexed = (home: HomeRef) => async (store: SqliteStore): Promise<{ readonly result: IndexResult; readonly list: unknown }> => {
  const result = await new LookedHomes(store).index({ homes: [home], nowMs: () => Date.now() });
  return { result, list: await store.threads(scopeOf([home])) };
};

describe('[R-STO-2] what was looked up in a home', () => {
  it.each(homes)('is the same when it is read back by another process, which is told the same by it, and finds nothing new: %s', async (_, home) => {
    const path = join(folder(), 'index.db');
    const fresh = nothingKnown();
    const told = await lookThrough(home, fresh);
    const looks = looksOf(fresh);
    const first = await withStore(path, indexed(home));
    expect(first.result).toMatchObject({ continued: 0, isComplete: true });
    expect(first.result.threads === 0 || looks.size > 0).toBe(true);
    await withStore(path, async (store) => {
      const known = new StoredLooks(store.db).over(nothingKnown());
      for (const [at, { table, key, look }] of looks) expect(tableOf(known, table).get(key), at).toEqual(look);
      let read = 0;
      expect(await lookThrough(home, known, (bytes) => { read += bytes; })).toEqual(told);
      // Looks are where reading goes; side tapes of some hundred bytes are read each time.
      expect(read).toBeLessThan(20_000);
      const { result, list } = await indexed(home)(store);
      expect(result).toMatchObject({ threads: first.result.threads, built: 0, continued: 0, dropped: 0, bytes: 0, isComplete: true });
      expect(list).toEqual(first.list);
      expect((await verified(store, [home])).wrong).toEqual([]);
    });
  }, 60_000);

  it.each(homes.filter(([name]) => ['handmade/12-paginated', 'claude/handmade', 'kimi/handmade/home', 'native/v1'].includes(name)))('is looked up again where a file could not be read, although nothing of it changed: %s', async (_, { program, path: from }) => {
    const home = { program, path: folder() };
    cpSync(from, home.path, { recursive: true, preserveTimestamps: true });
    const expected = await lookThrough(home, nothingKnown());
    const known = nothingKnown();
    const shelves = await readShelves([home], { known });
    // Between the look at names and the look into files they are away, as in the midst of a move.
    for (const { path } of shelves.files) renameSync(path, `${path}.away`);
    expect(shelves.threads().filter((thread) => thread.row().problem !== undefined).length).toBeGreaterThan(0);
    for (const { path } of shelves.files) renameSync(`${path}.away`, path);
    expect(await lookThrough(home, known)).toEqual(expected);
  });

  it('is not read where it is of another version, and goes', async () => {
    const [, home] = homes.find(([name]) => name === 'kimi/handmade/home') as (typeof homes)[number];
    const path = join(folder(), 'index.db');
    const looks = (store: SqliteStore): unknown[] => store.db.prepare('SELECT kind, key, look FROM looks ORDER BY kind, key').raw().all();
    const [first, list] = await withStore(path, async (store) => {
      const { list: found } = await indexed(home)(store);
      return [looks(store), found];
    });
    // As the first version left them, whose kinds were the tables alone.
    await withStore(path, (store) => {
      store.db.prepare("UPDATE looks SET kind = substr(kind, instr(kind, '/')), look = '{}'").run();
      store.db.prepare("INSERT INTO looks (kind, key, look) VALUES ('0.1/kimi/looks', 'x', '{')").run();
    });
    await withStore(path, async (store) => {
      const again = await indexed(home)(store);
      expect(again.result).toMatchObject({ built: 0, continued: 0 });
      expect(looks(store)).toEqual(first);
      expect(again.list).toEqual(list);
    });
  });

  it('has the shape that its version had: raise `LOOKS_VERSION` where this changes', async () => {
    const known = nothingKnown();
    for (const [, home] of homes) await lookThrough(home, known);
    const shapes: Record<string, string[]> = {};
    for (const { table, look } of looksOf(known).values()) shapes[table] = [...new Set([...(shapes[table] ?? []), ...Object.keys(look as object)])].sort();
    expect(shapes).toEqual({
      '/codex': ['based', 'file', 'head', 'lastRecordAtMs', 'lastTurn', 'problem', 'turnCount'],
      '/claude/looks': ['beginning', 'file', 'head', 'insideAgents', 'lastRecordAtMs', 'lastTurn', 'notSession', 'note', 'parentSession', 'problem', 'titles', 'turnCount'],
      '/kimi/looks': ['described', 'file', 'firstPrompt', 'head', 'insideAgents', 'isReal', 'lastRecordAtMs', 'lastTurn', 'problem', 'turnCount'],
      '/kimi/notes': ['mtimeMs', 'problem', 'sizeBytes', 'state'],
      '/native/headers': ['mtimeMs', 'sizeBytes', 'tape'],
      '/native/looks': ['file', 'head', 'lastRecordAtMs', 'lastTurn', 'problem', 'turnCount'],
    });
  });
});
