import type { HistoryReader } from '@tapefold/threads';
import { Buffer } from 'node:buffer';
import { describe, expect, it, vi } from 'vitest';
import { pieceReader } from '../files/piece-reader.js';
import { folder, index, newStore, shelvesOf } from '../indexing/grown-home.suite.js';
import { historyName } from '../indexing/plan-history.js';
import { threadId, writeThreads } from '../search/written-home.suite.js';
import type { HomeRef } from '../thread-source.js';
import { ROWS_AT_ONCE } from './limits.js';
import type { SqliteStore } from './sqlite-store.js';

const TURNS = 4 * ROWS_AT_ONCE + 3;

/** A thread whose texts are of every length: short, deflated, and so long that its file has them. */
async function indexed(): Promise<{ readonly store: SqliteStore; readonly history: HistoryReader }> {
  const home: HomeRef = { program: 'codex', path: folder() };
  const output = (i: number): string => `${i} "é" 日本\n`.repeat(i % 10 === 0 ? 4_000 : i % 3 === 0 ? 200 : 1);
  writeThreads(home, [{ n: 1, turns: Array.from({ length: TURNS }, (_, i) => [{ user: `turn ${i}` }, { agent: `re: ${i}` }, { command: ['echo', `it's ${i}`], output: output(i) }]) }]);
  const store = await newStore();
  await index(store, [home]);
  const shelves = await shelvesOf([home]);
  const opened = await store.open(historyName(shelves.find(threadId(1))), { thread: { id: threadId(1), historyMode: 'legacy' }, readPiece: pieceReader(shelves.byTape) });
  if (!opened) throw new Error('the thread is indexed');
  return { store, history: opened.history };
}

async function textOf(history: HistoryReader, running?: string): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of history.turnChunks?.(running) ?? []) chunks.push(Buffer.from(chunk));
  return `[${Buffer.concat(chunks).toString('utf8')}]`;
}

async function objectsOf(history: HistoryReader, running?: string): Promise<string> {
  const turns: unknown[] = [];
  for await (const turn of history.eachTurn()) turns.push(history.turnObject({ ...turn, phase: turn.rows.turn.key === running ? 'running' : 'over' }, 'full'));
  return JSON.stringify(turns);
}

describe('all of a thread as text', () => {
  it('[R-THR-1] is what is written of the objects of its turns, also where one of them runs', async () => {
    const { store, history } = await indexed();
    const turns = [];
    for await (const turn of history.eachTurn()) turns.push(turn);
    const running = turns.at(-1)?.rows.turn.key;
    for (const key of [undefined, running]) expect(await textOf(history, key)).toBe(await objectsOf(history, key));
    await store.close();
  });

  it('comes whole to each of two readers, however slow one is, and whoever leaves early', async () => {
    const { store, history } = await indexed();
    const expected = await objectsOf(history);
    const chunksOf = () => history.turnChunks?.()[Symbol.asyncIterator]() ?? expect.fail('a history over rows has them');
    const [slow, quick, gone] = [chunksOf(), chunksOf(), chunksOf()];
    const taken: { readonly slow: Buffer[]; readonly quick: Buffer[] } = { slow: [], quick: [] };
    for (let held = await slow.next(); !held.done; held = await slow.next()) {
      for (let i = 0; i < 3; i++) {
        const next = await quick.next();
        if (!next.done) taken.quick.push(Buffer.from(next.value));
      }
      await (taken.slow.length < 2 ? gone.next() : gone.return?.());
      taken.slow.push(Buffer.from(held.value));
    }
    for (const chunks of [taken.slow, taken.quick]) expect(`[${Buffer.concat(chunks).toString('utf8')}]`).toBe(expected);
    await store.close();
  });

  it('[R-STO-3] a few look-ups serve some dozens of turns', async () => {
    const { store, history } = await indexed();
    const statement = Object.getPrototypeOf(store.db.prepare('SELECT 1')) as Record<'all' | 'get' | 'iterate', (...params: unknown[]) => unknown>;
    const spies = (['all', 'get', 'iterate'] as const).map((name) => vi.spyOn(statement, name));
    const lookUps = (): number => spies.reduce((sum, { mock }) => sum + mock.calls.length, 0);
    try {
      expect((JSON.parse(await textOf(history)) as unknown[]).length).toBe(TURNS);
      // Whether its turns are kept as text (and whether the state is still the same), the state, what it shares, inputs that wait; of each few turns: whether the state is still the same, the turns, and their items. Beside that the row of each item of which the file has the text.
      expect(lookUps()).toBeLessThanOrEqual(5 + 3 * Math.ceil(TURNS / ROWS_AT_ONCE) + Math.ceil(TURNS / 10));
    } finally {
      for (const spy of spies) spy.mockRestore();
    }
    await store.close();
  });
});
