import { SqliteStore, StoreError } from '@tapefold/store';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { stateFolder } from './state-folder.js';
import type { Surroundings } from './terminal.js';

/** Where the index is: in the folder for Tapefold's own files. */
export const indexPath = (surroundings: Surroundings): string => join(stateFolder(surroundings), 'index.db');

/** The index, where there is one; throws a `StoreError` where it cannot be used. */
export function openIndex(surroundings: Surroundings): SqliteStore | undefined {
  const path = indexPath(surroundings);
  return existsSync(path) ? new SqliteStore(path, { nowMs: surroundings.nowMs }) : undefined;
}

/** The index for reading: one that cannot be used is told, and the session files are read instead. */
export function usableIndex(surroundings: Surroundings, note: (sentence: string) => void): SqliteStore | undefined {
  try {
    return openIndex(surroundings);
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    note(error.message);
    return undefined;
  }
}
