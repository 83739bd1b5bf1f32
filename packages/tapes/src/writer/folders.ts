import { closeSync, existsSync, fsyncSync, mkdirSync, openSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { TapeError, writeErrorOf } from '../errors.js';

/** What a tape's folder holds: the tape, its blobs, and the lock of who writes it. */
export const TAPE_FILE = 'tape.jsonl';
/** Folder of the documents beside a tape. */
export const BLOBS = 'blobs';

const NAME_CHARS = 128;
const safeName = /^[A-Za-z0-9][\w.-]*$/;

/** The folder of a thread's tape in a home. The id becomes a folder's name, so it is one: letters, digits, `_`, `.`, `-`, at most 128. Throws `TapeError` (`badName`). */
export function tapeFolder(home: string, threadId: string): string {
  if (!safeName.test(threadId) || threadId.length > NAME_CHARS || threadId.endsWith('.lock')) {
    throw new TapeError('badName', { path: home, why: `${JSON.stringify(threadId)} cannot name a tape: an id has letters, digits, "_", "." and "-", begins with a letter or digit, and has at most ${NAME_CHARS} characters` });
  }
  return join(home, threadId);
}

/**
 * Makes a folder for its owner alone, and those above it that are missing. Returns the folders that have a new entry, which a barrier has to sync. Throws `TapeError`. (One by one: what Node's
 * own recursive way says of a disk that is read-only is that the folder does not exist.)
 */
export function makeFolder(path: string): string[] {
  const whole = resolve(path);
  if (existsSync(whole)) return [];
  const changed = dirname(whole) === whole ? [] : makeFolder(dirname(whole));
  try {
    mkdirSync(whole, { mode: 0o700 });
  } catch (error) {
    // Another program made it in the meantime.
    if (!existsSync(whole)) throw writeErrorOf(error, path);
  }
  return [...changed, dirname(whole)];
}

/** Puts the entries of a folder on the disk: a file that is synced is lost all the same while its name is not. Not every system can; those that cannot do it by themselves. */
export function syncFolder(path: string): void {
  let fd: number;
  try { fd = openSync(path, 'r'); } catch { return; }
  try { fsyncSync(fd); } catch { /* EINVAL, EPERM: folders cannot be synced here */ } finally { closeSync(fd); }
}
