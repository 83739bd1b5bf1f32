import { BUFFERED_BATCHES, OLDER_PAGE_TURNS } from '../limits.js';
import { withBatch, withOlder, withReset } from './apply.js';
import type { FollowedGrade, NumberedBatch, SubscribeRequest, Synced, SyncEventOf, SyncState, SyncStateOf } from './sync-state.js';

type Waiting = SyncStateOf<'waiting'>;
type Live = SyncStateOf<'live'>;
type Catching = SyncStateOf<'catching'>;
/** States that get batches. */
type Following = Waiting | Live | Catching;

const rank: Record<FollowedGrade, number> = { turn: 1, block: 2, delta: 3 };

/** Requests of a connection that is gone, or of a baseline that is given up, get no answer that counts. */
const withoutPage = (synced: Synced): Synced => (synced.older.kind === 'asked' ? { ...synced, older: { kind: 'none' } } : synced);

function subscribe(from: Synced, since: number | undefined): Waiting {
  const synced = { ...withoutPage(from), lastRequestId: from.lastRequestId + 1 };
  const request: SubscribeRequest = { kind: 'subscribe', id: synced.lastRequestId, grade: synced.grade, ...(since === undefined ? {} : { since }) };
  return { kind: 'waiting', synced, request, buffered: [] };
}

/** A new baseline: what is shown stays until it comes, but nothing goes on from it any more, also when the connection ends before. */
const startOver = (synced: Synced): Waiting => subscribe({ ...synced, watermark: {} }, undefined);

/** Nothing to do: the same reference. */
export const keep = (state: SyncState): SyncState => state;

/** The first connection, or a new one: what was missed meanwhile is asked for, where there are numbers to say from where. */
export const connect = ({ synced }: SyncState): SyncState => subscribe(synced, synced.watermark.seq);

/** The connection is gone; what is loaded stays. */
export const detach = ({ synced }: SyncState): SyncState => ({ kind: 'detached', synced: withoutPage(synced) });

const withSynced = (state: SyncState, synced: Synced): SyncState => (synced === state.synced ? state : { ...state, synced });

/** Another grade while nothing is connected: the next baseline brings it, since what is loaded may hold less. */
export function regradeDetached(state: SyncStateOf<'detached'>, { grade }: SyncEventOf<'regrade'>): SyncState {
  if (grade === state.synced.grade) return state;
  return { kind: 'detached', synced: { ...state.synced, grade, watermark: {} } };
}

/** More needs a new baseline. Less needs one, too: what the reader holds beyond the grade would never change again. */
export function regrade(state: Exclude<SyncState, SyncStateOf<'detached'>>, { grade }: SyncEventOf<'regrade'>): SyncState {
  return grade === state.synced.grade && state.kind !== 'refused' ? state : startOver({ ...state.synced, grade });
}

type Verdict = 'next' | 'old' | 'hole' | 'otherEpoch';

/** Below `delta` some batches are empty after the filter and never sent, so only a `delta` reader can take a missing number for a loss. */
function verdictOf({ watermark, grade }: Synced, batch: NumberedBatch): Verdict {
  if (batch.epoch !== undefined && watermark.epoch !== undefined && batch.epoch !== watermark.epoch) return 'otherEpoch';
  if (batch.seq === undefined || watermark.seq === undefined) return 'next';
  if (batch.seq <= watermark.seq) return 'old';
  return batch.seq === watermark.seq + 1 || rank[grade] < rank.delta ? 'next' : 'hole';
}

function catchUp(from: Synced, buffered: readonly NumberedBatch[]): SyncState {
  const since = from.watermark.seq;
  if (since === undefined) return startOver(from);
  const synced = { ...from, lastRequestId: from.lastRequestId + 1 };
  return { kind: 'catching', synced, request: { kind: 'catchUp', id: synced.lastRequestId, since }, buffered };
}

/** Batches one after the other. `rest`: those from the first hole on. Undefined: only a new baseline helps (another epoch, or a text that does not fit). */
function applyAll(from: Synced, batches: readonly NumberedBatch[]): { readonly synced: Synced; readonly rest: readonly NumberedBatch[] } | undefined {
  let synced = from;
  for (const [at, batch] of batches.entries()) {
    const verdict = verdictOf(synced, batch);
    if (verdict === 'otherEpoch') return undefined;
    if (verdict === 'hole') return { synced, rest: batches.slice(at) };
    if (verdict === 'old') continue;
    const applied = withBatch(synced, batch);
    if (applied.hasGap) return undefined;
    synced = applied.synced;
  }
  return { synced, rest: [] };
}

function follow(state: Following, batches: readonly NumberedBatch[]): SyncState {
  const done = applyAll(state.synced, batches);
  if (done === undefined) return startOver(state.synced);
  return done.rest.length > 0 ? catchUp(done.synced, done.rest) : withSynced(state, done.synced);
}

/** A batch while up to date. */
export const takeBatch = (state: Live, event: SyncEventOf<'batch'>): SyncState => follow(state, [event]);

/** A batch before the baseline waits for it; one after a subscription that goes on from a number is what was missed. */
export function takeEarlyBatch(state: Waiting, event: SyncEventOf<'batch'>): SyncState {
  if (state.request.since !== undefined) return follow(state, [event]);
  return buffer(state, event);
}

/** A batch behind a hole waits until the hole is filled. */
export function buffer<S extends Waiting | Catching>(state: S, event: SyncEventOf<'batch'>): SyncState {
  return state.buffered.length >= BUFFERED_BATCHES ? startOver(state.synced) : { ...state, buffered: [...state.buffered, event] };
}

/** A baseline, asked for or not, and then what waited for it. */
export function takeReset(state: Following, event: SyncEventOf<'reset'>): SyncState {
  const live: Live = { kind: 'live', synced: withReset(state.synced, event) };
  // Without numbers nothing says whether a batch that waited is part of the baseline already.
  return state.kind === 'live' || event.seq === undefined ? live : follow(live, state.buffered);
}

/** The subscription stands. Where it went on from a number, all that was missed has come before this answer. */
export function takeAck(state: Waiting, event: SyncEventOf<'subscribed'>): SyncState {
  return event.requestId === state.request.id && state.request.since !== undefined ? { kind: 'live', synced: state.synced } : state;
}

/** What was missed, and then what came meanwhile. */
export function takeMissed(state: Catching, event: SyncEventOf<'caughtUp'>): SyncState {
  if (event.requestId !== state.request.id) return state;
  const { epoch } = state.synced.watermark;
  if (!event.isComplete || (event.epoch !== undefined && epoch !== undefined && event.epoch !== epoch)) return startOver(state.synced);
  const done = applyAll(state.synced, [...event.batches, ...state.buffered]);
  // The server had all of them, so a hole that is still there will not be filled by asking once more.
  return done === undefined || done.rest.length > 0 ? startOver(state.synced) : { kind: 'live', synced: done.synced };
}

/** One page of older turns; one request is in flight at most. */
export function askOlder(state: SyncState): SyncState {
  const { synced } = state;
  if (synced.older.kind === 'asked' || synced.firstTurn === -Infinity || !synced.hasBaseline) return state;
  const id = synced.lastRequestId + 1;
  const request = { kind: 'older' as const, id, pageSize: OLDER_PAGE_TURNS, ...(synced.firstTurn === Infinity ? {} : { beforeTurn: synced.firstTurn }) };
  return { ...state, synced: { ...synced, lastRequestId: id, older: { kind: 'asked', request, held: [] } } };
}

const isAsked = ({ synced }: SyncState, requestId: number): boolean => synced.older.kind === 'asked' && synced.older.request.id === requestId;

/** The page in flight. One of another epoch counts turns of another transcript: a new baseline comes first. */
export function takeOlder(state: Following, event: SyncEventOf<'older'>): SyncState {
  if (!isAsked(state, event.requestId)) return state;
  const { epoch } = state.synced.watermark;
  if (event.epoch !== undefined && epoch !== undefined && event.epoch !== epoch) return startOver(state.synced);
  return withSynced(state, withOlder(state.synced, event));
}

const withFailedPage = (state: SyncState, event: SyncEventOf<'failure'>): SyncState =>
  isAsked(state, event.requestId) ? { ...state, synced: { ...state.synced, older: { kind: 'failed', reason: event.reason } } } : state;

/** Only a page of older turns can fail while up to date; it can be asked for again. */
export const failPage = withFailedPage;

/** A refused subscription ends the following until its owner asks again. */
export function failSubscription(state: Waiting, event: SyncEventOf<'failure'>): SyncState {
  if (event.requestId !== state.request.id) return withFailedPage(state, event);
  return { kind: 'refused', synced: withoutPage(state.synced), reason: event.reason };
}

/** A failed catch-up: a new baseline needs no old batches. */
export const failCatchUp = (state: Catching, event: SyncEventOf<'failure'>): SyncState => (event.requestId === state.request.id ? startOver(state.synced) : withFailedPage(state, event));

