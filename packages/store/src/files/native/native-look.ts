import { createNativePlayer, nativeCheckpoint } from '@tapefold/dialects';
import { type Player, type TapeLine, isJsonObject } from '@tapefold/facts';
import { readHeadLines, readLinesBackward } from '@tapefold/tapes';
import { type ThreadHead, ThreadRows, emptyThreadHead, foldThread, unsettledThread } from '@tapefold/threads';
import type { LastTurnStatus } from '../../thread-source.js';
import { lastTurnStatus } from '../last-turn.js';
import { HEAD_BUDGET_BYTES, HEAD_LINES, TAIL_BUDGET_BYTES } from '../limits.js';
import { timeMs } from '../record-time.js';
import type { OnRead } from '../shelf.js';
import { type NativeFile, playerOf } from './native-file.js';

/** What head and tail of a tape tell. */
export interface NativeLook {
  readonly file: NativeFile;
  readonly head: ThreadHead;
  readonly turnCount: number | undefined;
  readonly lastTurn: LastTurnStatus | undefined;
  readonly lastRecordAtMs: number | undefined;
  readonly problem: string | undefined;
  readonly hasFailed?: true | undefined;
}

interface Sight { readonly head: ThreadHead; readonly turnCount: number; readonly lastTurn: LastTurnStatus; readonly lastAt: string | undefined }

/** Folds some lines on top of what is known already. */
function sightOf(player: Player, lines: readonly TapeLine[], from: ThreadHead = emptyThreadHead): Sight {
  const rows = new ThreadRows();
  let head = from;
  let lastAt: string | undefined;
  for (const line of lines) {
    for (const fact of player.play(line).facts) {
      const folded = foldThread(head, fact, fact.ordinal);
      head = folded.head;
      lastAt = fact.at ?? lastAt;
      rows.apply(folded.changes);
    }
  }
  const turns = unsettledThread(head, rows, { view: 'notLoaded' });
  return { head, turnCount: turns.length, lastTurn: lastTurnStatus(turns.at(-1)), lastAt };
}

function ordinalIn(text: string | undefined): number | undefined {
  try {
    const raw: unknown = JSON.parse(text ?? '');
    const ordinal = isJsonObject(raw) ? raw['ordinal'] : undefined;
    return typeof ordinal === 'number' && Number.isSafeInteger(ordinal) && ordinal >= 0 ? ordinal : undefined;
  } catch {
    return undefined;
  }
}

/** The end of a tape on top of its head. How the last turn stands it tells only where it has that turn's start. */
function withTail(file: NativeFile, { head, lastAt }: Sight, onRead: OnRead | undefined): Sight & { readonly hasTurn: boolean } {
  const lines = [...readLinesBackward(file.path, { budgetBytes: TAIL_BUDGET_BYTES, chunkBytes: TAIL_BUDGET_BYTES, onRead })].reverse();
  const first = lines.map(({ text }) => ordinalIn(text)).find((ordinal) => ordinal !== undefined);
  const end = sightOf(createNativePlayer({ tape: file.tape }, nativeCheckpoint({ tape: file.tape, ordinal: first ?? 0 })), lines, head);
  return { ...end, lastAt: end.lastAt ?? lastAt, hasTurn: end.turnCount > 0 };
}

function problemOf(file: NativeFile, head: ThreadHead): string | undefined {
  if (head.identity) return undefined;
  return file.sizeBytes === 0 ? 'it is empty' : 'it does not say which thread it is: its first lines are no facts that can be read';
}

function lookInto(file: NativeFile, onRead: OnRead | undefined): NativeLook {
  const read = readHeadLines(file.path, { maxBytes: HEAD_BUDGET_BYTES, maxLines: HEAD_LINES, onRead });
  const begin = sightOf(playerOf(file), read.lines);
  if (read.endedBy === 'end') return { file, head: begin.head, turnCount: begin.turnCount, lastTurn: begin.lastTurn, lastRecordAtMs: timeMs(begin.lastAt), problem: problemOf(file, begin.head) };
  const end = withTail(file, begin, onRead);
  return { file, head: end.head, turnCount: undefined, lastTurn: end.hasTurn ? end.lastTurn : undefined, lastRecordAtMs: timeMs(end.lastAt), problem: problemOf(file, end.head) };
}

/** Looks at one tape: a head and a tail of bounded size. Never throws: what goes wrong is the row's problem. */
export function lookAtNative(file: NativeFile, onRead?: OnRead): NativeLook {
  const unseen = (problem: string): NativeLook => ({ file, head: emptyThreadHead, turnCount: undefined, lastTurn: undefined, lastRecordAtMs: undefined, problem });
  if (file.unreadable !== undefined) return unseen(file.unreadable);
  try {
    return lookInto(file, onRead);
  } catch (cause) {
    return { ...unseen(cause instanceof Error ? cause.message : String(cause)), hasFailed: true };
  }
}
