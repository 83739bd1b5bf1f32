import { randomBytes } from 'node:crypto';
import { closeSync, openSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { TapeError, writeErrorOf } from '../errors.js';
import { LOCK_ATTEMPTS, LOCK_WAIT_MS } from '../limits.js';
import { type ProcessMark, lifeOf, ownMark } from './process-mark.js';

/*
 * One writer per tape. Who wants to write puts a lock file of its own into the tape's folder, and only then looks for others:
 *
 *   put own file ──► others? none, or of dead processes (removed) ──► the tape is ours
 *        ▲               └── one that lives ──► withdraw, wait a little, try again, then `locked`
 *        └─────────────────────────────────────┘
 *
 * Of two that come together, the one that looks last sees the other: two never write. All that a file says is in its name, so it is there whole or not at
 * all; and no name is ever used twice, so removing the file of a dead process removes no other one's.
 */

const pattern = /^(\d+)\.(\d+|-)\.([0-9a-f]{8}|-)\.([0-9a-f]{8}|-)\.([0-9a-f]{8})\.[0-9a-f]{8}\.lock$/;

function markOf(name: string): ProcessMark | undefined {
  const [, pid, startedAt = '', boot = '', pidSpace = '', host = ''] = pattern.exec(name) ?? [];
  return pid === undefined ? undefined : { pid: Number(pid), startedAt, boot, pidSpace, host };
}

function nameOf({ pid, startedAt, boot, pidSpace, host }: ProcessMark): string {
  return `${[pid, startedAt, boot, pidSpace, host, randomBytes(4).toString('hex')].join('.')}.lock`;
}

/** A writer that may be at work on a tape. `isSure`: its process runs; else it ran where nobody here can tell. */
export interface LiveWriter {
  readonly pid: number;
  readonly isSure: boolean;
  readonly lockPath: string;
}

interface Found extends LiveWriter { readonly name: string; readonly isDead: boolean }

function locksIn(folder: string): Found[] {
  return readdirSync(folder).flatMap((name): Found[] => {
    const mark = markOf(name);
    const life = mark && lifeOf(mark);
    return mark ? [{ name, pid: mark.pid, isSure: life === 'alive', isDead: life === 'dead', lockPath: join(folder, name) }] : [];
  });
}

/** Who writes the tape of a folder now; undefined where nobody does, or the folder cannot be looked into. Never throws. */
export function liveWriterOf(folder: string): LiveWriter | undefined {
  try {
    const [first] = locksIn(folder).filter(({ isDead }) => !isDead);
    return first && { pid: first.pid, isSure: first.isSure, lockPath: first.lockPath };
  } catch {
    return undefined;
  }
}

/** Gives a lock back. */
export interface TapeLock {
  release(): void;
}

function claim(folder: string): { readonly lock: TapeLock } | { readonly holder: Found } {
  const name = nameOf(ownMark());
  const own = join(folder, name);
  closeSync(openSync(own, 'wx', 0o600));
  const release = (): void => rmSync(own, { force: true });
  try {
    const others = locksIn(folder).filter((found) => found.name !== name);
    const holder = others.find(({ isDead }) => !isDead);
    if (holder) {
      release();
      return { holder };
    }
    for (const { lockPath } of others) rmSync(lockPath, { force: true });
    return { lock: { release } };
  } catch (error) {
    release();
    throw error;
  }
}

/** Takes the tape of a folder for this writer; locks of dead processes are taken over. Throws `TapeError` (`locked`, `notWritable`, `diskFull`, `writeFailed`). */
export async function lockTape(folder: string, path: string): Promise<TapeLock> {
  for (let attempt = 1; ; attempt += 1) {
    const claimed = claimOrThrow(folder);
    if ('lock' in claimed) return claimed.lock;
    if (attempt >= LOCK_ATTEMPTS) {
      const { pid, isSure, lockPath } = claimed.holder;
      throw new TapeError('locked', { path, why: `process ${pid}${isSure ? '' : ' of another machine or container'}, ${lockPath}` });
    }
    await wait(Math.random() * LOCK_WAIT_MS);
  }
}

function claimOrThrow(folder: string): ReturnType<typeof claim> {
  try {
    return claim(folder);
  } catch (error) {
    throw writeErrorOf(error, folder);
  }
}
