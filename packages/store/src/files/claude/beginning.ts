import { type ClaudeLineSign, claudeLineSigns } from '@tapefold/dialects';
import type { TapeLine } from '@tapefold/facts';
import { readHeadLines } from '@tapefold/tapes';
import { BEGINNING_BYTES, HEAD_LINES } from '../limits.js';

/** How a session file begins: enough to tell forks, which begin with copies of the lines of their origin. */
export interface Beginning {
  readonly firstUuid?: string | undefined;
  /** The program queued the first prompt after the first line was written: the line was there before the session. */
  readonly isQueuedLater?: boolean | undefined;
  /** Summaries stand at the top of a file, and are mostly of other sessions. */
  readonly summaries?: readonly { readonly leafUuid: string; readonly text: string }[] | undefined;
}

interface SeenLine { readonly line: TapeLine; readonly signs: readonly ClaudeLineSign[] }

/** Only what lies in the first bytes counts, whoever read how much: a list and a look at one file alone say the same. */
export function beginningOf(lines: readonly SeenLine[]): Beginning {
  const signs = lines.filter(({ line }) => line.offset + line.length <= BEGINNING_BYTES).flatMap((each) => each.signs);
  const first = signs.find(({ uuid }) => uuid !== undefined);
  const queued = signs.find(({ type }) => type === 'queue-operation');
  const summaries = signs.flatMap(({ type, leafUuid, title }) => (type === 'summary' && leafUuid !== undefined && title !== undefined ? [{ leafUuid, text: title }] : []));
  return {
    ...(first?.uuid === undefined ? {} : { firstUuid: first.uuid }), ...(summaries.length ? { summaries } : {}),
    ...(first?.timeMs === undefined || queued?.timeMs === undefined ? {} : { isQueuedLater: queued.timeMs > first.timeMs }),
  };
}

/** The beginning of a file that was not looked at otherwise; undefined where it cannot be read. Never throws. */
export function readBeginning(path: string): Beginning | undefined {
  try {
    return beginningOf(readHeadLines(path, { maxBytes: BEGINNING_BYTES, maxLines: HEAD_LINES }).lines.map((line) => ({ line, signs: claudeLineSigns(line) })));
  } catch {
    return undefined;
  }
}

/** A session of a folder, as far as forks go. */
export interface ForkCandidate {
  readonly threadId: string;
  readonly beginning: Beginning;
  readonly mtimeMs: number;
}

/**
 * The session that another one was forked from, which no line names: it begins with the same line, and is the one that wrote it. Where the queue does
 * not tell who did, the oldest file is taken. Undefined for the origin itself.
 */
export function forkOrigin(own: ForkCandidate, all: readonly ForkCandidate[]): string | undefined {
  const { firstUuid, isQueuedLater } = own.beginning;
  if (firstUuid === undefined || isQueuedLater === false) return undefined;
  const family = all.filter(({ beginning, threadId }) => beginning.firstUuid === firstUuid && (threadId === own.threadId || beginning.isQueuedLater !== true));
  const rank = ({ beginning, mtimeMs }: ForkCandidate): number => (beginning.isQueuedLater === false ? -1 : mtimeMs);
  const [origin] = family.filter(({ threadId }) => isQueuedLater !== true || threadId !== own.threadId).sort((a, b) => rank(a) - rank(b) || (a.threadId < b.threadId ? -1 : 1));
  return origin === undefined || origin.threadId === own.threadId ? undefined : origin.threadId;
}
