import { type KimiLineSign, kimiLineSigns } from '@tapefold/dialects';
import { type Fact, type TapeLine, textOfParts } from '@tapefold/facts';
import { readHeadLines, readLinesBackward } from '@tapefold/tapes';
import { type ThreadHead, ThreadRows, emptyThreadHead, foldThread, settleThread, unsettledThread } from '@tapefold/threads';
import type { LastTurnStatus } from '../../thread-source.js';
import { lastTurnStatus } from '../last-turn.js';
import { HEAD_LINES, KIMI_HEAD_BYTES, TAIL_BUDGET_BYTES } from '../limits.js';
import type { OnRead } from '../shelf.js';
import type { KimiFile } from './kimi-file.js';
import { kimiPlayer } from './kimi-player.js';
import type { AgentNote } from './session-notes.js';

/** What the head and the tail of a log tell. */
export interface KimiLook {
  readonly file: KimiFile;
  readonly head: ThreadHead;
  /** The first thing that was asked, by the records themselves. */
  readonly firstPrompt: string | undefined;
  /** Sub-agents whose records stand in the log, as far as it was looked at, with what they were asked first. */
  readonly insideAgents: Readonly<Record<string, string>>;
  /** What the log says of the sub-agents that it started. */
  readonly described: Readonly<Record<string, AgentNote>>;
  readonly turnCount: number | undefined;
  /** `unclear`: only the whole log, or the note beside it, tells. */
  readonly lastTurn: LastTurnStatus | undefined;
  readonly lastRecordAtMs: number | undefined;
  /** Whether a record says that anything happened; undefined where none that was looked at does, and there are more. */
  readonly isReal: boolean | undefined;
  readonly problem: string | undefined;
  readonly hasFailed?: true | undefined;
}

type Signs = readonly KimiLineSign[];

const isWritten = ({ text }: TapeLine): boolean => text === undefined || text.trim() !== '';

/** What some lines of a log, played from its first on, come to. */
interface Sight { readonly head: ThreadHead; readonly rows: ThreadRows; readonly agents: Map<string, string>; readonly described: Map<string, AgentNote> }

/** What a fact says of a sub-agent, or in one's name. */
function noteAgents({ agents, described }: Sight, fact: Fact, ownAgent: string): void {
  if (fact.type === 'agent.described' || (fact.type === 'task.started' && fact.task.agentId !== undefined)) {
    const { agentId = '', description, role } = fact.type === 'agent.described' ? fact : { ...fact.task, role: undefined };
    described.set(agentId, { ...described.get(agentId), ...(description === undefined ? {} : { description }), ...(role === undefined ? {} : { role }) });
  }
  if (fact.agent === undefined || fact.agent === ownAgent) return;
  const said = fact.type === 'input.received' ? textOfParts(fact.content) : '';
  agents.set(fact.agent, agents.get(fact.agent) || said);
}

function play(file: KimiFile, lines: readonly TapeLine[]): Sight {
  const player = kimiPlayer(file);
  const rows = new ThreadRows();
  const sight = { rows, agents: new Map<string, string>(), described: new Map<string, AgentNote>() };
  let head = emptyThreadHead;
  let position = 0;
  for (const line of lines) {
    for (const fact of player.play(line).facts) {
      const isOwn = fact.agent === undefined || fact.agent === file.name.agentId;
      noteAgents({ ...sight, head }, fact, file.name.agentId);
      const folded = isOwn ? foldThread(head, fact, position) : undefined;
      position += 1;
      if (!folded) continue;
      head = folded.head;
      rows.apply(folded.changes);
    }
  }
  return { ...sight, head };
}

/** Turns of a log that was seen whole: how many, and how the last one stands, `open` where nothing ends it. */
function wholeTurns(head: ThreadHead, rows: ThreadRows): { turnCount: number; lastTurn: LastTurnStatus } {
  const turns = settleThread(head, rows, { view: 'notLoaded' });
  const open = unsettledThread(head, rows, { view: 'notLoaded' }).at(-1);
  const last = turns.at(-1);
  return { turnCount: turns.length, lastTurn: lastTurnStatus(last?.status === 'interrupted' ? open : last) };
}

/** How the newest turn stands by the records at the end; before version 1.2 kimi-cli wrote no end of a turn. */
function tailTurn(tail: Signs, protocol: string | undefined): LastTurnStatus | undefined {
  const turn = tail.flatMap((sign) => sign.turn ?? []).at(-1);
  const isEndless = tail.at(-1)?.family === 'cli' && (protocol === undefined || protocol === '1.1');
  if (turn === 'open' && isEndless) return 'completed';
  return turn === 'unclear' ? undefined : turn;
}

function lookInto(file: KimiFile, onRead: OnRead | undefined): KimiLook {
  const read = readHeadLines(file.path, { maxBytes: KIMI_HEAD_BYTES, maxLines: HEAD_LINES, onRead });
  const isWhole = read.endedBy === 'end';
  const lines = read.lines.filter(isWritten);
  const { head, rows, agents, described } = play(file, lines);
  const first = lines.flatMap(kimiLineSigns);
  const tail = isWhole ? first : [...readLinesBackward(file.path, { budgetBytes: TAIL_BUDGET_BYTES, chunkBytes: TAIL_BUDGET_BYTES, onRead })].reverse().flatMap(kimiLineSigns);
  const protocol = first.find((sign) => sign.type === 'metadata')?.protocol;
  return {
    file, head, firstPrompt: first.find(({ prompt }) => prompt !== undefined)?.prompt, insideAgents: Object.fromEntries(agents), described: Object.fromEntries(described),
    ...(isWhole ? wholeTurns(head, rows) : { turnCount: undefined, lastTurn: tailTurn(tail, protocol) }),
    lastRecordAtMs: [...first, ...tail].flatMap(({ timeMs }) => timeMs ?? []).at(-1), isReal: first.some(({ isReal }) => isReal) || tail.some(({ isReal }) => isReal) || (isWhole ? false : undefined),
    problem: problemOf(file, first),
  };
}

function problemOf(file: KimiFile, signs: Signs): string | undefined {
  if (file.sizeBytes === 0) return 'its log is empty';
  return signs.length === 0 ? 'its log holds no record that can be read' : undefined;
}

/** Looks at one log: a head and a tail of bounded size. Never throws: what goes wrong is the row's problem. */
export function lookAtKimi(file: KimiFile, onRead?: OnRead): KimiLook {
  if (file.unreadable !== undefined) return unseen(file, file.unreadable);
  try {
    return lookInto(file, onRead);
  } catch (cause) {
    return { ...unseen(file, cause instanceof Error ? cause.message : String(cause)), hasFailed: true };
  }
}

/** What is known of a log that is not there, or cannot be read. */
export function unseen(file: KimiFile, problem: string | undefined): KimiLook {
  return { file, head: emptyThreadHead, firstPrompt: undefined, insideAgents: {}, described: {}, turnCount: undefined, lastTurn: undefined, lastRecordAtMs: undefined, isReal: undefined, problem };
}
