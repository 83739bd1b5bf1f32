import { existsSync, statSync } from 'node:fs';
import { waitingTexts } from '../search/text-indexer.js';
import type { Sqlite } from '../sqlite/database.js';
import type { SqliteStore } from '../sqlite/sqlite-store.js';
import { type LeaseHolder, ROWS_VERSION } from '../thread-store.js';

/** How an index stands. Bytes of tapes are those of the histories that it has. */
export interface IndexStatus {
  readonly path: string;
  readonly sizeBytes: number;
  /** Threads whose rows reach the end of their files, as they were when they were indexed. */
  readonly threads: number;
  /** Threads of the lists of which nothing is in it yet: how large they are is not known here. */
  readonly missing: number;
  /** Threads that are only partly in it, or were made by an older version. */
  readonly unfinished: number;
  readonly bytes: number;
  readonly totalBytes: number;
  /** Items whose text is still to be indexed. */
  readonly waitingTexts: number;
  readonly holder: LeaseHolder | undefined;
}

const missingThreads = (db: Sqlite): number => db.prepare<[], number>('SELECT COUNT(DISTINCT name) FROM threads WHERE name NOT IN (SELECT name FROM histories)').pluck().get() ?? 0;

/** Looks at an index, and at no session file. Throws `StoreError`. */
export async function indexStatus(store: SqliteStore): Promise<IndexStatus> {
  const histories = await store.histories();
  const isDone = ({ state, rowsVersion }: (typeof histories)[number]): boolean => state.isWhole && rowsVersion === ROWS_VERSION;
  const files = [store.path, `${store.path}-wal`].filter((path) => existsSync(path));
  return {
    path: store.path, sizeBytes: files.reduce((sum, path) => sum + statSync(path).size, 0), threads: histories.filter(isDone).length, missing: missingThreads(store.db), unfinished: histories.filter((each) => !isDone(each)).length,
    bytes: histories.reduce((sum, { state }) => sum + state.bytes, 0), totalBytes: histories.reduce((sum, { state }) => sum + state.totalBytes, 0), waitingTexts: waitingTexts(store.db), holder: store.lease.holder(),
  };
}
