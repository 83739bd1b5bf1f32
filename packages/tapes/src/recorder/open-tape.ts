import type { FactDraft, Player, TapeIdentity, ThreadDetails } from '@tapefold/facts';
import { playTape } from '../play-tape.js';
import { tapeFolder } from '../writer/folders.js';
import { type TapeWriter, openTapeWriter } from '../writer/tape-writer.js';
import { RecordedState } from './recorded-state.js';
import { Recorder } from './recorder.js';
import { RecorderPen } from './recorder-pen.js';
import { type RecorderSinks, tell } from './sinks.js';
import { newThreadId } from './thread-id.js';

/** The agent that records. */
export interface RecordingAgent {
  readonly name: string;
  readonly version?: string | undefined;
}

/** The thread whose agent started this one. `call`: the call in it that did. */
export interface ParentThread {
  readonly threadId: string;
  readonly depth?: number | undefined;
  readonly call?: string | undefined;
}

/** What a recorder is opened with. */
export interface RecorderOptions extends RecorderSinks {
  /** The folder of native tapes, `TAPEFOLD_HOME/tapes` where the agent has none of its own: there `tapefold` finds them. */
  readonly home: string;
  /** Absent: a new thread. A thread that is there is gone on with, one that is not is begun. */
  readonly threadId?: string | undefined;
  /** `createNativePlayer` of `@tapefold/dialects`: plays what the tape holds already. */
  readonly createPlayer: (identity: TapeIdentity) => Player;
  readonly agent: RecordingAgent;
  /** What is known of a new thread: folder, model, provider, repository, name. */
  readonly details?: ThreadDetails | undefined;
  readonly parent?: ParentThread | undefined;
  /** Milliseconds since 1970. Absent: the system's clock. */
  readonly now?: (() => number) | undefined;
}

function openingFacts(threadId: string, createdAt: string, { agent, details = {}, parent }: RecorderOptions): FactDraft[] {
  const spawn = parent && { parentThreadId: parent.threadId, depth: parent.depth, nickname: details.agentNickname, agentRole: details.agentRole };
  const opened: FactDraft = {
    type: 'thread.opened', threadId, sessionId: parent?.threadId ?? threadId, program: 'native', programVersion: agent.version, originator: agent.name, createdAt,
    origin: spawn ? { kind: 'subAgent', role: 'threadSpawn', spawn } : { kind: 'custom', name: agent.name }, historyMode: 'legacy', details,
  };
  if (!parent) return [opened];
  const described: FactDraft = { type: 'agent.described', agentId: threadId, kind: 'sub', parentCall: parent.call, name: details.agentNickname, role: details.agentRole, model: details.model };
  return [opened, { type: 'thread.linked', relation: 'parent', threadId: parent.threadId }, described];
}

/** Plays what is there, so that the recorder and its sinks know it as if they had been there. */
async function replay(writer: TapeWriter, state: RecordedState, options: RecorderOptions): Promise<void> {
  await playTape(writer.path, options.createPlayer({ tape: writer.tape }), {
    to: writer.endOffset,
    onFacts: (facts) => {
      for (const fact of facts) {
        state.note(fact);
        tell(options, options.onFact, fact, fact.ordinal);
      }
    },
  });
}

/**
 * Opens the tape of a thread for recording, or begins one. What it holds already is told to `onFact` before this resolves, so that the context that an agent folds there is the one
 * that it had when it stopped, or was killed. A turn of the dead run that is still open is left as it is: readers settle it. Rejects with `TapeError`: `locked`, `badName`, `notWritable`, `diskFull`, `notATape`,
 * `newerVersion`, `writeFailed`, and those of reading.
 */
export async function openTape(options: RecorderOptions): Promise<Recorder> {
  const now = options.now ?? Date.now;
  const threadId = options.threadId ?? newThreadId(now());
  const createdAt = new Date(now()).toISOString();
  const writer = await openTapeWriter(tapeFolder(options.home, threadId), { tape: `native/${threadId}`, createdAt });
  try {
    const state = new RecordedState();
    const isNew = writer.nextOrdinal === 0;
    if (!isNew) await replay(writer, state, options);
    const pen = new RecorderPen({ writer, state, sinks: options, now });
    if (!state.isOpened) pen.write((add) => openingFacts(threadId, createdAt, options).forEach((draft) => void add(draft)));
    return new Recorder({ writer, pen, threadId, isNew, createPlayer: options.createPlayer });
  } catch (error) {
    await writer.close();
    throw error;
  }
}
