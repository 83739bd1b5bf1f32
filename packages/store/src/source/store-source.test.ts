import { describe, expect, it } from 'vitest';
import { createFileSource } from '../files/file-source.js';
import { everyHome, index, newStore } from '../indexing/grown-home.suite.js';
import { SqliteHistory } from '../sqlite/sqlite-history.js';
import type { ThreadSource } from '../thread-source.js';
import { createStoreSource } from './store-source.js';

const everything = { archived: 'too', hasSubAgents: true } as const;
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value)) as unknown;

/** What two sources say of a thread. */
async function compare(files: ThreadSource, rows: ThreadSource, id: string): Promise<void> {
  expect(plain(await rows.read(id)), id).toEqual(plain(await files.read(id)));
  expect(plain(await rows.summary(id)), id).toEqual(plain(await files.summary(id)));
  const fromFiles = await files.preview(id);
  // A scan of a file ends with its budget of bytes, too.
  if (!('endedBy' in fromFiles && fromFiles.endedBy === 'bytes')) expect(await rows.preview(id), id).toEqual(fromFiles);
}

describe('[R-STO-3] threads of every recorded home from rows', () => {
  it.each(everyHome().map(({ name, home }) => [name, home] as const))('are what their files say: %s', async (_, home) => {
    const store = await newStore();
    await index(store, [home]);
    const files = createFileSource([home]);
    const { rows: listed } = await files.list(everything);
    for (const isFollowed of [false, true]) {
      const source = createStoreSource({ homes: [home], store, isFollowed });
      expect(plain((await source.list(everything)).rows)).toEqual(plain(listed));
      expect(plain((await source.list({ ...everything, byFile: true })).rows)).toEqual(plain((await files.list({ ...everything, byFile: true })).rows));
      for (const { thread: { id }, problem, sizeBytes } of listed) {
        if (problem !== undefined && (await files.read(id).catch(() => undefined)) === undefined) continue;
        if (sizeBytes > 0) expect((await source.history(id)).history, `${id} is read from rows`).toBeInstanceOf(SqliteHistory);
        await compare(files, source, id);
      }
    }
    await store.close();
  }, 180_000);
});
