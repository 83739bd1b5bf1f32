export type { FoldOptions } from './folding.js';
export { type TranscriptFoldState, TranscriptFold } from './transcript-fold.js';
export type { LeftoverInput, TranscriptView, TurnOutlook } from './view.js';
export { type RunningTranscript, type SettleTranscriptOptions, UNKNOWN_OUTCOME, settleTranscript } from './settle.js';
export { type AnsweredAgent, plansAnswer, transcriptAnswer, userMessagesAnswer } from './answers.js';
