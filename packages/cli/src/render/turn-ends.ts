import type { LastTurnStatus } from '@tapefold/store';
import type { ItemOutcome, Turn } from '@tapefold/threads';
import type { Tone } from '../text/line.js';

/** How something ended, in one glyph, one colour and words of the past: nothing says that it still holds. */
export interface Ending {
  readonly glyph: string;
  readonly tone: Tone;
  readonly words: string;
}

/** Every way in which a call is found in a transcript. `inProgress` without an outcome: its turn ran when the file was read. */
export type CallEnd = 'inProgress' | 'completed' | ItemOutcome;

/** One entry for every end, so that a new one does not compile without words. */
export const callEndings: Record<CallEnd, Ending> = {
  inProgress: { glyph: '●', tone: 'accent', words: 'was running' },
  completed: { glyph: '✓', tone: 'good', words: 'completed' },
  failed: { glyph: '✗', tone: 'bad', words: 'failed' },
  declined: { glyph: '⊘', tone: 'warn', words: 'was declined' },
  timedOut: { glyph: '◷', tone: 'warn', words: 'timed out' },
  cancelled: { glyph: '∅', tone: 'warn', words: 'was cancelled' },
  interrupted: { glyph: '■', tone: 'warn', words: 'was interrupted' },
  unknown: { glyph: '◌', tone: 'warn', words: 'outcome unknown: it may have run' },
};

/** What an item says of its end: its own outcome, where there is one, tells more than its public status. */
export function endingOf(item: { readonly status?: Exclude<CallEnd, 'unknown'>; readonly outcome?: ItemOutcome | undefined }): Ending {
  return callEndings[item.outcome ?? item.status ?? 'completed'];
}

/** The same for turns. */
export const turnEndings: Record<Turn['status'], Ending> = {
  inProgress: { glyph: '●', tone: 'accent', words: 'was running' },
  completed: { glyph: '✓', tone: 'good', words: 'completed' },
  failed: { glyph: '✗', tone: 'bad', words: 'failed' },
  interrupted: { glyph: '■', tone: 'warn', words: 'was interrupted' },
};

/** The last turn in a list, in one word. `open`: no record ends it, so it runs or was killed. */
export const lastTurnEndings: Record<LastTurnStatus, Ending> = {
  completed: turnEndings.completed,
  failed: turnEndings.failed,
  interrupted: { ...turnEndings.interrupted, words: 'interrupted' },
  open: { ...turnEndings.interrupted, words: 'interrupted' },
  empty: { glyph: '–', tone: 'dim', words: 'no turn' },
};

/** A file that changed so lately may still be written: what has no end in it may get one. */
const RECENT_MS = 60_000;

/** Whether the file changed within the last minute, and not because it was copied. All in Unix ms. */
export const mayRun = ({ updatedAtMs, lastRecordAtMs = updatedAtMs }: { readonly updatedAtMs: number; readonly lastRecordAtMs: number | undefined }, nowMs: number): boolean =>
  nowMs - Math.min(updatedAtMs, lastRecordAtMs) < RECENT_MS;

/** How a turn stands that nothing ended in a file that changed just now. */
export const mayRunEnding: Ending = { glyph: '◌', tone: 'warn', words: 'may be running' };
