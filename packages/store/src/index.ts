export { type StoreErrorCode, type StoreErrorDetail, StoreError } from './errors.js';
export type {
  AgentProgram, AsOf, FactOutline, FactsOptions, FollowOptions, ThreadGrowth, ThreadHistory, HomeRef, KimiSessionSummary, LastTurnStatus, ListQuery, NewestTurns, NewestTurnsQuery, OpenOptions, OpenedThread, PathExplanation, PlacedFact, ReadOptions, ReadProgress, SessionAgent, SessionAgents, SessionMember, TailMark, TapeReport, ThreadListing, ThreadReading, ThreadSource, ThreadSummary, ValueReader,
} from './thread-source.js';
export { createFileSource } from './files/file-source.js';
export { nativeThreadId } from './files/native/native-file.js';
export { type SessionMedia, openSessionMedia } from './media/session-media.js';
export { SqliteStore, type SqliteStoreOptions } from './sqlite/sqlite-store.js';
export type { RowCompanion } from './sqlite/row-companion.js';
export type { HistoryCheckpoint, HistoryEntry, HistoryId, HistoryState, HistoryWrite, LeaseHolder, SegmentStamp, ThreadEntry, ThreadStore } from './thread-store.js';
export { type IndexResult, type IndexRun, indexHomes } from './indexing/indexer.js';
export type { IndexProgress } from './indexing/index-progress.js';
export type { FollowedTranscript, PlansQuery, RunningThread, TranscriptGrowth, TranscriptQuery, TranscriptReader, TranscriptSession, TranscriptSessions } from './transcripts/transcript-reader.js';
export { createTranscriptReader } from './transcripts/source-transcripts.js';
export type { VerifyResult } from './verify/verify-thread.js';
export { type StoreSourceOptions, createStoreSource } from './source/store-source.js';
export type { IndexOrder } from './source/index-messages.js';
export { type IndexListener, type Indexing, startIndexing } from './source/start-indexing.js';
export { collectGarbage } from './source/collect-garbage.js';
export { verifyHomes } from './source/verify-homes.js';
export { type IndexStatus, indexStatus } from './source/index-status.js';
export type { LiveAgentRef, LiveLog, LiveNumbers } from './live-log/live-log.js';
export { openLiveLog } from './live-log/open-live-log.js';
export { type TextHost, type TextProgress, indexTexts, waitingTexts } from './search/text-indexer.js';
export type { SearchGaps, SearchHit, SearchQuery, SearchResult } from './search/search-result.js';
export type { Snippet, TextRange } from './search/match-text.js';
export type { TextSource } from './search/item-texts.js';
export { type RowSearch, createRowSearch } from './search/search-rows.js';
export { type CheckedPlanRevision, planRevisions } from './media/plan-revisions.js';
