import { firstSnippet, searchOccurrences } from '@tapefold/threads';
import { describe, expect, it } from 'vitest';
import { createFileSource } from '../files/file-source.js';
import { everyHome, index, newStore } from '../indexing/grown-home.suite.js';
import { createStoreSource } from '../source/store-source.js';
import { indexTexts } from './text-indexer.js';
import { searched, threadId, writeThreads } from './written-home.suite.js';

const terms = ['the', 'a', 'e', '.', 'file', 'FILE', 'fix', 'test', 'npm', 'src/', ' ', 'done', 'hello', '日', 'é', '::', '"', '\n', 'zzzz', '**', 'I ', 'ok'];
const everything = { archived: 'too', hasSubAgents: true } as const;
/** Every so many homes: each term is looked for in each thread twice. */
const EVERY = process.env['TAPEFOLD_LONG'] === '1' ? 1 : 7;

describe('[R-STO-6] searches of the protocol by the index', () => {
  it('answer as a look through every item does', async () => {
    let [places, spared] = [0, 0];
    for (const { name, home } of everyHome().filter((_, i) => i % EVERY === 0)) {
      const store = await newStore();
      await index(store, [home]);
      await indexTexts(store);
      const [rows, files] = [createStoreSource({ homes: [home], store }), createFileSource([home])];
      for (const { thread: { id }, problem } of (await files.list(everything)).rows) {
        if (problem !== undefined) continue;
        const [a, b] = [(await rows.history(id)).history, (await files.history(id)).history];
        for (const searchTerm of terms) {
          const about = `${name} ${id} ${JSON.stringify(searchTerm)}`;
          const found = await searchOccurrences(b, { threadId: id, searchTerm, limit: 100 });
          expect(await searchOccurrences(a, { threadId: id, searchTerm, limit: 100 }), about).toEqual(found);
          expect(await firstSnippet(a, searchTerm), about).toBe(found.data[0]?.snippet);
          const maySay = (await rows.mayBeSaid?.(searchTerm))?.(id);
          if (found.data.length > 0) expect(maySay, about).not.toBe(false);
          places += found.data.length;
          spared += Number(maySay === false);
        }
      }
      await store.close();
    }
    expect(places).toBeGreaterThan(100);
    expect(spared).toBeGreaterThan(100);
  }, 300_000);

  it('know nothing of threads that changed since, or whose text waits', async () => {
    const { store, home, update } = await searched([{ n: 1, turns: [[{ user: 'alpha' }]] }, { n: 2, turns: [[{ user: 'beta' }]] }]);
    const source = createStoreSource({ homes: [home], store });
    const answers = async (): Promise<unknown[]> => { const maySay = await source.mayBeSaid?.('alpha'); return [1, 2, 3].map((n) => maySay?.(threadId(n))); };
    expect(await answers()).toEqual([true, false, undefined]);
    writeThreads(home, [{ n: 2, turns: [[{ user: 'beta and alpha' }]] }]);
    expect(await answers()).toEqual([true, undefined, undefined]);
    await index(store, [home]);
    expect(await answers()).toEqual([true, undefined, undefined]);
    await update();
    expect(await answers()).toEqual([true, true, undefined]);
    expect(await source.mayBeSaid?.('a')).toBeUndefined();
    await store.close();
  });
});
