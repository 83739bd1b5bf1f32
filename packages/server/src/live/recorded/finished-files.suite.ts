import { type AgentProgram, type TranscriptReader, createFileSource, createTranscriptReader } from '@tapefold/store';
import type { AgentTranscriptSnapshot } from '@tapefold/transcript';
import type { TranscriptFold } from '@tapefold/transcript/fold';
import { shownSnapshot } from '../hub/live-agent.js';
import { OpenTurns } from '../hub/open-turns.js';

/** What the files of an agent say, all facts folded. */
interface FoldedFile {
  readonly fold: TranscriptFold;
  /** The newest of its tapes, and the ordinal of the next fact there. */
  readonly tape: string;
  readonly next: number;
  /** As somebody sees it who was there: a turn that no record ends runs still. */
  readonly running: AgentTranscriptSnapshot;
  /** As it is seen when nobody runs it any more. */
  readonly settled: AgentTranscriptSnapshot;
}

/** Which session an agent is of, and by which name: a sub-agent's thread is one of its parent's session. */
interface FoundAgent { readonly reader: TranscriptReader; readonly sessionId: string; readonly agentId: string }

/** Reads a home from its files. */
export function readerOf(program: AgentProgram, path: string): TranscriptReader { return createTranscriptReader(createFileSource([{ program, path }])); }

/** Looks for a thread among the sessions of a home. */
export async function findAgent(reader: TranscriptReader, threadId: string): Promise<FoundAgent> {
  const { sessions } = await reader.sessions();
  if (sessions.some(({ sessionId }) => sessionId === threadId)) return { reader, sessionId: threadId, agentId: 'main' };
  for (const { sessionId } of sessions) if ((await reader.agents(sessionId)).some(({ agentId }) => agentId === threadId)) return { reader, sessionId, agentId: threadId };
  throw new Error(`no thread ${threadId}`);
}

/** Folds the files of an agent cold, from the first fact to the last. */
export async function foldedFile({ reader, sessionId, agentId }: FoundAgent): Promise<FoldedFile> {
  const followed = await reader.follow(sessionId, agentId);
  if (!followed) throw new Error(`no files of ${sessionId} ${agentId}`);
  const [fold, turns, stop] = [followed.newFold(), new OpenTurns(), new AbortController()];
  let tape = '';
  for await (const growth of followed.growth(stop.signal)) {
    if (growth.kind !== 'facts') { stop.abort(); continue; }
    turns.take(growth.facts);
    for (const fact of growth.facts) { fold.load(fact); tape = fact.tape; }
  }
  const seen = (isRunning: boolean): AgentTranscriptSnapshot => shownSnapshot(fold, { isRunning, certainty: 'known' });
  return { fold, tape, next: turns.nextOrdinal, running: seen(turns.isOpen), settled: seen(false) };
}
