import type { AgentState, AgentTranscriptSnapshot, TranscriptItem, TranscriptOperation } from '@tapefold/transcript';

/** How much of an agent is followed; `off` is not following it. */
export type FollowedGrade = 'turn' | 'block' | 'delta';

/**
 * Which batches a transcript includes: all up to `seq`, in the numbering of `epoch`. A peer that knows no numbers leaves them out, and one that knows
 * no epochs leaves out that.
 */
export interface Watermark {
  readonly seq?: number | undefined;
  readonly epoch?: string | undefined;
}

/** Operations that were dispatched together, with their number. */
export interface NumberedBatch extends Watermark {
  readonly ops: readonly TranscriptOperation[];
}

/** Older turns: not asked for, asked for (`held`: what came meanwhile for turns that are not loaded), or the last asking failed. */
export type OlderPage =
  | { readonly kind: 'none' }
  | { readonly kind: 'asked'; readonly request: OlderRequest; readonly held: readonly NumberedBatch[] }
  | { readonly kind: 'failed'; readonly reason: string };

/** What a client has of an agent. */
export interface Synced {
  readonly grade: FollowedGrade;
  readonly transcript: AgentState;
  readonly watermark: Watermark;
  /** False before the first baseline: the transcript is empty because nothing came yet. */
  readonly hasBaseline: boolean;
  /** Ordinal of the oldest loaded turn; -Infinity where nothing older exists, Infinity where turns exist and none is loaded. */
  readonly firstTurn: number;
  readonly older: OlderPage;
  readonly lastRequestId: number;
}

/** `subscribe_v2`. Without `since` a new baseline has to come, so whoever is subscribed already unsubscribes first. */
export interface SubscribeRequest { readonly kind: 'subscribe'; readonly id: number; readonly grade: FollowedGrade; readonly since?: number | undefined }
/** `GET …/transcript/ops`: the batches behind `since`. */
export interface CatchUpRequest { readonly kind: 'catchUp'; readonly id: number; readonly since: number }
/** `GET …/transcript`: the newest page, or the turns before one. */
export interface OlderRequest { readonly kind: 'older'; readonly id: number; readonly beforeTurn?: number | undefined; readonly pageSize: number }
/** A call that the host carries out; its answer comes back under the same id. */
export type SyncRequest = SubscribeRequest | CatchUpRequest | OlderRequest;

interface Kinds {
  /** Not connected. What was loaded stays to be looked at, and to go on from. */
  detached: { readonly kind: 'detached'; readonly synced: Synced };
  /** Subscribed: the baseline, or the batches since the last watermark, are to come. */
  waiting: { readonly kind: 'waiting'; readonly synced: Synced; readonly request: SubscribeRequest; readonly buffered: readonly NumberedBatch[] };
  /** Up to date as far as this client can know. */
  live: { readonly kind: 'live'; readonly synced: Synced };
  /** Batches were missed and are asked for; later ones wait. */
  catching: { readonly kind: 'catching'; readonly synced: Synced; readonly request: CatchUpRequest; readonly buffered: readonly NumberedBatch[] };
  /** The server refused to be subscribed to; `connected` or `regrade` asks again. */
  refused: { readonly kind: 'refused'; readonly synced: Synced; readonly reason: string };
}

interface Types {
  /** The connection stands. */
  connected: { readonly type: 'connected' };
  /** The connection is gone, and with it every request in flight. */
  lost: { readonly type: 'lost' };
  /** The reader wants to see more or less of the agent. */
  regrade: { readonly type: 'regrade'; readonly grade: FollowedGrade };
  /** `transcript.reset`. */
  reset: Watermark & { readonly type: 'reset'; readonly snapshot: AgentTranscriptSnapshot };
  /** `transcript.ops`. */
  batch: NumberedBatch & { readonly type: 'batch' };
  /** The answer to `subscribe_v2`. */
  subscribed: { readonly type: 'subscribed'; readonly requestId: number };
  /** The answer to a catch-up; `isComplete` false: the server no longer has all of them. */
  caughtUp: { readonly type: 'caughtUp'; readonly requestId: number; readonly batches: readonly NumberedBatch[]; readonly isComplete: boolean; readonly epoch?: string | undefined };
  /** The reader nears the oldest loaded turn. */
  askOlder: { readonly type: 'askOlder' };
  /** The answer to an older page, oldest item first. */
  older: Watermark & { readonly type: 'older'; readonly requestId: number; readonly items: readonly TranscriptItem[]; readonly hasOlder: boolean };
  /** A request failed. */
  failure: { readonly type: 'failure'; readonly requestId: number; readonly reason: string };
}

/** Tag of a state. */
export type SyncKind = keyof Kinds;
/** Tag of an event. */
export type SyncEventType = keyof Types;
/** The state of one tag, or of several. */
export type SyncStateOf<K extends SyncKind> = Kinds[K];
/** The event of one tag, or of several. */
export type SyncEventOf<V extends SyncEventType> = Types[V];
/** How a client stands with one agent: a value, never changed in place. */
export type SyncState = Kinds[SyncKind];
/** What can happen to it. */
export type SyncEvent = Types[SyncEventType];
