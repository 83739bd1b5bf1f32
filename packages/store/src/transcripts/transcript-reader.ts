import type { Fact } from '@tapefold/facts';
import type { AgentDescriptor, TranscriptPlanResponse, TranscriptResponse, TranscriptUserMessagesResponse, TurnPageQuery } from '@tapefold/transcript';
import type { RunningTranscript, TranscriptFold } from '@tapefold/transcript/fold';
import type { AsOf, ThreadSummary } from '../thread-source.js';

/** Which turns of which agent. `agentId`: that of the thread that the session was named by where absent, so `main` for a session's own id. Ids and numbers are checked by the edge: garbage counts as 0. `asOf`: a position in that agent's thread; its session's agents are those of now. */
export interface TranscriptQuery extends TurnPageQuery, AsOf {
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

/** What is told of an agent that is followed, as `ThreadGrowth`; facts come with the whole of their large texts. */
export type TranscriptGrowth = { readonly kind: 'facts'; readonly facts: readonly Fact[] } | { readonly kind: 'caughtUp' | 'restarted' | 'gone' };

/** An agent's facts while they are written. `newFold`: an empty fold that knows what the host has to tell it. */
export interface FollowedTranscript {
  readonly threadId: string;
  readonly descriptor: AgentDescriptor;
  readonly newFold: () => TranscriptFold;
  readonly growth: (signal: AbortSignal) => AsyncGenerator<TranscriptGrowth>;
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
  /** Follows an agent. Undefined for an unknown one. */
  follow(sessionId: string, agentId?: string): Promise<FollowedTranscript | undefined>;
}
