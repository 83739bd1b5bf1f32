import type { AgentDescriptor, TranscriptPlanResponse, TranscriptResponse, TranscriptUserMessagesResponse, TurnPageQuery } from '@tapefold/transcript';
import type { RunningTranscript, TranscriptFold } from '@tapefold/transcript/fold';
import type { ThreadSummary } from '../thread-source.js';

/** Which turns of which agent. `agentId`: that of the thread that the session was named by where absent, so `main` for a session's own id. Ids and numbers are checked by the edge: garbage counts as 0. */
export interface TranscriptQuery extends TurnPageQuery {
  readonly agentId?: string | undefined;
}

/** Which plans: those of an agent (as above where absent), or of one call of it. */
export interface PlansQuery {
  readonly agentId?: string | undefined;
  readonly toolCallId?: string | undefined;
}

/** A session of the list: its native id, and the row of its root thread. */
export interface TranscriptSession {
  readonly sessionId: string;
  readonly summary: ThreadSummary;
}

/** Sessions of the list, newest first, and what could not be looked into. */
export interface TranscriptSessions {
  readonly sessions: readonly TranscriptSession[];
  readonly problems: readonly { readonly path: string; readonly reason: string }[];
}

/** An agent's history folded for who watches it: `fold` goes on with the facts behind `position`, which are new. */
export interface OpenedTranscript {
  readonly threadId: string;
  readonly descriptor: AgentDescriptor;
  readonly fold: TranscriptFold;
  /** Where the next fact stands. */
  readonly position: number;
}

/** What the host knows of a thread that runs; undefined: it does not. */
export type RunningThread = (threadId: string) => RunningTranscript | undefined;

/**
 * Transcripts of sessions of every agent program, as the cold answers of the original server give them under `data`. Sessions go by their native id, or
 * any id that the thread source takes. Reading starts nothing and writes nothing. An unknown session is a `StoreError` (`threadNotFound`); an
 * unknown agent of a known session is answered with nothing in it.
 */
export interface TranscriptReader {
  sessions(): Promise<TranscriptSessions>;
  /** Agents of a session, `main` first. */
  agents(sessionId: string): Promise<readonly AgentDescriptor[]>;
  transcript(sessionId: string, query?: TranscriptQuery): Promise<TranscriptResponse>;
  /** Of one agent, or of all. */
  userMessages(sessionId: string, agentId?: string): Promise<TranscriptUserMessagesResponse>;
  plans(sessionId: string, query?: PlansQuery): Promise<TranscriptPlanResponse>;
  /** Opens an agent's history for somebody who goes on with it. It is the caller's own. Undefined for an unknown agent. */
  open(sessionId: string, agentId?: string): Promise<OpenedTranscript | undefined>;
}
