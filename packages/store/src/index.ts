export { type StoreErrorCode, type StoreErrorDetail, StoreError } from './errors.js';
export type {
  HomeRef, LastTurnStatus, ListQuery, OpenedThread, PathExplanation, PlacedFact, ReadProgress, TapeReport, ThreadListing, ThreadReading, ThreadSource, ThreadSummary,
} from './thread-source.js';
export { createFileSource } from './files/file-source.js';
