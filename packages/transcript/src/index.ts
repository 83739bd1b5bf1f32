export {
  type AgentId, type AttachmentId, type FrameId, type InteractionId, type ItemId, type MarkerId, type PromptId, type StepId, type TaskId, type TaskRefId, type TodoId, type TurnId,
  compareTurnIds, frameId, isPlainAgentId, stepId, stepOrdinal, toolFrameId, turnId, turnOrdinal,
} from './model/ids.js';
export type { StepHeader, StepRetry, StepState, StepTiming, StepUsage, TranscriptStep, TranscriptTurn, TranscriptUsage, TurnHeader, TurnOrigin, TurnState } from './model/turn.js';
export type {
  AgentRef, AssistantTextFrame, FrameRef, NoticeFrame, TextFrame, ThinkingFrame, ToolCallFrame, ToolFrameOutcome, ToolFrameProgress, ToolFrameState, TranscriptFrame, TranscriptSkillActivation, TranscriptUserOrigin,
  UserTextFrame,
} from './model/frame.js';
export { type MarkerKey, type TranscriptItem, type TranscriptMarker, type TranscriptTaskRef, KNOWN_MARKERS, itemId } from './model/item.js';
export type {
  AgentDescriptor, AttachmentSource, InteractionKind, InteractionState, TaskKind, TaskState, TodoItem, TodoStatus, TranscriptAttachment, TranscriptInteraction, TranscriptPrompt, TranscriptPromptStatus,
  TranscriptTask, TranscriptTodo,
} from './model/entities.js';
export type {
  ActivityMeta, AgentPhaseMeta, AgentStatusMeta, AgentUsageMeta, GoalMeta, GoalStatus, ModesMeta, ModesMetaMerge, TranscriptMeta, TranscriptMetaMerge, TurnEndReasonMeta,
} from './model/meta.js';
export type { AgentTranscriptSnapshot } from './model/snapshot.js';
export type {
  AppendGap, AppendOp, AppendTarget, AppliedOps, AttachmentUpsertOp, FrameUpsertOp, InteractionUpsertOp, ItemsRemoveOp, MarkerUpsertOp, MetaMergeOp, PromptUpsertOp, ResetOp, StepUpsertOp, TaskRefUpsertOp,
  TaskUpsertOp, TodoUpsertOp, TranscriptChangeEvent, TranscriptOpBatch, TranscriptOperation, TurnUpsertOp,
} from './operations/operation.js';
export { agentIdSchema, frameIdSchema, stepIdSchema, taskIdSchema, turnIdSchema } from './wire/id-schemas.js';
export {
  agentRefSchema, noticeFrameSchema, textFrameSchema, thinkingFrameSchema, toolCallFrameSchema, toolFrameProgressSchema, transcriptFrameSchema, transcriptSkillActivationSchema,
  transcriptUserOriginSchema,
} from './wire/frame-schemas.js';
export {
  stepHeaderSchema, stepRetrySchema, stepStateSchema, stepTimingSchema, stepUsageSchema, transcriptStepSchema, transcriptTurnSchema, transcriptUsageSchema, turnHeaderSchema, turnOriginSchema,
  turnStateSchema,
} from './wire/turn-schemas.js';
export { transcriptItemSchema, transcriptMarkerSchema, transcriptTaskRefSchema } from './wire/item-schemas.js';
export { agentDescriptorSchema, attachmentSchema, interactionSchema, todoItemSchema, todoSchema, transcriptPromptSchema, transcriptTaskSchema } from './wire/entity-schemas.js';
export {
  agentPhaseMetaSchema, agentStatusMetaSchema, agentUsageMetaSchema, goalMetaSchema, modesMetaMergeSchema, modesMetaSchema, transcriptMetaMergeSchema, transcriptMetaSchema,
} from './wire/meta-schemas.js';
export { agentTranscriptSnapshotSchema, appendTargetSchema, transcriptOpBatchSchema, transcriptOperationSchema } from './wire/operation-schemas.js';
