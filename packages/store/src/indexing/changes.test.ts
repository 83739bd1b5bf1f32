import { appendFileSync, cpSync, mkdirSync, readFileSync, renameSync, rmSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { SqliteStore } from '../sqlite/sqlite-store.js';
import { createStoreSource } from '../source/store-source.js';
import type { HomeRef } from '../thread-source.js';
import { filesBelow, folder, indexReopened, newStore, put, verified } from './grown-home.suite.js';
import type { IndexResult } from './indexer.js';

const id = (n: number): string => `01990000-0000-7000-8000-00000000000${n}`;
const time = Date.UTC(2026, 0, 1);
const line = (type: string, payload: object): string => `${JSON.stringify({ timestamp: '2026-01-01T00:00:00.000Z', type, payload })}\n`;
const meta = (n: number): string => line('session_meta', { id: id(n), timestamp: '2026-01-01T00:00:00Z', cwd: '/w', originator: 'codex', cli_version: '1', source: 'cli' });
const said = (text: string): string => line('event_msg', { type: 'user_message', message: text }) + line('event_msg', { type: 'agent_message', message: `re: ${text}` });
const pathOf = (home: string, n: number, below = 'sessions/2026/01/01'): string => join(home, below, `rollout-2026-01-01T00-00-0${n}-${id(n)}.jsonl`);

/** A home with three short threads, indexed. */
async function indexed(): Promise<{ home: HomeRef; store: SqliteStore }> {
  const home: HomeRef = { program: 'codex', path: folder() };
  for (const n of [1, 2, 3]) put(pathOf(home.path, n), meta(n) + said('one') + said('two'), time + n);
  const store = await newStore();
  await store.release();
  expect(await indexReopened(store.path, [home])).toMatchObject({ built: 3, isComplete: true });
  return { home, store };
}

/** Brings it up to the files, as another process does. */
const again = ({ home, store }: { home: HomeRef; store: SqliteStore }): Promise<IndexResult> => indexReopened(store.path, [home]);

async function texts({ home, store }: { home: HomeRef; store: SqliteStore }, n: number): Promise<string[]> {
  const { history } = await createStoreSource({ homes: [home], store }).history(id(n));
  const { rows } = await history.itemPage({ anchor: undefined, direction: 'asc', limit: 100 });
  return rows.flatMap(({ row: { body } }) => (body.kind === 'agentMessage' ? [body.text] : []));
}

const generation = async (store: SqliteStore, n: number): Promise<number | undefined> => (await store.histories()).find(({ name }) => name.includes(id(n)))?.generation;

describe('[R-STO-2] files that change', () => {
  it('grow: only what is new is read', async () => {
    const at = await indexed();
    const more = said('three');
    appendFileSync(pathOf(at.home.path, 2), more);
    expect(await again(at)).toMatchObject({ built: 0, continued: 1, kept: 2, bytes: Buffer.byteLength(more) });
    expect(await texts(at, 2)).toEqual(['re: one', 're: two', 're: three']);
    expect(await generation(at.store, 2)).toBe(0);
  });

  it('grow in the middle of a line, and by a line without an end: no half line, none twice', async () => {
    const at = await indexed();
    const path = pathOf(at.home.path, 1);
    for (const piece of [said('three').slice(0, 150), said('three').slice(150, -1), '\n', '\n', said('four').trimEnd()]) {
      appendFileSync(path, piece);
      await again(at);
      expect((await verified(at.store, [at.home])).wrong).toEqual([]);
    }
    expect(await texts(at, 1)).toEqual(['re: one', 're: two', 're: three', 're: four']);
  });

  const rewritten: readonly (readonly [string, (path: string) => void, readonly string[]])[] = [
    ['are edited in place, to the same length', (path) => writeFileSync(path, readFileSync(path, 'utf8').replaceAll('one', 'eno')), ['re: eno', 're: two']],
    ['are edited, and longer than before', (path) => writeFileSync(path, readFileSync(path, 'utf8').replaceAll('one', 'once upon a time')), ['re: once upon a time', 're: two']],
    ['are truncated', (path) => truncateSync(path, (meta(2) + said('one')).length), ['re: one']],
    ['are replaced by another file', (path) => { writeFileSync(`${path}.new`, meta(2) + said('other') + said('words') + said('more')); renameSync(`${path}.new`, path); }, ['re: other', 're: words', 're: more']],
    ['are rewritten as the same text by another file', (path) => { cpSync(path, `${path}.new`); renameSync(`${path}.new`, path); }, ['re: one', 're: two']],
  ];
  it.each(rewritten)('%s: built anew, and an open page begins again', async (_, change, expected) => {
    const at = await indexed();
    const open = await createStoreSource({ homes: [at.home], store: at.store, isFollowed: true }).history(id(2));
    change(pathOf(at.home.path, 2));
    // Before it is indexed again, answers come from the file.
    expect(await texts(at, 2)).toEqual(expected);
    expect(await again(at)).toMatchObject({ built: 1, kept: 2 });
    expect(await texts(at, 2)).toEqual(expected);
    expect(await generation(at.store, 2)).toBe(1);
    await expect(open.history.itemPage({ anchor: undefined, direction: 'asc', limit: 1 })).rejects.toMatchObject({ code: 'rewritten' });
    expect((await verified(at.store, [at.home])).wrong).toEqual([]);
  });

  it('move, as to the archive: rows stay', async () => {
    const at = await indexed();
    mkdirSync(join(at.home.path, 'archived_sessions'));
    renameSync(pathOf(at.home.path, 3), pathOf(at.home.path, 3, 'archived_sessions'));
    expect(await again(at)).toMatchObject({ built: 0, continued: 0, kept: 3, dropped: 0, bytes: 0 });
    expect(await again(at)).toMatchObject({ kept: 3, bytes: 0 });
    expect(await generation(at.store, 3)).toBe(0);
    expect(await texts(at, 3)).toEqual(['re: one', 're: two']);
  });

  it('are touched: built anew, since nothing tells that from an edit', async () => {
    const at = await indexed();
    utimesSync(pathOf(at.home.path, 1), time / 1000 + 60, time / 1000 + 60);
    expect(await again(at)).toMatchObject({ built: 1, kept: 2 });
  });

  it('disappear: everything of them goes; a home that is not looked at keeps its own', async () => {
    const at = await indexed();
    const other: HomeRef = { program: 'codex', path: folder() };
    put(pathOf(other.path, 7), meta(7) + said('elsewhere'), time);
    await indexReopened(at.store.path, [other]);
    rmSync(pathOf(at.home.path, 1));
    expect(await again(at)).toMatchObject({ dropped: 1, kept: 2 });
    expect((await at.store.histories()).map(({ name }) => name.slice(-1)).sort()).toEqual(['2', '3', '7']);
    rmSync(pathOf(at.home.path, 2));
    rmSync(pathOf(at.home.path, 3));
    await again(at);
    rmSync(pathOf(other.path, 7));
    await again(at);
    for (const table of ['histories', 'turns', 'items', 'steps', 'notices', 'realtime', 'records']) expect(at.store.db.prepare(`SELECT count(*) AS n FROM ${table}`).get(), table).toEqual({ n: 0 });
  });

  it('cannot be read: that is told, and hides nothing', async () => {
    const at = await indexed();
    writeFileSync(`${pathOf(at.home.path, 4)}.zst`, 'this is no zstd');
    const result = await again(at);
    expect(result).toMatchObject({ threads: 4, kept: 3 });
    expect(filesBelow(dirname(pathOf(at.home.path, 1)))).toHaveLength(4);
  });
});
