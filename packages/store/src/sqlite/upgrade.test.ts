import Database from 'better-sqlite3';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { everyHome, folder, index, newStore, verified } from '../indexing/grown-home.suite.js';
import type { HomeRef } from '../thread-source.js';
import { SCHEMA_VERSION, rowIdOf, upgrades } from './schema.js';

/** A database as an older version left it, with a row of a history. */
function olderDatabase(version: number, segments: readonly object[] = []): string {
  const path = join(folder(), 'index.db');
  const db = new Database(path);
  for (const step of upgrades.slice(0, version)) db.exec(step);
  db.prepare("INSERT INTO histories (id, name, generation, version, rows_version, state, player) VALUES (1, 'codex/old old', 0, 0, 1, ?, NULL)").run(JSON.stringify({ head: { offsets: {} }, segments, isWhole: true }));
  db.prepare("INSERT INTO items (id, place, item_id, kind, body) VALUES (?, 1, 'i', 'plan', ?)").run(rowIdOf(1, 3), '{"kind":"plan","text":"of before"}');
  db.pragma(`user_version = ${version}`);
  db.close();
  return path;
}

/** From this version on rows stand as they are read now. */
const ROWS_STAY = 4;
const versions = upgrades.slice(1).map((_, i) => i + 1);

describe('a database of an older version', () => {
  it.each(versions.filter((version) => version >= ROWS_STAY))('%i is brought to the newest schema with its rows', async (version) => {
    const store = await newStore({}, olderDatabase(version));
    expect(store.db.pragma('user_version', { simple: true })).toBe(SCHEMA_VERSION);
    expect((await store.histories()).map(({ name }) => name)).toEqual(['codex/old old']);
    expect(store.db.prepare('SELECT id FROM items').pluck().all()).toEqual([rowIdOf(1, 3)]);
    await store.close();
  });

  it('[R-STO-1] 5 knows of no shared rows: what goes on from another file is made anew, and no id is given twice', async () => {
    const store = await newStore({}, olderDatabase(5, [{}, {}]));
    expect((await store.histories()).map(({ rowsVersion }) => rowsVersion)).toEqual([0]);
    await store.drop(['codex/old old']);
    const home = everyHome().find(({ name }) => name === 'recorded/0.171/fork')?.home;
    if (!home) throw new Error('the home is there');
    await index(store, [home]);
    expect((await store.histories()).map(({ id }) => id)).toEqual([2, 3, 4]);
    expect((await verified(store, [home])).wrong).toEqual([]);
    await store.close();
  });

  it.each(versions.filter((version) => version < ROWS_STAY))('%i is brought to the newest schema: its rows are made anew', async (version) => {
    const store = await newStore({}, olderDatabase(version));
    expect(store.db.pragma('user_version', { simple: true })).toBe(SCHEMA_VERSION);
    expect(await store.histories()).toEqual([]);
    const home = everyHome().find(({ name }) => name === 'handmade/12-paginated')?.home;
    if (!home) throw new Error('the home is there');
    await index(store, [home]);
    expect((await verified(store, [home])).wrong).toEqual([]);
    expect(store.db.prepare('SELECT COUNT(*) FROM items WHERE id < ?').pluck().get(rowIdOf(1, 0))).toBe(0);
    await store.close();
  });
});

describe('a database of a newer version', () => {
  /** A database as the next version leaves it, whose new table older programs know nothing of. */
  async function newer(floor: number): Promise<{ readonly path: string; readonly home: HomeRef }> {
    const path = join(folder(), 'index.db');
    const home = everyHome().find(({ name }) => name === 'handmade/12-paginated')?.home;
    if (!home) throw new Error('the home is there');
    const store = await newStore({}, path);
    await index(store, [home]);
    store.db.exec('CREATE TABLE of_the_next (id INTEGER PRIMARY KEY)');
    store.db.prepare('UPDATE rollback_floor SET floor = ?').run(floor);
    store.db.pragma(`user_version = ${SCHEMA_VERSION + 1}`);
    await store.release();
    await store.close();
    return { path, home };
  }

  it('[R-STO-1] is gone on with where it says that it can be, and stays what it is', async () => {
    const { path, home } = await newer(SCHEMA_VERSION);
    const store = await newStore({}, path);
    await index(store, [home]);
    expect((await verified(store, [home])).wrong).toEqual([]);
    expect(store.db.pragma('user_version', { simple: true })).toBe(SCHEMA_VERSION + 1);
    await store.close();
  });

  it('is refused where it does not, and where it says nothing', async () => {
    const { path } = await newer(SCHEMA_VERSION + 1);
    await expect(newStore({}, path)).rejects.toMatchObject({ code: 'storeTooNew' });
    const db = new Database(path);
    db.exec('DROP TABLE rollback_floor');
    db.close();
    await expect(newStore({}, path)).rejects.toMatchObject({ code: 'storeTooNew' });
  });
});
