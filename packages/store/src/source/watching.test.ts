import { appendFileSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { folder, put } from '../indexing/grown-home.suite.js';
import { Watching, codexHome, meta, pathOf, said } from './watched-home.suite.js';

/** Far below the look that comes though nothing is told, and enough for a slow machine. */
const TOLD_MS = 15_000;

/** Another file in the place of one, as editors and agents write it. */
function replace(path: string, text: string): void {
  writeFileSync(`${path}.tmp`, text);
  renameSync(`${path}.tmp`, path);
}

describe('a watching worker', () => {
  it('[R-TAPE-4] sees appends to a file also after it was replaced, however often, and rewritten in place', async () => {
    const home = codexHome(2);
    const path = pathOf(home, 0);
    const watching = new Watching([home]);
    await watching.sees({ built: 2 });
    for (let round = 0; round < 3; round++) {
      replace(path, meta(0) + said(`other ${round}`));
      expect(await watching.sees({ built: 1 })).toBeLessThan(TOLD_MS);
      for (const text of ['more', 'and more']) {
        appendFileSync(path, said(text));
        expect(await watching.sees({ continued: 1 }), `${text} in round ${round}`).toBeLessThan(TOLD_MS);
      }
    }
    writeFileSync(path, readFileSync(path, 'utf8').replaceAll('other', 'in place'));
    expect(await watching.sees({ built: 1 })).toBeLessThan(TOLD_MS);
    appendFileSync(path, said('the end'));
    expect(await watching.sees({ continued: 1 })).toBeLessThan(TOLD_MS);
  }, 120_000);

  it('[R-TAPE-4] sees files in folders that come while it watches, and what is written during its first pass', async () => {
    const home = codexHome(1);
    const watching = new Watching([home]);
    put(pathOf(home, 7), meta(7) + said('at once'), Date.UTC(2026, 0, 1));
    await watching.until(() => watching.results.some(({ threads }) => threads === 2));
    const path = pathOf(home, 8).replace('2026/01/01', '2026/02/03');
    put(path, meta(8) + said('in a new month'), Date.UTC(2026, 1, 3));
    expect(await watching.sees({ built: 1 })).toBeLessThan(TOLD_MS);
    appendFileSync(path, said('more'));
    expect(await watching.sees({ continued: 1 })).toBeLessThan(TOLD_MS);
  }, 120_000);
});

describe('a watching worker in trouble', () => {
  it('[R-STO-2] a home that goes for a while is named, its rows stay, and it is watched again when it is back', async () => {
    const [home, other] = [codexHome(2), codexHome(0)];
    put(pathOf(other, 5), meta(5) + said('elsewhere'), Date.UTC(2026, 0, 1));
    const watching = new Watching([home, other]);
    await watching.sees({ built: 3 });
    for (let round = 0; round < 2; round++) {
      renameSync(home.path, `${home.path}.away`);
      const awayMs = await watching.until(() => watching.results.at(-1)?.problems.some(({ path, reason }) => path === home.path && reason === 'is not there now') === true);
      expect(awayMs).toBeLessThan(TOLD_MS);
      expect(watching.results.at(-1)).toMatchObject({ threads: 1, dropped: 0, built: 0 });
      appendFileSync(pathOf(other, 5), said(`meanwhile ${round}`));
      await watching.sees({ threads: 1, continued: 1 });
      renameSync(`${home.path}.away`, home.path);
      expect(await watching.sees({ threads: 3, kept: 3, built: 0 })).toBeLessThan(TOLD_MS);
      appendFileSync(pathOf(home, 0), said(`back ${round}`));
      expect(await watching.sees({ continued: 1 })).toBeLessThan(TOLD_MS);
    }
    expect(watching.troubles).toEqual([]);
  }, 120_000);

  it('[R-STO-2] a home that was never there is an error', async () => {
    const watching = new Watching([{ program: 'codex', path: '/nowhere/at/all' }]);
    await expect(watching.indexing.done).rejects.toMatchObject({ code: 'homeNotFound' });
  }, 60_000);

  it('[R-STO-2] a pass that fails is told and tried again, and later passes go on', async () => {
    const home = codexHome(1);
    const watching = new Watching([home]);
    await watching.sees({ built: 1 });
    const db = new Database(watching.path);
    // Whatever a pass meets that nobody thought of: here a table that is not there for a while.
    db.exec('ALTER TABLE threads RENAME TO threads_elsewhere');
    appendFileSync(pathOf(home, 0), said('more'));
    await watching.until(() => watching.troubles.length > 1);
    expect(watching.troubles[0]).toContain('no such table');
    db.exec('ALTER TABLE threads_elsewhere RENAME TO threads');
    db.close();
    await watching.sees({ continued: 1 });
  }, 120_000);

  it('[R-STO-2] whose right to write went to another process acquires it again when that one is gone', async () => {
    const home = codexHome(1);
    const watching = new Watching([home]);
    await watching.sees({ built: 1 });
    const db = new Database(watching.path);
    db.prepare("UPDATE lease SET pid = 2147483646, token = 'of a process that is gone'").run();
    db.close();
    appendFileSync(pathOf(home, 0), said('more'));
    await watching.sees({ continued: 1 });
    expect(watching.troubles.join()).toContain('another process took over');
  }, 120_000);

  it('[R-STO-1] ends where the index is damaged', async () => {
    const path = join(folder(), 'index.db');
    writeFileSync(path, 'this is no database, and long enough to be taken for a header of one: '.repeat(20));
    await expect(new Watching([codexHome(1)], path).indexing.done).rejects.toMatchObject({ code: 'storeDamaged' });
  }, 60_000);
});
