export type { FollowedGrade, NumberedBatch, OlderPage, Synced, SyncEvent, SyncKind, SyncRequest, SyncState, Watermark } from './sync/sync-state.js';
export { advanceSync, createSync, syncRequests } from './sync/sync.js';
export type { Connection, ConnectionEvents, TranscriptTransport } from './live/transport.js';
export type { FollowedGrades, SyncListener } from './live/session-follow.js';
export type { LinkState } from './live/link.js';
export { type FollowedSession, type TranscriptClient, type TranscriptClientOptions, createTranscriptClient } from './live/transcript-client.js';
export { type ListedTurn, type RpcCaller, RpcCallError } from './history/call.js';
export { type HistoryWish, type ThreadHistory, createThreadHistory } from './history/thread-history.js';
