import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFileSource } from '../files/file-source.js';
import { everyHome, index, newStore } from '../indexing/grown-home.suite.js';
import { SqliteHistory } from '../sqlite/sqlite-history.js';
import type { SqliteStore } from '../sqlite/sqlite-store.js';
import type { HomeRef, ThreadSource, ThreadSummary } from '../thread-source.js';
import { createStoreSource } from './store-source.js';
import { verifyHomes } from './verify-homes.js';

const everything = { archived: 'too', hasSubAgents: true } as const;
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value)) as unknown;

/** What a source says of a thread, but for its row of the list; undefined where it cannot be read. */
async function saidOf(source: ThreadSource, { thread: { id }, problem }: ThreadSummary): Promise<unknown> {
  const reading = await (problem === undefined ? source.read(id) : source.read(id).catch(() => undefined));
  return reading && plain({ reading, preview: await source.preview(id) });
}

/** The lists of a source. */
async function listsOf(source: ThreadSource): Promise<{ readonly rows: readonly ThreadSummary[]; readonly fileRows: readonly ThreadSummary[] }> {
  return { rows: (await source.list(everything)).rows, fileRows: (await source.list({ ...everything, byFile: true })).rows };
}

/** A scan of a file ends with its budget of bytes, too: then it saw less. */
const withoutCutPreview = (said: unknown): unknown => {
  const { preview, ...rest } = said as { readonly preview: object };
  return 'endedBy' in preview && preview.endedBy === 'bytes' ? expect.objectContaining(rest) : said;
};

/** A home of a hundred sessions of one shape, for long lists: its rows are all compared, and every so many sessions are read. */
const alike = { name: 'handmade/19-many', every: 8 } as const;

// One store for all of them: whatever it holds of one home is in nobody's way.
describe('[R-STO-1] [R-STO-3] threads of every recorded home from rows', () => {
  let store: SqliteStore;
  let threads = 0;
  beforeAll(async () => { store = await newStore(); });
  afterAll(() => store.close());

  async function compare(home: HomeRef, every: number): Promise<void> {
    const files = createFileSource([home]);
    const lists = await listsOf(files);
    const said = new Map<ThreadSummary, unknown>();
    for (const row of lists.rows.filter((_, i) => i % every === 0)) said.set(row, await saidOf(files, row));
    for (const isFollowed of [false, true]) {
      const source = createStoreSource({ homes: [home], store, isFollowed });
      expect(plain(await listsOf(source))).toEqual(plain(lists));
      for (const [row, expected] of said) {
        if (expected === undefined) continue;
        const { thread: { id }, sizeBytes } = row;
        if (sizeBytes > 0) expect((await source.history(id)).history, `${id} is read from rows`).toBeInstanceOf(SqliteHistory);
        expect(plain(await source.summary(id)), id).toEqual(plain(row));
        expect(await saidOf(source, row), id).toEqual(withoutCutPreview(expected));
      }
    }
  }

  it.each(everyHome().map(({ name, home }) => [name, home] as const))('are those of a fresh fold, and what their files say: %s', async (name, home) => {
    expect((await index(store, [home])).isComplete).toBe(true);
    for await (const result of verifyHomes(store, [home])) {
      expect(result).toMatchObject({ state: 'equal' });
      threads += 1;
    }
    await compare(home, name === alike.name ? alike.every : 1);
  }, 180_000);

  it('are some hundreds', () => {
    expect(threads).toBeGreaterThanOrEqual(330);
  });
});
