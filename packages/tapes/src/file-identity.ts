import { statSync } from 'node:fs';
import { TapeError, tapeErrorOf } from './errors.js';

/** Tells whether a file is still the one that was read: another inode is another file, a smaller size was cut. Sizes in bytes, time in ms since 1970. */
export interface FileIdentity {
  readonly sizeBytes: number;
  readonly mtimeMs: number;
  readonly inode: number;
  readonly device: number;
}

/** Identity of a regular file, links followed. Throws `TapeError` (`notFound`, `notAFile`, `unreadable`). */
export function fileIdentity(path: string): FileIdentity {
  try {
    const stats = statSync(path);
    if (!stats.isFile()) throw new TapeError('notAFile', { path });
    return { sizeBytes: stats.size, mtimeMs: stats.mtimeMs, inode: stats.ino, device: stats.dev };
  } catch (error) {
    throw tapeErrorOf(error, path);
  }
}
