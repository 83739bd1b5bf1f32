import type { AgentDescriptor, AgentTranscriptSnapshot, CaughtUp, TranscriptGradeSpec, TranscriptOperation } from '@tapefold/transcript';

/** A state to begin from, as far as the reader's grade goes. It holds every batch up to `seq`. */
export interface Baseline {
  readonly agentId: string;
  readonly snapshot: AgentTranscriptSnapshot;
  readonly hasMoreOlder: boolean;
  readonly seq: number;
  readonly epoch?: string | undefined;
}

/** One dispatched batch, as far as the reader's grade goes; never an empty one. */
export interface Batch {
  readonly agentId: string;
  readonly ops: readonly TranscriptOperation[];
  readonly seq: number;
  readonly epoch?: string | undefined;
}

/** Where the frames of one subscription go. A promise resolves when the client's connection has taken the frame. */
export interface TranscriptSink {
  readonly reset: (baseline: Baseline) => Promise<void>;
  readonly ops: (batch: Batch) => Promise<void>;
}

/** What a client follows of a session, and what it has already: by agent, `*` for those that are not named. */
export interface Following {
  readonly grades: TranscriptGradeSpec;
  /** Number of the newest batch that the client has. */
  readonly since?: Readonly<Record<string, number>> | undefined;
  /** The row of numbers that `since` belongs to. */
  readonly epoch?: string | undefined;
}

/** Where the journal of a session's events stands; beside transcripts, and with numbers of its own. */
export interface EventCursor {
  readonly seq: number;
  readonly epoch: string;
}

/** One client's subscription to one session. */
export interface LiveSubscription {
  readonly cursor: () => EventCursor;
  /**
   * Follows something else from now on. An agent whose grade rises, or whose `since` is not covered, gets a baseline; one whose `since` is covered gets
   * the batches behind it. Resolves when all of that is sent.
   */
  readonly change: (next: Following) => Promise<void>;
  /** Nothing is sent any more. */
  readonly close: () => void;
}

/** An agent of a session that is followed just now, as REST answers about it: the state at `seq`, and the batches behind a number. */
export interface LiveAgentState {
  readonly snapshot: AgentTranscriptSnapshot;
  readonly seq: number;
  readonly epoch: string;
  /** All agents of the session, in the order in which they were made. */
  readonly agents: readonly AgentDescriptor[];
  readonly since: (seq: number, epoch?: string) => CaughtUp;
}

/** Where live transcripts come from. */
export interface LiveSource {
  /** Follows a session; baselines and batches that the client lacks are sent before it resolves. Undefined: there is no such session. */
  readonly subscribe: (sessionId: string, following: Following, sink: TranscriptSink) => Promise<LiveSubscription | undefined>;
  /** Where the events of a session stand; undefined: there is no such session. */
  readonly cursorOf: (sessionId: string) => Promise<EventCursor | undefined>;
  /** Undefined: nobody follows the session, or it has no such agent; its files say all there is. */
  readonly stateOf: (sessionId: string, agentId: string) => Promise<LiveAgentState | undefined>;
}
