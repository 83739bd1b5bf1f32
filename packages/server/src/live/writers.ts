import type { HomeRef, ThreadSource, ThreadSummary } from '@tapefold/store';
import { type LiveWriter, codexWriterOf, liveWriterOf } from '@tapefold/tapes';
import { statSync } from 'node:fs';
import { dirname, sep } from 'node:path';
import { QUIET_MS } from '../limits.js';
import type { Activity } from './hub/live-agent.js';

/** Who has a thread's file open to write it: a process, since when (Unix ms); nobody; or nothing says. */
export type Writing = { readonly kind: 'process'; readonly sinceMs: number } | { readonly kind: 'nobody' } | { readonly kind: 'unknown' };

/** A session file, as lists name it. */
export type WrittenFile = Pick<ThreadSummary, 'program' | 'path'> & { readonly threadId: string };

/** How a thread stands: whether anybody has it open, and whether its newest open turn runs. */
export interface Standing extends Activity {
  readonly isThere: boolean;
}

/** What is known of a thread's newest turn: when it began, where it is open; and when the newest record was written. */
export interface TurnTimes {
  readonly isOpen: boolean;
  readonly openedAtMs: number | undefined;
  readonly lastAtMs: number | undefined;
}

const unknown: Writing = { kind: 'unknown' };

/** The locks of agents, where they leave some: writers of native tapes, and Codex since 0.171. */
export class Writers {
  readonly #homes: readonly HomeRef[];

  constructor(homes: readonly HomeRef[]) {
    this.#homes = homes;
  }

  /** Who writes a file now. Looks at the disk; never throws. */
  of({ program, path, threadId }: WrittenFile): Writing {
    switch (program) {
      case 'native': return writingOf(liveWriterOf(dirname(path)) ?? 'nobody');
      case 'codex': {
        const home = this.#homes.find((each) => each.program === 'codex' && path.startsWith(each.path + sep));
        return writingOf(home && codexWriterOf(home.path, threadId));
      }
      case 'claude': case 'kimi': return unknown;
    }
  }
}

/** A process that ran where nobody here can look says nothing. */
function writingOf(writer: LiveWriter | 'nobody' | undefined): Writing {
  if (writer === 'nobody') return { kind: 'nobody' };
  if (!writer?.isSure) return unknown;
  try {
    return { kind: 'process', sinceMs: Math.floor(statSync(writer.lockPath).mtimeMs) };
  } catch {
    return { kind: 'nobody' };
  }
}

/**
 * How a thread stands by what there is to know: a lock says it; without one a record of the last minutes is a hint. A turn that is older than the lock was left open by a
 * process that died.
 */
export function standingOf(writing: Writing, { isOpen, openedAtMs, lastAtMs }: TurnTimes, nowMs: number): Standing {
  switch (writing.kind) {
    case 'process': return { isThere: true, isRunning: isOpen && (openedAtMs === undefined || openedAtMs >= writing.sinceMs), certainty: 'known' };
    case 'nobody': return { isThere: false, isRunning: false, certainty: 'known' };
    case 'unknown': {
      const isRecent = lastAtMs !== undefined && nowMs - lastAtMs < QUIET_MS;
      return { isThere: isRecent, isRunning: isRecent && isOpen, certainty: 'guessed' };
    }
  }
}

/** The file of a thread; undefined where there is none any more. */
export async function fileOf(source: Pick<ThreadSource, 'summary'>, threadId: string): Promise<WrittenFile | undefined> {
  return source.summary(threadId).then(({ program, path }) => ({ program, path, threadId }), () => undefined);
}
