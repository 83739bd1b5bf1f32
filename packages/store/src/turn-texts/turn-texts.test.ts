import { contentDigest } from '@tapefold/facts';
import { appendFileSync, readFileSync, renameSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { Buffer } from 'node:buffer';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { everyHome, folder, index, newStore, shelvesOf, verified } from '../indexing/grown-home.suite.js';
import { historyName } from '../indexing/plan-history.js';
import { threadId, writeThreads } from '../search/written-home.suite.js';
import type { SqliteHistory } from '../sqlite/sqlite-history.js';
import { SqliteStore } from '../sqlite/sqlite-store.js';
import { startIndexing } from '../source/start-indexing.js';
import { pieceReader } from '../files/piece-reader.js';
import type { HomeRef } from '../thread-source.js';
import { KEPT_BYTES, QUIET_MS, TEXT_BLOCK_MOST_BYTES, TURN_ITEMS, TURN_TEXTS_VERSION } from './limits.js';
import { writeTurnTexts } from './write-turn-texts.js';

const always = { nowMs: () => Date.now(), isStopped: () => false };
const TURNS = 100;

/** A home with one thread, whose texts are of every length. */
function written(turns = TURNS): HomeRef {
  const home: HomeRef = { program: 'codex', path: folder() };
  const output = (i: number): string => `${i} "é" 日本\n`.repeat(i % 10 === 0 ? 4_000 : 1);
  writeThreads(home, [{ n: 1, turns: Array.from({ length: turns }, (_, i) => [{ user: `turn ${i}` }, { agent: `re: ${i}` }, { command: ['echo', `it's ${i}`], output: output(i) }]) }]);
  return home;
}

async function pathOf(home: HomeRef): Promise<string> {
  return (await shelvesOf([home])).find(threadId(1)).segments().segments[0]?.file.path ?? '';
}

async function opened(store: SqliteStore, home: HomeRef): Promise<{ readonly id: number; readonly history: SqliteHistory }> {
  const shelves = await shelvesOf([home]);
  const name = historyName(shelves.find(threadId(1)));
  const known = await store.open(name, { thread: { id: threadId(1), historyMode: 'legacy' }, readPiece: pieceReader(shelves.byTape) });
  return { id: (await store.entry(name))?.id ?? 0, history: known?.history ?? expect.fail('the thread is indexed') };
}

/** Lets every history wait for its texts, as large ones do that are quiet. */
function ask(store: SqliteStore): void {
  store.writing(() => { for (const id of store.db.prepare<[], number>('SELECT id FROM histories').pluck().all()) store.turnTexts.wait(id, 0); });
}

async function indexed(home: HomeRef): Promise<SqliteStore> {
  const store = await newStore();
  await index(store, [home]);
  ask(store);
  return store;
}

const kept = (store: SqliteStore, id: number): number | undefined => store.turnTexts.count(id);

/** All turns as answered, and as made of the rows. */
async function textOf(history: SqliteHistory, running?: string): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of history.turnChunks(running)) chunks.push(Buffer.from(chunk));
  return `[${Buffer.concat(chunks).toString('utf8')}]`;
}

const more = (id: string): string => ['task_started', 'user_message', 'task_complete'].map((type) => `${JSON.stringify({ timestamp: '2026-02-01T00:00:00.000Z', type: 'event_msg', payload: { type, turn_id: id, ...(type === 'user_message' && { message: id }) } })}\n`).join('');

describe('texts of turns that are kept', () => {
  it.each([[1, TURNS], [3_000, undefined], [1_000_000, 1]] as const)('[R-THR-1] say what the rows say, in blocks of %i bytes or more', async (blockBytes, blocks) => {
    const home = written();
    const store = await indexed(home);
    const { id, history } = await opened(store, home);
    const expected = await textOf(history, '');
    expect(await writeTurnTexts(store, { ...always, blockBytes })).toBe(1);
    if (blocks !== undefined) expect(kept(store, id)).toBe(blocks);
    expect(await textOf(history)).toBe(expected);
    expect((await verified(store, [home])).wrong).toEqual([]);
    expect(await writeTurnTexts(store, always)).toBe(0);
    await store.close();
  });

  it('[R-THR-1] of every recorded thread say what its rows say; those that share rows have none', async () => {
    let count = 0;
    let forks = 0;
    for (const { home } of everyHome()) {
      const store = await indexed(home);
      await writeTurnTexts(store, { ...always, blockBytes: 500, share: 100 });
      const shelves = await shelvesOf([home]);
      for (const { id, name, shared } of await store.histories()) {
        const known = await store.open(name, { thread: { id: name, historyMode: 'legacy' }, readPiece: pieceReader(shelves.byTape) });
        if (!known) continue;
        expect(kept(store, id) === undefined, name).toBe(shared.length > 0);
        expect(await textOf(known.history), name).toBe(await textOf(known.history, ''));
        count += 1;
        forks += Number(shared.length > 0);
      }
      await store.close();
    }
    expect(count).toBeGreaterThan(100);
    expect(forks).toBeGreaterThan(0);
  });

  it('go with the rows: a reader goes on from these where it stands', async () => {
    const home = written();
    const store = await indexed(home);
    const { id, history } = await opened(store, home);
    await writeTurnTexts(store, { ...always, blockBytes: 3_000 });
    const chunks = history.turnChunks()[Symbol.asyncIterator]();
    const taken: Buffer[] = [];
    const take = async (): Promise<boolean> => {
      const next = await chunks.next();
      if (!next.done) taken.push(Buffer.from(next.value));
      return !next.done;
    };
    for (let i = 0; i < 5; i++) await take();
    appendFileSync(await pathOf(home), more('one-more'));
    await index(store, [home]);
    expect(kept(store, id)).toBeUndefined();
    // Texts of the new rows stand in other blocks: they are no more the reader's than none.
    ask(store);
    await writeTurnTexts(store, { ...always, blockBytes: 1 });
    while (await take());
    expect(`[${Buffer.concat(taken).toString('utf8')}]`).toBe(await textOf(history, ''));
    expect(await textOf(history)).toContain('one-more');
    await store.close();
  });

  it('are not asked where a turn runs, nor while they are not all there, nor those of another version', async () => {
    const home = written();
    const store = await indexed(home);
    const { id, history } = await opened(store, home);
    const expected = await textOf(history, '');
    let asked = 0;
    await writeTurnTexts(store, { nowMs: always.nowMs, isStopped: () => (asked += 1) > 3, blockBytes: 1 });
    expect(store.db.prepare('SELECT COUNT(*) FROM turn_text_blocks').pluck().get()).toBe(3);
    expect(kept(store, id)).toBeUndefined();
    expect(await textOf(history)).toBe(expected);
    // What is there stays, however often it is stopped.
    for (let rounds = 0; kept(store, id) === undefined; rounds++) {
      expect(rounds).toBeLessThanOrEqual(TURNS);
      let some = 0;
      await writeTurnTexts(store, { nowMs: always.nowMs, isStopped: () => (some += 1) > 1, blockBytes: 1, share: 1 });
    }
    expect(kept(store, id)).toBe(TURNS);
    expect(await textOf(history)).toBe(expected);
    const turns = JSON.parse(expected) as { id: string; status: string }[];
    const keys: string[] = [];
    for await (const { rows } of history.eachTurn()) keys.push(rows.turn.key);
    expect(JSON.parse(await textOf(history, keys.at(-1)))).toHaveLength(turns.length);
    store.db.prepare('UPDATE turn_texts SET text_version = ?').run(TURN_TEXTS_VERSION + 1);
    expect(kept(store, id)).toBeUndefined();
    expect(await textOf(history)).toBe(expected);
    expect(await writeTurnTexts(store, always)).toBe(1);
    expect(kept(store, id)).toBeGreaterThan(0);
    await store.close();
  });

  it('are left where a turn is too long, where they are too large, and where a turn has too many items', async () => {
    const long: HomeRef = { program: 'codex', path: folder() };
    writeThreads(long, [{ n: 1, turns: [[{ user: 'long' }, ...Array.from({ length: 40 }, (_, i) => ({ command: ['cat', `${i}`], output: 'x'.repeat(TEXT_BLOCK_MOST_BYTES / 32) }))]] }]);
    const noisy: HomeRef = { program: 'codex', path: folder() };
    writeThreads(noisy, [{ n: 1, turns: [[{ user: Array.from({ length: 9_000 }, (_, i) => contentDigest(String(i))).join('') }]] }]);
    const crowded: HomeRef = { program: 'codex', path: folder() };
    writeThreads(crowded, [{ n: 1, turns: [[{ user: 'many' }, ...Array.from({ length: TURN_ITEMS + 1 }, (_, i) => ({ agent: `${i}` }))]] }]);
    for (const home of [long, noisy, crowded]) {
      const store = await indexed(home);
      const { id, history } = await opened(store, home);
      const text = await textOf(history, '');
      expect(await writeTurnTexts(store, always)).toBe(0);
      expect(kept(store, id)).toBeUndefined();
      expect(store.waitingTurns(Date.now())).toBeUndefined();
      expect(store.db.prepare('SELECT COUNT(*) FROM turn_text_blocks').pluck().get()).toBe(0);
      expect(await textOf(history)).toBe(text);
      await store.close();
    }
  });

  it('wait where a file cannot be read for a while; rows that are damaged are passed over, and the next thread has its texts', async () => {
    const home = written();
    const store = await indexed(home);
    const { id } = await opened(store, home);
    const path = await pathOf(home);
    renameSync(path, `${path}.away`);
    expect(await writeTurnTexts(store, always)).toBe(0);
    expect(store.waitingTurns(Date.now())).toBeUndefined();
    renameSync(`${path}.away`, path);
    expect(store.waitingTurns(Date.now() + QUIET_MS + 1)).toBe(id);
    expect(await writeTurnTexts(store, { ...always, nowMs: () => Date.now() + QUIET_MS + 1 })).toBe(1);
    await store.close();
    const two: HomeRef = { program: 'codex', path: folder() };
    writeThreads(two, [{ n: 1, turns: [[{ user: 'one' }, { agent: 'a' }]] }, { n: 2, turns: [[{ user: 'two' }, { agent: 'b' }]] }]);
    const other = await indexed(two);
    other.db.prepare(`UPDATE items SET body = x'07' WHERE id = (SELECT MIN(id) FROM items)`).run();
    expect(await writeTurnTexts(other, { ...always, share: 100 })).toBe(1);
    expect(other.waitingTurns(Date.now() + 2 * QUIET_MS)).toBeUndefined();
    await other.close();
  });

  it('[R-STO-1] are not taken for those of rows that a program wrote which knows of no texts', async () => {
    const home = written();
    const store = await indexed(home);
    const { id, history } = await opened(store, home);
    await writeTurnTexts(store, { ...always, blockBytes: 3_000 });
    const [wrote, cleared] = [vi.spyOn(store.turnTexts, 'wrote').mockReturnValue(), vi.spyOn(store.turnTexts, 'cleared').mockReturnValue()];
    appendFileSync(await pathOf(home), more('one-more'));
    await index(store, [home]);
    expect(kept(store, id)).toBeUndefined();
    expect(await textOf(history)).toContain('one-more');
    wrote.mockRestore();
    expect(store.waitingTurns(Date.now())).toBe(id);
    await store.drop((await store.histories()).map(({ name }) => name));
    cleared.mockRestore();
    await writeTurnTexts(store, always);
    expect(store.db.prepare('SELECT (SELECT COUNT(*) FROM turn_texts) + (SELECT COUNT(*) FROM turn_text_blocks)').pluck().get()).toBe(0);
    await store.close();
  });

  it('[R-ONE-2] that are damaged are named: by verify, and to whoever reads them', async () => {
    const home = written();
    const store = await indexed(home);
    const { history } = await opened(store, home);
    await writeTurnTexts(store, { ...always, blockBytes: 3_000 });
    const other = store.db.prepare<[], Buffer>('SELECT text FROM turn_text_blocks ORDER BY id LIMIT 1').pluck().get();
    store.db.prepare('UPDATE turn_text_blocks SET (text, bytes) = (?, (SELECT bytes FROM turn_text_blocks ORDER BY id LIMIT 1)) WHERE id = (SELECT id FROM turn_text_blocks ORDER BY id LIMIT 1 OFFSET 2)').run(other);
    expect((await verified(store, [home])).wrong).toMatchObject([{ state: 'differs', difference: expect.stringContaining('texts of turns') }]);
    store.db.prepare('UPDATE turn_text_blocks SET bytes = 5 WHERE id = (SELECT id FROM turn_text_blocks ORDER BY id LIMIT 1 OFFSET 3)').run();
    expect((await verified(store, [home])).wrong).toMatchObject([{ state: 'differs', difference: expect.stringMatching(/^what the index has of it cannot be read back: .*5 bytes/) }]);
    store.db.prepare(`UPDATE turn_text_blocks SET text = x'07' WHERE id = (SELECT MAX(id) FROM turn_text_blocks)`).run();
    await expect(textOf(history)).rejects.toMatchObject({ code: 'storeDamaged' });
    store.db.prepare(`UPDATE turn_text_blocks SET last = 'no' WHERE id = (SELECT MAX(id) FROM turn_text_blocks)`).run();
    await expect(textOf(history)).rejects.toMatchObject({ code: 'storeDamaged' });
    store.db.prepare('DELETE FROM turn_text_blocks WHERE id = (SELECT MAX(id) FROM turn_text_blocks)').run();
    await expect(textOf(history)).rejects.toMatchObject({ code: 'storeDamaged' });
    await store.close();
  });

  it('[R-STO-2] are made by the indexer of a server, of a large thread that is quiet, and made anew when it was written to', async () => {
    const home = written(8);
    const file = await pathOf(home);
    const line = `${JSON.stringify({ timestamp: '2026-02-01T00:00:00.000Z', type: 'event_msg', payload: { type: 'agent_message', message: 'word '.repeat(2_000) } })}\n`;
    writeFileSync(file, readFileSync(file, 'utf8') + line.repeat(Math.ceil(KEPT_BYTES / line.length)));
    const quiet = new Date(Date.now() - QUIET_MS - 1_000);
    utimesSync(file, quiet, quiet);
    const path = join(folder(), 'index.db');
    const indexing = startIndexing({ path, homes: [home], isWatching: true, isFresh: false });
    const store = await until(() => openedAt(path), (found) => found !== undefined);
    const blocks = (): number | null | undefined => store?.db.prepare<[], number | null>('SELECT blocks FROM turn_texts').pluck().get();
    expect(await until(blocks, (count) => typeof count === 'number')).toBeGreaterThan(0);
    appendFileSync(file, more('later'));
    expect(await until(blocks, (count) => typeof count !== 'number')).toBeNull();
    expect(statSync(file).size).toBeGreaterThan(KEPT_BYTES);
    indexing.stop();
    await indexing.done;
    await store?.close();
  });

  it('are written as version 1 of them is: who changes how turns are written raises TURN_TEXTS_VERSION', async () => {
    const texts: string[] = [];
    for (const { home } of everyHome().filter(({ name }) => name.startsWith('handmade/'))) {
      const store = await newStore();
      await index(store, [home]);
      const shelves = await shelvesOf([home]);
      for (const name of (await store.histories()).map((entry) => entry.name).sort()) {
        const known = await store.open(name, { thread: { id: name, historyMode: 'legacy' }, readPiece: pieceReader(shelves.byTape) });
        if (known) texts.push(await textOf(known.history));
      }
      await store.close();
    }
    expect({ version: TURN_TEXTS_VERSION, count: texts.length, digest: contentDigest(texts.join('\n')) }).toEqual({ version: 1, count: 181, digest: 'fnv2:56d612bc5c6ddd7a' });
  });
});

function openedAt(path: string): SqliteStore | undefined {
  try {
    return new SqliteStore(path, { nowMs: () => Date.now() });
  } catch {
    return undefined;
  }
}

/** Looks until something holds. */
async function until<T>(look: () => T, holds: (value: T) => boolean): Promise<T> {
  for (let i = 0; i < 1_000; i++) {
    const value = look();
    if (holds(value)) return value;
    await new Promise((resolve) => { setTimeout(resolve, 10); });
  }
  return look();
}
