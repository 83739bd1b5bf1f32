import type { AgentId, AttachmentId, FrameId, InteractionId, PromptId, TaskId, TodoId } from './ids.js';

/** A skill that a person called with an input. */
export interface TranscriptSkillActivation {
  readonly skillName: string;
  readonly skillArgs?: string | undefined;
}

/** Where a person's own input came from, as far as it may be shown. */
export type TranscriptUserOrigin =
  | { readonly kind: 'user'; readonly clientMetadata?: readonly Readonly<Record<string, unknown>>[] | undefined; readonly skillActivations?: readonly TranscriptSkillActivation[] | undefined }
  | { readonly kind: 'skill_activation'; readonly trigger: 'user-slash'; readonly skillName: string; readonly skillArgs?: string | undefined; readonly clientMetadata?: readonly Readonly<Record<string, unknown>>[] | undefined };

interface TextParts {
  readonly kind: 'text';
  readonly frameId: FrameId;
  /** All text so far; offsets into it count UTF-16 code units. */
  readonly text: string;
  readonly attachmentIds?: readonly AttachmentId[] | undefined;
  readonly taskId?: TaskId | undefined;
  readonly promptIds?: readonly PromptId[] | undefined;
}
export interface AssistantTextFrame extends TextParts {
  readonly role: 'assistant';
}
/** An input that came while the turn ran: a steered message, or the notification of a task (`taskId`). */
export interface UserTextFrame extends TextParts {
  readonly role: 'user';
  readonly origin?: TranscriptUserOrigin | undefined;
}
export type TextFrame = AssistantTextFrame | UserTextFrame;

export interface ThinkingFrame {
  readonly kind: 'thinking';
  readonly frameId: FrameId;
  readonly text: string;
}

export type ToolFrameState = 'running' | 'done' | 'error';
/** Ours: the original's frames know only `error`. */
export type ToolFrameOutcome = 'unknown' | 'declined' | 'interrupted' | 'timedOut' | 'cancelled';

/** The newest word of a running tool; older ones are not kept. */
export interface ToolFrameProgress {
  readonly kind: 'stdout' | 'stderr' | 'progress' | 'status' | 'custom';
  readonly text?: string | undefined;
  readonly percent?: number | undefined;
  readonly customKind?: string | undefined;
  readonly customData?: unknown;
}

/** An agent that a call started; `member`: of a swarm. */
export interface AgentRef {
  readonly agentId: AgentId;
  readonly role?: 'child' | 'member' | undefined;
}

export interface ToolCallFrame {
  readonly kind: 'tool';
  readonly frameId: FrameId;
  readonly toolCallId: string;
  readonly name: string;
  /** Which view shows it, where that is not its name. */
  readonly view?: string | undefined;
  readonly state: ToolFrameState;
  /** The parsed arguments. */
  readonly input?: unknown;
  readonly output?: unknown;
  readonly display?: unknown;
  readonly error?: string | undefined;
  /** How an `error` came about that is no plain failure. `unknown`: no record tells, and it may have run. */
  readonly outcome?: ToolFrameOutcome | undefined;
  /** The arguments as they streamed. */
  readonly inputText?: string | undefined;
  readonly progress?: ToolFrameProgress | undefined;
  readonly taskId?: TaskId | undefined;
  readonly approvalId?: InteractionId | undefined;
  readonly todoId?: TodoId | undefined;
  readonly agentRefs?: readonly AgentRef[] | undefined;
}

export interface NoticeFrame {
  readonly kind: 'notice';
  readonly frameId: FrameId;
  readonly level: 'error' | 'warning' | 'info';
  readonly source?: string | undefined;
  readonly message: string;
  readonly detail?: unknown;
}

/** One block of a step. */
export type TranscriptFrame = TextFrame | ThinkingFrame | ToolCallFrame | NoticeFrame;

export interface FrameRef {
  readonly target: 'frame';
  readonly frameId: FrameId;
}
