import type { AgentDescriptor, TranscriptPlanResponse, TranscriptResponse, TranscriptUserMessagesResponse, TurnPageQuery } from '@tapefold/transcript';

/** Transcripts of sessions of every agent program, as the store reads them. An unknown session is a `StoreError`; an unknown agent of a known session is answered with nothing in it. */
export interface Transcripts {
  /** Agents of a session, `main` first. */
  agents(sessionId: string): Promise<readonly AgentDescriptor[]>;
  transcript(sessionId: string, query?: TurnPageQuery & { readonly agentId?: string | undefined }): Promise<TranscriptResponse>;
  userMessages(sessionId: string, agentId?: string): Promise<TranscriptUserMessagesResponse>;
  plans(sessionId: string, query?: { readonly agentId?: string | undefined; readonly toolCallId?: string | undefined }): Promise<TranscriptPlanResponse>;
}
