import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { LiveWriter } from './tape-lock.js';

/** Folder of a Codex home where its processes lock the threads that they have open. */
const LOCKS = 'thread-writer-locks';

/** Files that some process of this machine has locked whole, by device and inode, with its number; undefined where the system does not tell. */
function lockedFiles(): ReadonlyMap<string, number> | undefined {
  let text: string;
  try { text = readFileSync('/proc/locks', 'latin1'); } catch { return undefined; }
  const held = new Map<string, number>();
  for (const [, pid, major = '', minor = '', inode] of text.matchAll(/^\d+: FLOCK +\S+ +WRITE (-?\d+) ([0-9a-f]+):([0-9a-f]+):(\d+) /gm)) held.set(`${parseInt(major, 16)}:${parseInt(minor, 16)}:${inode}`, Number(pid));
  return held;
}

/** A device number as the kernel of Linux packs it. */
const majorOf = (dev: number): number => (dev >> 8) & 0xfff;
const minorOf = (dev: number): number => (dev & 0xff) | ((dev >> 12) & 0xfff00);

/**
 * Whether a process of Codex has a thread open (since 0.171 it locks a file of that name while it does): the process; `nobody`, its lock is left over from one that died;
 * undefined where there is no lock, which says nothing of older versions. Never throws.
 */
export function codexWriterOf(home: string, threadId: string): LiveWriter | 'nobody' | undefined {
  const lockPath = join(home, LOCKS, `${threadId}.lock`);
  try {
    const { dev, ino } = statSync(lockPath);
    const held = lockedFiles();
    if (!held) return { pid: 0, isSure: false, lockPath };
    const pid = held.get(`${majorOf(dev)}:${minorOf(dev)}:${ino}`);
    return pid === undefined ? 'nobody' : { pid, isSure: true, lockPath };
  } catch {
    return undefined;
  }
}
