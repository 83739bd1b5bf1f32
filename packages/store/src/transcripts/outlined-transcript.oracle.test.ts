import { type ContextReader, deriveRequest, emptyContext, foldContext, plainProfile } from '@tapefold/context';
import { codexModelItem } from '@tapefold/dialects';
import { beforeAll, describe, expect, it } from 'vitest';
import { createFileSource } from '../files/file-source.js';
import { everyHome, index, newStore } from '../indexing/grown-home.suite.js';
import { createStoreSource } from '../source/store-source.js';
import type { HomeRef, ThreadSource } from '../thread-source.js';
import { createTranscriptReader } from './source-transcripts.js';

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value)) as unknown;
const isLong = process.env['TAPEFOLD_LONG'] === '1';
/** The short run takes every so many homes. */
const EVERY = isLong ? 1 : 6;
/** Pages of each size, and threads of each home. */
const PAGES = isLong ? 10 : 3;
const THREADS = 12;
const homes = everyHome().filter(({ name }, i) => isLong || (i % EVERY === 0 && !name.includes('big-300')));

/** Every page of a transcript, backward and forward, what was said, and plans. */
async function answersOf(source: ThreadSource, id: string, asOf?: number): Promise<unknown> {
  const reader = createTranscriptReader(source);
  const answers: unknown[] = [];
  for (const pageSize of [1, 3]) {
    for (let beforeTurn: string | undefined, left = PAGES; left > 0; left--) {
      const page = await reader.transcript(id, { pageSize, beforeTurn, asOf });
      answers.push(page);
      const first = page.items.find((item) => item.kind === 'turn');
      if (!page.has_more || first?.kind !== 'turn') break;
      beforeTurn = first.turnId;
    }
  }
  answers.push(await reader.transcript(id, { pageSize: 2, afterTurn: 't0', asOf }));
  if (asOf === undefined) answers.push(await reader.userMessages(id), await reader.plans(id), await createTranscriptReader(source, () => ({})).transcript(id, { pageSize: 1 }));
  return plain(answers);
}

async function requestOf(source: ThreadSource, id: string, asOf?: number): Promise<unknown> {
  let state = emptyContext;
  for await (const { position, fact } of source.modelFacts(id, { asOf })) state = foldContext(state, fact, position);
  const reader: ContextReader = { value: await source.values(), modelItem: (raw, native) => (native.dialect === 'codex' ? codexModelItem(raw, native) : undefined) };
  return plain(deriveRequest(state, { profile: plainProfile('responses'), reader }));
}

async function lastOf(source: ThreadSource, id: string): Promise<number> {
  let last = -1;
  for await (const { position } of source.facts(id)) last = position;
  return last;
}

/** A home, indexed with places to play from after every few lines. */
async function indexed(home: HomeRef): Promise<{ files: ThreadSource; rows: ThreadSource; close: () => Promise<void> }> {
  const store = await newStore();
  await index(store, [home], { steps: { commitBytes: 1, chunkBytes: 2_000, startBytes: 6_000 } });
  return { files: createFileSource([home]), rows: createStoreSource({ homes: [home], store }), close: () => store.close() };
}

describe('[R-STO-3] transcripts and the model\'s history of every recorded thread, by its outline', () => {
  let threads = 0;
  beforeAll(() => { threads = 0; });

  it.each(homes.map(({ name, home }) => [name, home] as const))('are what its files say, also as of a fact: %s', async (_, home) => {
    const { files, rows, close } = await indexed(home);
    for (const { thread: { id }, problem, sizeBytes } of (await files.list({ archived: 'too', hasSubAgents: true })).rows.slice(0, THREADS)) {
      if (problem !== undefined || sizeBytes === 0) continue;
      expect(await rows.outline?.(id), `${id} has an outline`).toBeDefined();
      expect(await answersOf(rows, id), id).toEqual(await answersOf(files, id));
      expect(await requestOf(rows, id), id).toEqual(await requestOf(files, id));
      const last = await lastOf(files, id);
      for (const part of [0.3, 0.8]) {
        const asOf = Math.floor(last * part);
        if (asOf < 0) continue;
        expect(await answersOf(rows, id, asOf), `${id} as of ${asOf}`).toEqual(await answersOf(files, id, asOf));
        expect(await requestOf(rows, id, asOf), `${id} as of ${asOf}`).toEqual(await requestOf(files, id, asOf));
      }
      threads += 1;
    }
    await close();
  }, 60_000);

  it('are many', () => expect(threads).toBeGreaterThan(150 / EVERY));
});
