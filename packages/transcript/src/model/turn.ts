import type { AttachmentId, PromptId, StepId, TaskId, TurnId } from './ids.js';
import type { TranscriptFrame } from './frame.js';

export type TurnState = 'queued' | 'running' | 'completed' | 'failed' | 'cancelled';
export type StepState = 'running' | 'completed' | 'interrupted' | 'failed';

/** Who or what opened a turn. `payload` is the agent's own description, passed on as it is. */
export type TurnOrigin =
  | { readonly kind: 'user' | 'hook' | 'compaction' | 'side' | 'other'; readonly payload?: unknown }
  | { readonly kind: 'cron'; readonly taskId?: TaskId | undefined; readonly payload?: unknown }
  | { readonly kind: 'task'; readonly taskId: TaskId; readonly payload?: unknown };

/** Tokens of a turn as they are shown. `inputTokens` is what was not read from the cache. */
export interface TranscriptUsage {
  readonly inputTokens?: number | undefined;
  readonly outputTokens?: number | undefined;
  readonly cachedTokens?: number | undefined;
  readonly cost?: number | undefined;
}

/** Tokens of one model call. */
export interface StepUsage {
  readonly inputOther: number;
  readonly output: number;
  readonly inputCacheRead: number;
  readonly inputCacheCreation: number;
}

/** Where the time of a model call went, in milliseconds. */
export interface StepTiming {
  readonly llmFirstTokenLatencyMs?: number | undefined;
  readonly llmStreamDurationMs?: number | undefined;
  readonly llmRequestBuildMs?: number | undefined;
  readonly llmServerFirstTokenMs?: number | undefined;
  readonly llmServerDecodeMs?: number | undefined;
  readonly llmClientConsumeMs?: number | undefined;
  readonly llmClientBlockedMs?: number | undefined;
}

/** A model call failed and waits for its next attempt. Gone with the next header of the step. */
export interface StepRetry {
  readonly failedAttempt: number;
  readonly nextAttempt: number;
  readonly maxAttempts: number;
  readonly delayMs: number;
  readonly errorName: string;
  readonly errorMessage: string;
  readonly statusCode?: number | undefined;
}

/** A step without its frames: what `step.upsert` carries. */
export interface StepHeader {
  readonly kind: 'step';
  readonly stepId: StepId;
  readonly turnId: TurnId;
  /** From 1 within its turn. */
  readonly ordinal: number;
  readonly state: StepState;
  readonly startedAt?: string | undefined;
  readonly endedAt?: string | undefined;
  readonly usage?: StepUsage | undefined;
  readonly finishReason?: string | undefined;
  readonly llmTiming?: StepTiming | undefined;
  readonly retry?: StepRetry | undefined;
  readonly endReason?: string | undefined;
  readonly endMessage?: string | undefined;
}

/** One model response and the calls it made. */
export interface TranscriptStep extends StepHeader {
  /** In order of arrival. */
  readonly frames: readonly TranscriptFrame[];
}

/** A turn without its steps: what `turn.upsert` carries. */
export interface TurnHeader {
  readonly kind: 'turn';
  readonly turnId: TurnId;
  /** From 0 per agent; pages are cut at it. */
  readonly ordinal: number;
  readonly triggerPromptId?: PromptId | undefined;
  readonly state: TurnState;
  readonly origin: TurnOrigin;
  /** The opening text; absent: nothing that a person sees opened the turn. Empty: only attachments did. */
  readonly prompt?: string | undefined;
  readonly attachmentIds?: readonly AttachmentId[] | undefined;
  readonly startedAt?: string | undefined;
  readonly endedAt?: string | undefined;
  readonly usage?: TranscriptUsage | undefined;
  readonly durationMs?: number | undefined;
  readonly error?: string | undefined;
}

/** One opening input and all that follows. */
export interface TranscriptTurn extends TurnHeader {
  /** By ordinal. */
  readonly steps: readonly TranscriptStep[];
}
