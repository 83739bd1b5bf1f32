export type { FoldOptions, TimelinePart } from './folding.js';
export { type FramePlace, type TranscriptFoldState, TranscriptFold } from './transcript-fold.js';
export type { LeftoverInput, TranscriptView, TurnOutlook } from './view.js';
export { type RunningTranscript, type SettleTranscriptOptions, UNKNOWN_OUTCOME, settleTranscript } from './settle.js';
export { type AnsweredAgent, plansAnswer, transcriptAnswer, userMessagesAnswer } from './answers.js';
export { operationsBetween } from './difference/operations-between.js';
export { LiveTranscript } from './live/live-transcript.js';
export { OutlineFilter, type OutlineState } from './outline.js';
export { mayShowPlan } from './plans.js';
