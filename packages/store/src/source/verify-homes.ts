import { fileSourceOver } from '../files/file-source.js';
import { nothingKnown, readShelves } from '../files/shelves.js';
import type { SqliteStore } from '../sqlite/sqlite-store.js';
import type { HomeRef } from '../thread-source.js';
import { type VerifyResult, verifyThread } from '../verify/verify-thread.js';

/** Verifies one thread, or without an id every thread of the homes. Writes nothing. Throws `StoreError`. */
export async function* verifyHomes(store: SqliteStore, homes: readonly HomeRef[], id?: string): AsyncGenerator<VerifyResult> {
  const known = nothingKnown();
  const threads = id === undefined ? (await readShelves(homes, { known })).threads() : [await fileSourceOver(homes, known).find(id)];
  for (const thread of threads) if (thread.notThread === undefined) yield await verifyThread(store, thread);
}
