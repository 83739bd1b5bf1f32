import type { DroppedText, Fact, TextDelta } from '@tapefold/facts';
import type { AgentDescriptor } from '@tapefold/transcript';
import type { TranscriptFold } from '@tapefold/transcript/fold';
import type { Activity } from './live-agent.js';

/** An agent as a feed found it: all facts so far are folded. */
export interface FedAgent {
  readonly descriptor: AgentDescriptor;
  readonly fold: TranscriptFold;
  /** Ordinal of the next fact of its newest tape. */
  readonly nextOrdinal: number;
  readonly activity: Activity;
}

/** What a feed tells of the session that it was opened for, in order. */
export interface FeedEvents {
  /** An agent began after the session was opened. */
  readonly joined: (agent: FedAgent) => void;
  /** What is known of an agent changed: its label, that it is disposed of. */
  readonly described: (descriptor: AgentDescriptor) => void;
  readonly facts: (agentId: string, facts: readonly Fact[], activity: Activity) => void;
  readonly delta: (agentId: string, delta: TextDelta) => void;
  readonly dropped: (agentId: string, dropped: DroppedText) => void;
  /** Whether it runs, where no fact says so. */
  readonly activity: (agentId: string, activity: Activity) => void;
  /** Its tape is not what it was (truncated, rewritten, another file): another fold, from its start. */
  readonly replaced: (agent: FedAgent) => void;
  /** The session's files are gone. */
  readonly gone: () => void;
}

/** A session that is fed. `close` ends the telling. */
export interface OpenFeed {
  readonly sessionId: string;
  readonly agents: readonly FedAgent[];
  readonly close: () => void;
}

/** Where facts of sessions come from while they happen. Undefined: there is no such session. Events come only after it resolved. */
export interface LiveFeed {
  readonly open: (sessionId: string, events: FeedEvents) => Promise<OpenFeed | undefined>;
}
