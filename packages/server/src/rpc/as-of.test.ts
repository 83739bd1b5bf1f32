import { type ThreadSource, createFileSource } from '@tapefold/store';
import { readCall } from '@tapefold/threads';
import { recordedHomes } from '@tapefold/testing';
import { describe, expect, it } from 'vitest';
import { type ReadingCall, answerCall } from './answer-call.js';
import { rpcErrorOf } from './rpc-error-of.js';
import { ThreadReader } from './thread-reader.js';

interface Page { readonly data: readonly unknown[]; readonly nextCursor: string | null }

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value)) as unknown;

/** Asks for one answer. */
async function asked<T>(reader: ThreadReader, method: string, params: object): Promise<T> {
  let text = '';
  for await (const chunk of await answerCall(reader, readCall(method, params) as ReadingCall, { notify: () => {}, follow: () => {} })) text += String(chunk);
  return JSON.parse(text) as T;
}

/** All rows of a chain of pages. */
async function rowsOf(reader: ThreadReader, method: string, params: object): Promise<unknown[]> {
  const rows: unknown[] = [];
  for (let cursor: string | null = null; ;) {
    const { data, nextCursor }: Page = await asked<Page>(reader, method, { ...params, cursor });
    rows.push(...data);
    if (nextCursor === null) return rows;
    cursor = nextCursor;
  }
}

async function factCount(source: ThreadSource, id: string): Promise<number> {
  let count = 0;
  for await (const { position } of source.facts(id)) count = position + 1;
  return count;
}

const homes = recordedHomes().filter(({ name }) => ['handmade/4-rollback', 'handmade/5-compaction', 'handmade/12-paginated', 'handmade/9-subagent'].includes(name));

describe('[R-STO-7] calls for a part of a thread as of a fact', () => {
  it.each(homes.map(({ name, home }) => [name, home] as const))('tell what the thread was then: %s', async (_, path) => {
    const source = createFileSource([{ program: 'codex', path }]);
    const reader = new ThreadReader(source);
    let threads = 0;
    for (const { thread: { id }, problem } of (await source.list({ archived: 'too', hasSubAgents: true })).rows) {
      const count = problem === undefined ? await factCount(source, id) : 0;
      for (const asOf of [...new Set([0.25, 0.6, 1].map((part) => Math.ceil(count * part) - 1))].filter((position) => position >= 0)) {
        const about = { threadId: id, asOf };
        const { thread } = plain(await source.read(id, { asOf })) as { readonly thread: { readonly turns: readonly { readonly id: string; readonly items: readonly unknown[] }[] } };
        expect(await rowsOf(reader, 'thread/turns/list', { ...about, limit: 2, sortDirection: 'asc', itemsView: 'full' })).toEqual(thread.turns);
        expect(await rowsOf(reader, 'thread/items/list', { ...about, limit: 3 })).toMatchObject(thread.turns.flatMap(({ id: turnId, items }) => items.map((item) => ({ turnId, item }))));
        expect((await asked<{ readonly thread: unknown }>(reader, 'thread/read', { ...about, includeTurns: true })).thread).toEqual(thread);
        const items = thread.turns.flatMap((turn) => turn.items);
        expect((await rowsOf(reader, 'thread/timeline/list', { ...about, limit: 100 }) as { readonly type: string; readonly item?: unknown }[]).flatMap(({ type, item }) => (type === 'item' ? [item] : []))).toEqual(items);
        for (const { id: turnId, items: own } of thread.turns.filter((turn) => turn.items.length > 0).slice(-2)) {
          const itemIds = (own as { readonly id: string }[]).map((item) => item.id);
          expect((await asked<Page>(reader, 'thread/items/read', { ...about, turnId, itemIds })).data).toMatchObject(own.map((item) => ({ turnId, item })));
        }
        expect((await asked<{ readonly thread: unknown }>(reader, 'thread/read', about)).thread).toEqual({ ...thread, turns: [], updatedAt: expect.any(Number) });
      }
      for (const [method, more] of [['thread/read', {}], ['thread/turns/list', {}], ['thread/items/list', {}], ['thread/timeline/list', {}], ['thread/items/read', { turnId: 'x', itemIds: ['y'] }], ['thread/searchOccurrences', { searchTerm: 'x' }]] as const) {
        const error = await asked(reader, method, { threadId: id, asOf: count, ...more }).catch(rpcErrorOf);
        expect(error).toMatchObject({ code: -32600, message: expect.stringContaining(`${count} is behind the last fact of the thread`) });
      }
      threads += 1;
    }
    expect(threads).toBeGreaterThan(0);
  });

  it('find only what was there then', async () => {
    const [{ home } = { home: '' }] = homes;
    const source = createFileSource([{ program: 'codex', path: home }]);
    const reader = new ThreadReader(source);
    const [row] = await reader.all();
    const about = { threadId: row?.thread.id ?? '' };
    const turns = await rowsOf(reader, 'thread/turns/list', { ...about, itemsView: 'full', sortDirection: 'asc' }) as { readonly items: readonly { readonly content?: readonly { readonly text: string }[] }[] }[];
    const searchTerm = turns.at(-1)?.items[0]?.content?.[0]?.text;
    const found = async (more: object): Promise<readonly unknown[]> => (await asked<Page>(reader, 'thread/searchOccurrences', { ...about, searchTerm, ...more })).data;
    expect(await found({ asOf: 1 })).toEqual([]);
    expect((await found({ asOf: (await factCount(source, about.threadId)) - 1 })).length).toBeGreaterThan(0);
  });

  it('change nothing of what is told of the thread as it is', async () => {
    const [{ home } = { home: '' }] = homes;
    const reader = new ThreadReader(createFileSource([{ program: 'codex', path: home }]));
    const [row] = await reader.all();
    const now = (): Promise<unknown[]> => rowsOf(reader, 'thread/turns/list', { threadId: row?.thread.id, itemsView: 'full' });
    const before = await now();
    await rowsOf(reader, 'thread/turns/list', { threadId: row?.thread.id, asOf: 1 });
    expect(await now()).toEqual(before);
  });
});
