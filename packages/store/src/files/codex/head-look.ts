import type { Fact, FactOf, TapeLine } from '@tapefold/facts';
import { type TailSign, codexTailSign, createCodexPlayer } from '@tapefold/dialects';
import { openTapeLinesSync, readHeadLines, readLinesBackward } from '@tapefold/tapes';
import { type ThreadHead, ThreadRows, emptyThreadHead, foldThread, settleThread, unsettledThread } from '@tapefold/threads';
import type { LastTurnStatus } from '../../thread-source.js';
import { lastTurnStatus } from '../last-turn.js';
import { newestRecordMs } from '../record-time.js';
import type { OnRead } from '../shelf.js';
import type { CatalogFile } from './catalog.js';
import { HEAD_BUDGET_BYTES, HEAD_LINES, LONG_HEAD_BYTES, TAIL_BUDGET_BYTES } from '../limits.js';

/** What the head and the tail of a session file tell. */
export interface HeadLook {
  readonly file: CatalogFile;
  readonly head: ThreadHead;
  readonly based: FactOf<'thread.based'>['base'] | undefined;
  readonly turnCount: number | undefined;
  readonly lastTurn: LastTurnStatus | undefined;
  readonly lastRecordAtMs: number | undefined;
  readonly problem: string | undefined;
  readonly hasFailed?: true | undefined;
}

interface HeadRead { readonly lines: readonly TapeLine[]; readonly isWhole: boolean }

function headOf(file: CatalogFile, onRead: OnRead | undefined): HeadRead {
  if (file.form === 'document') return documentHead(file, onRead);
  const longer = { maxBytes: LONG_HEAD_BYTES, isEnough: (lines: readonly TapeLine[]) => lines.some(({ text }) => hasPrompt(text)) };
  const { lines, endedBy } = readHeadLines(file.path, { maxBytes: HEAD_BUDGET_BYTES, maxLines: HEAD_LINES, longer, onRead });
  return { lines, isWhole: endedBy === 'end' };
}

/** A line on which a person may speak, by its text: instructions can be so long that the first budget holds none. */
function hasPrompt(text: string | undefined): boolean {
  const start = text?.slice(0, 1_000) ?? '';
  return start.includes('"user_message"') || start.includes('"UserMessage"');
}

/** Elements of a document up to the budget. */
function documentHead(file: CatalogFile, onRead: OnRead | undefined): HeadRead {
  const lines: TapeLine[] = [];
  for (const batch of openTapeLinesSync(file.path, { chunkBytes: TAIL_BUDGET_BYTES, onRead, to: HEAD_BUDGET_BYTES })) lines.push(...batch);
  return { lines, isWhole: file.sizeBytes <= HEAD_BUDGET_BYTES };
}

/** How the newest turn stands and when the newest record was written, by the lines at the end. */
function tailOf(file: CatalogFile, onRead: OnRead | undefined): Pick<HeadLook, 'lastTurn' | 'lastRecordAtMs'> {
  if (file.form !== 'lines') return { lastTurn: undefined, lastRecordAtMs: undefined };
  const newest: TapeLine[] = [];
  for (const line of readLinesBackward(file.path, { budgetBytes: TAIL_BUDGET_BYTES, chunkBytes: TAIL_BUDGET_BYTES, onRead })) {
    newest.unshift(line);
    const sign: TailSign | undefined = codexTailSign(line.text);
    if (sign) return { lastTurn: sign === 'unclear' ? undefined : sign, lastRecordAtMs: newestRecordMs(newest) };
  }
  return { lastTurn: undefined, lastRecordAtMs: newestRecordMs(newest) };
}

function wholeTurns(head: ThreadHead, rows: ThreadRows): { turnCount: number; lastTurn: LastTurnStatus } {
  const turns = settleThread(head, rows, { view: 'notLoaded' });
  const last = unsettledThread(head, rows, { view: 'notLoaded' }).at(-1) ?? turns.at(-1);
  return { turnCount: turns.length, lastTurn: lastTurnStatus(last) };
}

function identityProblem(head: ThreadHead, isWhole: boolean): string | undefined {
  if (head.identity) return undefined;
  return isWhole ? 'it has no session_meta, so who wrote it and where is not known' : 'its head holds no session_meta that can be read';
}

/** Looks at one file. Never throws: what goes wrong is the row's problem. */
export function lookAtHead(file: CatalogFile, onRead?: OnRead): HeadLook {
  if (file.unreadable !== undefined) return { file, head: emptyThreadHead, based: undefined, turnCount: undefined, lastTurn: undefined, lastRecordAtMs: undefined, problem: file.unreadable };
  const rows = new ThreadRows();
  let head = emptyThreadHead;
  let based: HeadLook['based'];
  let position = 0;
  try {
    const { lines, isWhole } = headOf(file, onRead);
    const take = (fact: Fact): void => {
      if (fact.type === 'thread.based') based = fact.base;
      const folded = foldThread(head, fact, position);
      position += 1;
      head = folded.head;
      // Turns are counted only where all of them are seen.
      if (isWhole) rows.apply(folded.changes);
    };
    const player = createCodexPlayer({ tape: file.tape, namedThreadId: file.name?.threadId, namedCreatedAt: file.name?.createdAtLocal });
    for (const line of lines) player.play(line).facts.forEach(take);
    const turns = isWhole && !based ? { ...wholeTurns(head, rows), lastRecordAtMs: newestRecordMs(lines) } : { turnCount: undefined, ...tailOf(file, onRead) };
    return { file, head, based, ...turns, problem: identityProblem(head, isWhole) };
  } catch (cause) {
    return { file, head, based, turnCount: undefined, lastTurn: undefined, lastRecordAtMs: undefined, problem: cause instanceof Error ? cause.message : String(cause), hasFailed: true };
  }
}
