import type { AgentId, AttachmentId, InteractionId, PromptId, TaskId, TodoId } from './ids.js';
import type { StepUsage } from './turn.js';

export type TaskKind = 'shell' | 'subagent' | 'tool' | 'other';
export type TaskState = 'running' | 'completed' | 'failed' | 'timed_out' | 'killed' | 'lost';

/** Work that outlives its call: a shell command, a sub-agent, a tool. */
export interface TranscriptTask {
  readonly taskId: TaskId;
  readonly kind: TaskKind;
  readonly state: TaskState;
  /** It runs in the background; turns true when a foreground run moves there. */
  readonly detached: boolean;
  readonly description?: string | undefined;
  readonly agentId?: AgentId | undefined;
  /** The end of its output so far. */
  readonly outputTail: string;
  readonly startedAt?: string | undefined;
  readonly endedAt?: string | undefined;
  readonly resultSummary?: string | undefined;
  readonly error?: string | undefined;
  readonly stateReason?: string | undefined;
  readonly usage?: StepUsage | undefined;
  readonly model?: string | undefined;
  readonly thinkingEffort?: string | undefined;
}

export type InteractionKind = 'approval' | 'question';
export type InteractionState = 'pending' | 'approved' | 'rejected' | 'cancelled' | 'answered' | 'dismissed';

/** A question to the person. Without `toolCallId` it has no place in the timeline. */
export interface TranscriptInteraction {
  readonly interactionId: InteractionId;
  readonly interactionKind: InteractionKind;
  readonly toolCallId?: string | undefined;
  readonly state: InteractionState;
  readonly request?: unknown;
  readonly response?: unknown;
}

/** Where the bytes of an attachment are; they are never part of a transcript. */
export type AttachmentSource =
  | { readonly kind: 'url'; readonly url: string }
  | { readonly kind: 'file'; readonly fileId: string }
  | { readonly kind: 'session_media'; readonly fileId: string };

export interface TranscriptAttachment {
  readonly attachmentId: AttachmentId;
  /** A media type, or only its kind: `image/*`. */
  readonly mediaType: string;
  readonly name?: string | undefined;
  /** In bytes. */
  readonly size?: number | undefined;
  readonly source?: AttachmentSource | undefined;
  /** How the prompt names it, such as `[Image #1]`. */
  readonly placeholder?: string | undefined;
}

export type TodoStatus = 'pending' | 'in_progress' | 'done';
export interface TodoItem {
  readonly title: string;
  readonly status: TodoStatus;
}
/** The whole list; every change replaces it. */
export interface TranscriptTodo {
  readonly todoId: TodoId;
  readonly items: readonly TodoItem[];
  readonly updatedAt?: string | undefined;
}

export type TranscriptPromptStatus = 'running' | 'queued' | 'blocked' | 'completed' | 'failed' | 'aborted';

/** An input in the agent's queue. */
export interface TranscriptPrompt {
  readonly promptId: PromptId;
  readonly status: TranscriptPromptStatus;
  readonly userMessageId?: string | undefined;
  /** Content parts as they are sent. */
  readonly content?: unknown;
  readonly createdAt: string;
  readonly finishedAt?: string | undefined;
  readonly steeredAt?: string | undefined;
  readonly clientMetadata?: readonly Readonly<Record<string, unknown>>[] | undefined;
}

/** An agent of a session, as the roster lists it. */
export interface AgentDescriptor {
  readonly agentId: AgentId;
  readonly type?: 'main' | 'sub' | 'independent' | undefined;
  readonly parentAgentId?: AgentId | undefined;
  readonly label?: string | undefined;
  readonly createdAt?: string | undefined;
  readonly disposedAt?: string | undefined;
}
