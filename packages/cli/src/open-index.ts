import { SqliteStore, StoreError } from '@tapefold/store';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { stateFolder } from './state-folder.js';
import type { Surroundings } from './terminal.js';

/** Where the index is: in the folder for Tapefold's own files. */
export const indexPath = (surroundings: Surroundings): string => join(stateFolder(surroundings), 'index.db');

/** How an index is opened. `isMade`: where there is none, an empty one is made. */
interface OpenIndexOptions {
  readonly isMade?: boolean | undefined;
}

/** The index, where there is one; throws a `StoreError` where it cannot be used. */
export function openIndex(surroundings: Surroundings, { isMade = false }: OpenIndexOptions = {}): SqliteStore | undefined {
  const path = indexPath(surroundings);
  return isMade || existsSync(path) ? new SqliteStore(path, { nowMs: surroundings.nowMs }) : undefined;
}

/** The index for reading: one that cannot be used is told (`note`), and the session files are read instead. */
export function usableIndex(surroundings: Surroundings, { note, ...options }: OpenIndexOptions & { readonly note: (sentence: string) => void }): SqliteStore | undefined {
  try {
    return openIndex(surroundings, options);
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    note(error.message);
    return undefined;
  }
}
