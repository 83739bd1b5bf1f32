export { type StoreErrorCode, type StoreErrorDetail, StoreError } from './errors.js';
export type {
  AgentProgram, ThreadHistory, HomeRef, LastTurnStatus, ListQuery, NewestTurns, OpenedThread, PathExplanation, PlacedFact, ReadOptions, ReadProgress, TailMark, TapeReport, ThreadListing, ThreadReading, ThreadSource, ThreadSummary, ValueReader,
} from './thread-source.js';
export { createFileSource } from './files/file-source.js';
