import type { StepUsage } from './turn.js';

export type GoalStatus = 'active' | 'paused' | 'blocked' | 'complete';
export interface GoalMeta {
  readonly objective: string;
  readonly status: GoalStatus;
  readonly completionCriterion?: string | undefined;
  readonly budgetUsed?: number | undefined;
  readonly budgetLimit?: number | undefined;
}

/** Which modes are on: a mode that is off has no key. */
export interface ModesMeta {
  readonly plan?: { readonly reviewPath?: string | undefined; readonly version?: number | undefined } | undefined;
  readonly swarm?: { readonly trigger?: string | undefined } | undefined;
  readonly tower?: Readonly<Record<string, never>> | undefined;
}
/** Null turns a mode off, an absent key leaves it. */
export interface ModesMetaMerge {
  readonly plan?: ModesMeta['plan'] | null;
  readonly swarm?: ModesMeta['swarm'] | null;
  readonly tower?: ModesMeta['tower'] | null;
}

export type ActivityMeta = 'idle' | 'turn' | 'disposing' | 'unknown';
export type TurnEndReasonMeta = 'completed' | 'cancelled' | 'failed' | 'blocked';

/** What the agent does right now. `turnId` is the agent's own number, `since` and `at` are Unix milliseconds. */
export type AgentPhaseMeta =
  | { readonly kind: 'idle' }
  | { readonly kind: 'running'; readonly turnId: number; readonly step: number; readonly stepId: string; readonly since: number }
  | { readonly kind: 'tool_call'; readonly turnId: number; readonly step: number; readonly toolCallId: string; readonly name: string; readonly since: number }
  | {
    readonly kind: 'retrying'; readonly turnId: number; readonly step: number; readonly stepId: string; readonly failedAttempt: number; readonly nextAttempt: number; readonly maxAttempts: number;
    readonly delayMs: number; readonly errorName?: string | undefined; readonly statusCode?: number | undefined; readonly since: number;
  }
  | { readonly kind: 'awaiting_approval'; readonly turnId: number; readonly step?: number | undefined; readonly approval?: unknown; readonly since: number }
  | { readonly kind: 'interrupted'; readonly turnId: number; readonly step?: number | undefined; readonly reason: 'aborted' | 'max_steps' | 'error'; readonly message?: string | undefined; readonly at: number }
  | { readonly kind: 'ended'; readonly turnId: number; readonly reason: TurnEndReasonMeta; readonly durationMs?: number | undefined; readonly at: number };

export interface AgentUsageMeta {
  readonly byModel?: Readonly<Record<string, StepUsage>> | undefined;
  readonly currentTurn?: StepUsage | undefined;
  readonly total?: StepUsage | undefined;
}

export interface AgentStatusMeta {
  readonly model?: string | undefined;
  readonly thinkingEffort?: string | undefined;
  readonly usage?: AgentUsageMeta | undefined;
  readonly contextTokens?: number | undefined;
  readonly maxContextTokens?: number | undefined;
  /** From 0 to 1. */
  readonly contextUsage?: number | undefined;
  readonly permission?: 'manual' | 'yolo' | 'auto' | undefined;
  readonly phase?: AgentPhaseMeta | undefined;
}

/** What is true of the agent as a whole. */
export interface TranscriptMeta {
  readonly goal?: GoalMeta | undefined;
  readonly modes?: ModesMeta | undefined;
  readonly activity?: ActivityMeta | undefined;
  readonly agent?: AgentStatusMeta | undefined;
}

/** A change of the meta: an absent key keeps, null clears (the goal, or one mode). */
export interface TranscriptMetaMerge {
  readonly goal?: GoalMeta | null | undefined;
  readonly modes?: ModesMetaMerge | undefined;
  readonly activity?: ActivityMeta | undefined;
  readonly agent?: AgentStatusMeta | undefined;
}
