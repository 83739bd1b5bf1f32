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
export { type AppendedText, appendAtOffset } from './operations/apply-text.js';
export { applyOperation } from './operations/apply.js';
export { completeRemovals } from './operations/complete-removals.js';
export type { ApplyResult } from './operations/result.js';
export { type AgentState, EMPTY_AGENT_STATE } from './state/agent-state.js';
export { type TranscriptListener, AgentTranscript } from './store/agent-transcript.js';
export type { Disposable, ListenerOptions } from './store/listeners.js';
export type { SnapshotWindow } from './store/tail-window.js';
export { type RosterListener, TranscriptStore } from './store/transcript-store.js';
export { type TranscriptGrade, type TranscriptGradeSpec, GRADE_RANK, detachGrades, gradeFor, needsResetOnTransition } from './grades/grade.js';
export { filterOpsForGrade, isAppendOnly, redactSnapshotForGrade } from './grades/filter-operations.js';
export { type InputViewContext, type MarkerViewContext, type ToolViewContext, ViewRegistry } from './views/view-registry.js';
export { type TurnPage, type TurnPageQuery, TURN_PAGE_SIZE, paginateTurns } from './paging/paginate-turns.js';
export { type CaughtUp, type NumberedBatch, type OpLogOptions, OpLog, TRANSCRIPT_OPS_JOURNAL_CAPACITY } from './sequence/op-log.js';
export { type DaemonFileRef, parseDaemonFileRef } from './media/media-ref.js';
export { projectTranscriptUserOrigin } from './media/user-origin.js';
export { type PlanRevisionCheck, type PlanRevisionFile, type PlanRevisionRef, type ResolvePlanRevisionKey, checkPlanRevision, planRevisionPath } from './media/plan-revision.js';
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
export { transcriptEpochSchema, transcriptSeqSchema } from './wire/seq-schemas.js';
export {
  type TranscriptOpsQuery, type TranscriptQuery, type TranscriptSubscribeV2Payload, type TranscriptUnsubscribeV2Payload, transcriptGradeSchema, transcriptGradeSpecSchema, transcriptOpsQuerySchema,
  transcriptQuerySchema, transcriptSubscribeV2PayloadSchema, transcriptUnsubscribeV2PayloadSchema,
} from './wire/subscription-schemas.js';
export {
  type TranscriptOpsCatchupResponse, type TranscriptPlanEntry, type TranscriptPlanResponse, type TranscriptPlanReview, type TranscriptResponse, type TranscriptUserMessage,
  type TranscriptUserMessagesResponse, transcriptOpsCatchupResponseSchema, transcriptPlanEntrySchema, transcriptPlanResponseSchema, transcriptPlanReviewSchema, transcriptResponseSchema,
  transcriptUserMessageSchema, transcriptUserMessagesResponseSchema,
} from './wire/response-schemas.js';
export {
  type TranscriptEvent, type TranscriptEventType, type TranscriptOpsEvent, type TranscriptResetEvent, TRANSCRIPT_EVENT_TYPES, transcriptEventSchema, transcriptOpsEventSchema,
  transcriptOpsPayloadSchema, transcriptResetEventSchema, transcriptResetPayloadSchema,
} from './wire/event-schemas.js';
