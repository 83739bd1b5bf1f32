import type { TranscriptAttachment, TranscriptInteraction, TranscriptPrompt, TranscriptTask, TranscriptTodo } from '../model/entities.js';
import type { TranscriptFrame } from '../model/frame.js';
import type { AgentId, FrameId, InteractionId, ItemId, StepId, TaskId, TurnId } from '../model/ids.js';
import type { TranscriptMarker, TranscriptTaskRef } from '../model/item.js';
import type { TranscriptMetaMerge } from '../model/meta.js';
import type { AgentTranscriptSnapshot } from '../model/snapshot.js';
import type { StepHeader, TurnHeader } from '../model/turn.js';

/** Replaces everything. There is no other way to load a transcript. */
export interface ResetOp {
  readonly op: 'reset';
  readonly agentId: AgentId;
  readonly snapshot: AgentTranscriptSnapshot;
}
/** Replaces a turn's header, and keeps its steps and its place; a new turn goes before the first one with a greater ordinal. */
export interface TurnUpsertOp {
  readonly op: 'turn.upsert';
  readonly turn: TurnHeader;
}
/** Replaces a step's header and keeps its frames. */
export interface StepUpsertOp {
  readonly op: 'step.upsert';
  readonly turnId: TurnId;
  readonly step: StepHeader;
}
/** Replaces a frame in its place; a new one goes to the end of its step. */
export interface FrameUpsertOp {
  readonly op: 'frame.upsert';
  readonly turnId: TurnId;
  readonly stepId: StepId;
  readonly frame: TranscriptFrame;
}
/** What text is appended to: a text or thinking frame, or the output tail of a task. */
export type AppendTarget =
  | { readonly type: 'frame'; readonly turnId: TurnId; readonly stepId: StepId; readonly frameId: FrameId }
  | { readonly type: 'task'; readonly taskId: TaskId };
/** `offset`: where the text begins in the whole, in UTF-16 code units. */
export interface AppendOp {
  readonly op: 'append';
  readonly target: AppendTarget;
  readonly offset: number;
  readonly text: string;
}
/** Replaces an item of the same id in its place; a new one goes before the first turn whose ordinal is at least `beforeTurn`, else to the end. */
export interface MarkerUpsertOp {
  readonly op: 'marker.upsert';
  readonly item: TranscriptMarker;
  readonly beforeTurn?: number | undefined;
}
/** Placed as a marker is. */
export interface TaskRefUpsertOp {
  readonly op: 'taskref.upsert';
  readonly item: TranscriptTaskRef;
  readonly beforeTurn?: number | undefined;
}
export interface TaskUpsertOp {
  readonly op: 'task.upsert';
  readonly task: TranscriptTask;
}
export interface InteractionUpsertOp {
  readonly op: 'interaction.upsert';
  readonly interaction: TranscriptInteraction;
}
export interface AttachmentUpsertOp {
  readonly op: 'attachment.upsert';
  readonly attachment: TranscriptAttachment;
}
export interface TodoUpsertOp {
  readonly op: 'todo.upsert';
  readonly todo: TranscriptTodo;
}
export interface PromptUpsertOp {
  readonly op: 'prompt.upsert';
  readonly prompt: TranscriptPrompt;
}
export interface MetaMergeOp {
  readonly op: 'meta.merge';
  readonly meta: TranscriptMetaMerge;
}
/**
 * Removes items, and with a turn the interactions of its calls. `interactionIds` names those interactions, so that a reader who holds no steps
 * removes them too: see `completeRemovals`.
 */
export interface ItemsRemoveOp {
  readonly op: 'items.remove';
  readonly ids: readonly ItemId[];
  readonly interactionIds?: readonly InteractionId[] | undefined;
}

/** One change of a transcript. All but `append` carry whole values, so that twice is as good as once. */
export type TranscriptOperation =
  | ResetOp | TurnUpsertOp | StepUpsertOp | FrameUpsertOp | AppendOp | MarkerUpsertOp | TaskRefUpsertOp | TaskUpsertOp | InteractionUpsertOp | AttachmentUpsertOp | TodoUpsertOp | PromptUpsertOp
  | MetaMergeOp | ItemsRemoveOp;

/** Operations of one agent that were dispatched together. */
export interface TranscriptOpBatch {
  readonly agentId: AgentId;
  readonly ops: readonly TranscriptOperation[];
}

/** Evidence that an append was missed: where the text ends, and where the append begins. Nothing was changed. */
export interface AppendGap {
  readonly target: AppendTarget;
  readonly expected: number;
  readonly got: number;
}

/** What became of a batch: the operations that changed something, in order, and the last gap. */
export interface AppliedOps {
  readonly accepted: readonly TranscriptOperation[];
  readonly gap?: AppendGap | undefined;
}

/** Operations that changed an agent's transcript, told once for each batch. */
export interface TranscriptChangeEvent {
  readonly agentId: AgentId;
  readonly ops: readonly TranscriptOperation[];
}
