import { fileSourceOver } from '../files/file-source.js';
import type { ShelfThread } from '../files/shelf.js';
import { type Shelves, nothingKnown, readShelves } from '../files/shelves.js';
import { scopeOf } from '../indexing/indexer.js';
import type { SqliteStore } from '../sqlite/sqlite-store.js';
import type { HomeRef } from '../thread-source.js';
import { VerifiedList } from '../verify/verified-list.js';
import { type VerifyResult, verifyThread } from '../verify/verify-thread.js';

/** Verifies one thread, or without an id every thread of the homes, and what the list says of it; what could not be looked at differs. Writes nothing. Throws `StoreError`. */
export async function* verifyHomes(store: SqliteStore, homes: readonly HomeRef[], id?: string): AsyncGenerator<VerifyResult> {
  const list = await VerifiedList.read(store, scopeOf(homes));
  const known = nothingKnown();
  if (id !== undefined) return yield* verified([await fileSourceOver(homes, { known }).find(id)], { store, list });
  const shelves = await readShelves(homes, { known });
  const threads = threadsOf(shelves);
  yield* verified(threads, { store, list });
  yield* list.left(threads);
  for (const { path, reason } of shelves.apart.failures) yield { threadId: '–', path, state: 'differs', difference: `looking at it ${reason}` };
}

const threadsOf = (shelves: Shelves): readonly ShelfThread[] => shelves.threads().filter(({ notThread }) => notThread === undefined);

async function* verified(threads: readonly ShelfThread[], { store, list }: { readonly store: SqliteStore; readonly list: VerifiedList }): AsyncGenerator<VerifyResult> {
  for (const thread of threads) {
    if (thread.notThread !== undefined) continue;
    const result = await verifyThread(store, thread);
    yield result.state === 'equal' ? await list.verified(thread) : result;
  }
}
