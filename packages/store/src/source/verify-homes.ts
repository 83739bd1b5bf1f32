import { fileSourceOver } from '../files/file-source.js';
import type { ShelfThread } from '../files/shelf.js';
import { nothingKnown, readShelves } from '../files/shelves.js';
import { scopeOf } from '../indexing/indexer.js';
import type { SqliteStore } from '../sqlite/sqlite-store.js';
import type { HomeRef } from '../thread-source.js';
import { VerifiedList } from '../verify/verified-list.js';
import { type VerifyResult, verifyThread } from '../verify/verify-thread.js';

/** Verifies one thread, or without an id every thread of the homes, and what the list says of it. Writes nothing. Throws `StoreError`. */
export async function* verifyHomes(store: SqliteStore, homes: readonly HomeRef[], id?: string): AsyncGenerator<VerifyResult> {
  const list = await VerifiedList.read(store, scopeOf(homes));
  const threads = await threadsOf(homes, id);
  for (const thread of threads) {
    const result = await verifyThread(store, thread);
    yield result.state === 'equal' ? await list.verified(thread) : result;
  }
  if (id === undefined) yield* list.left(threads);
}

async function threadsOf(homes: readonly HomeRef[], id: string | undefined): Promise<readonly ShelfThread[]> {
  const known = nothingKnown();
  const threads = id === undefined ? (await readShelves(homes, { known })).threads() : [await fileSourceOver(homes, known).find(id)];
  return threads.filter(({ notThread }) => notThread === undefined);
}
