export { type StoreErrorCode, type StoreErrorDetail, StoreError } from './errors.js';
export type {
  AgentProgram, ThreadHistory, HomeRef, LastTurnStatus, ListQuery, NewestTurns, OpenedThread, PathExplanation, PlacedFact, ReadOptions, ReadProgress, TailMark, TapeReport, ThreadListing, ThreadReading, ThreadSource, ThreadSummary, ValueReader,
} from './thread-source.js';
export { createFileSource } from './files/file-source.js';
export { SqliteStore, type RowCompanion, type SqliteStoreOptions } from './sqlite/sqlite-store.js';
export type { HistoryCheckpoint, HistoryEntry, HistoryId, HistoryState, HistoryWrite, LeaseHolder, SegmentStamp, ThreadEntry, ThreadStore } from './thread-store.js';
export { type IndexResult, type IndexRun, indexHomes } from './indexing/indexer.js';
export type { IndexProgress } from './indexing/index-progress.js';
export { type VerifyResult, firstDifference, verifyThread } from './verify.js';
