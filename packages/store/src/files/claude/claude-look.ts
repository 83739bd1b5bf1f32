import { type ClaudeLineSign, claudeLineSigns } from '@tapefold/dialects';
import type { TapeLine } from '@tapefold/facts';
import { readHeadLines, readLinesBackward } from '@tapefold/tapes';
import { type ThreadHead, ThreadRows, emptyThreadHead, foldThread, settleThread } from '@tapefold/threads';
import type { LastTurnStatus } from '../../thread-source.js';
import { CLAUDE_HEAD_BYTES, HEAD_LINES, TAIL_BUDGET_BYTES } from '../limits.js';
import { lastTurnStatus } from '../last-turn.js';
import type { OnRead } from '../shelf.js';
import { type AgentNote, readAgentNote } from './agent-note.js';
import { type ClaudeFile, playerOf } from './claude-file.js';
import { type Beginning, beginningOf } from './beginning.js';
import { notSessionReason } from './not-session.js';
import { type Titles, titlesOf } from './titles.js';

/** What the head and the tail of a session file or a sub-agent's tell. */
export interface ClaudeLook {
  readonly file: ClaudeFile;
  readonly head: ThreadHead;
  readonly beginning: Beginning;
  readonly titles: Titles;
  readonly note: AgentNote;
  /** The session that the lines of a sub-agent's file name. */
  readonly parentSession: string | undefined;
  /** Sub-agents whose lines stand in the file, as far as it was looked at. */
  readonly insideAgents: readonly string[];
  readonly turnCount: number | undefined;
  readonly lastTurn: LastTurnStatus | undefined;
  readonly lastRecordAtMs: number | undefined;
  readonly problem: string | undefined;
  readonly hasFailed?: true | undefined;
  /** Why the file is no session, as a sentence. */
  readonly notSession: string | undefined;
}

/** Lines with their signs. */
interface SeenLine { readonly line: TapeLine; readonly signs: readonly ClaudeLineSign[] }

const isWritten = ({ text }: TapeLine): boolean => text === undefined || text.trim() !== '';
const seen = (line: TapeLine): SeenLine => ({ line, signs: claudeLineSigns(line) });

/** What some lines of a file, played from their first on, come to. */
interface Sight { readonly head: ThreadHead; readonly agents: ReadonlySet<string>; readonly turnCount: number; readonly lastTurn: LastTurnStatus }

function play(file: ClaudeFile, lines: readonly SeenLine[]): Sight {
  const player = playerOf(file);
  const rows = new ThreadRows();
  const agents = new Set<string>();
  let head = emptyThreadHead;
  let position = 0;
  for (const { line } of lines) {
    for (const fact of player.play(line).facts) {
      if (fact.agent !== undefined) agents.add(fact.agent);
      const folded = fact.agent === undefined ? foldThread(head, fact, position) : undefined;
      position += 1;
      if (!folded) continue;
      head = folded.head;
      rows.apply(folded.changes);
    }
  }
  const turns = settleThread(head, rows, { view: 'notLoaded' });
  const last = turns.at(-1);
  return { head, agents, turnCount: turns.length, lastTurn: lastTurnStatus(last) };
}

function tailOf(file: ClaudeFile, onRead: OnRead | undefined): SeenLine[] {
  return [...readLinesBackward(file.path, { budgetBytes: TAIL_BUDGET_BYTES, chunkBytes: TAIL_BUDGET_BYTES, onRead })].reverse().filter(isWritten).map(seen);
}

/** How the last turn stands by the tail alone; unknown where the newest mark of the living branch lies before it. */
function tailStatus(tail: readonly SeenLine[], { lastTurn, turnCount }: Sight): LastTurnStatus | undefined {
  const signs = tail.flatMap((each) => each.signs);
  const mark = signs.filter(({ type, leafUuid }) => type === 'last-prompt' && leafUuid !== undefined).at(-1);
  const isClear = mark === undefined || signs.some(({ uuid }) => uuid !== undefined && uuid === mark.leafUuid);
  return turnCount > 0 && isClear ? lastTurn : undefined;
}

/** What the head says of the thread, and where the tail says it newer. */
function merged(head: ThreadHead, { head: tail }: Sight): ThreadHead {
  if (!head.identity) return tail;
  const { cwd, git, model } = tail.details;
  const newer = Object.fromEntries(Object.entries({ cwd, git, model }).filter(([, value]) => value !== undefined));
  return { ...head, details: { ...head.details, ...newer } };
}

function problemOf(file: ClaudeFile, head: ThreadHead): string | undefined {
  if (head.identity) return undefined;
  return file.sizeBytes === 0 ? 'it is empty' : 'it holds no line of a conversation that can be read';
}

function lookInto(file: ClaudeFile, onRead: OnRead | undefined): ClaudeLook {
  const read = readHeadLines(file.path, { maxBytes: CLAUDE_HEAD_BYTES, maxLines: HEAD_LINES, onRead });
  const isWhole = read.endedBy === 'end';
  const lines = read.lines.filter(isWritten).map(seen);
  const sight = play(file, lines);
  const tail = isWhole ? [] : tailOf(file, onRead);
  const end = isWhole ? undefined : play(file, tail);
  const head = end ? merged(sight.head, end) : sight.head;
  const all = [...lines, ...tail].map(({ signs }) => signs);
  const notSession = file.name.kind === 'session' ? notSessionReason({ file, lines: all, isWhole }) : undefined;
  return {
    file, head, beginning: beginningOf(lines), titles: titlesOf(isWhole ? all : tail.map(({ signs }) => signs), all), note: readAgentNote(file.notePath, onRead), notSession,
    parentSession: all.flat().find(({ sessionId }) => sessionId !== undefined)?.sessionId, insideAgents: [...new Set([...sight.agents, ...(end?.agents ?? [])])],
    turnCount: isWhole ? sight.turnCount : undefined, lastTurn: end ? tailStatus(tail, end) : sight.lastTurn, lastRecordAtMs: all.flat().flatMap(({ timeMs }) => timeMs ?? []).at(-1), problem: problemOf(file, head),
  };
}

/** Looks at one file: a head and a tail of bounded size. Never throws: what goes wrong is the row's problem. */
export function lookAtClaude(file: ClaudeFile, onRead?: OnRead): ClaudeLook {
  if (file.unreadable !== undefined) return unseen(file, file.unreadable);
  try {
    return lookInto(file, onRead);
  } catch (cause) {
    return { ...unseen(file, cause instanceof Error ? cause.message : String(cause)), hasFailed: true };
  }
}

function unseen(file: ClaudeFile, problem: string): ClaudeLook {
  return {
    file, head: emptyThreadHead, beginning: {}, titles: titlesOf([], []), note: {}, parentSession: undefined, insideAgents: [], turnCount: undefined, lastTurn: undefined, lastRecordAtMs: undefined, problem, notSession: undefined,
  };
}
