/*
 *   detached ──connected──▶ waiting ──reset, or ack of a subscription with a number──▶ live
 *      ▲                     ▲  ▲ └─failure──▶ refused                               │  ▲
 *      │                     │  │                                     number missing │  │ caughtUp
 *      └──lost (from all)    │  └──incomplete, failure, another epoch── catching ◀───┘──┘
 *                            └──another epoch, a text that does not fit, another grade── live
 *
 * [R-OPS-6] One baseline, then batches in the order of their numbers, each once. What is missing is asked for; where the server has it no more, or
 * counts anew, a new baseline comes. Older pages run beside this, one at a time, in every state that follows.
 */
import { EMPTY_AGENT_STATE } from '@tapefold/transcript';
import {
  askOlder, buffer, connect, detach, failCatchUp, failPage, failSubscription, keep, regrade, regradeDetached, takeAck, takeBatch, takeEarlyBatch, takeMissed, takeOlder, takeReset,
} from './sync-cells.js';
import type { FollowedGrade, SyncEvent, SyncEventOf, SyncEventType, SyncKind, SyncRequest, SyncState, SyncStateOf } from './sync-state.js';

type Cell<K extends SyncKind, V extends SyncEventType> = (state: SyncStateOf<K>, event: SyncEventOf<V>) => SyncState;

/** Every state meets every event: a cell left out does not compile, nor one that takes another state or event than its own. */
export type SyncTable = { readonly [K in SyncKind]: { readonly [V in SyncEventType]: Cell<K, V> } };

/** Frames and answers of a connection that is gone, or of a subscription that was refused. */
const noFrames = { reset: keep, batch: keep, subscribed: keep, caughtUp: keep, older: keep, failure: keep, askOlder: keep } as const;

/** The whole machine: what each state makes of each event. */
export const syncTable: SyncTable = {
  detached: { ...noFrames, connected: connect, lost: keep, regrade: regradeDetached },
  waiting: {
    connected: keep, lost: detach, regrade, reset: takeReset, batch: takeEarlyBatch, subscribed: takeAck, caughtUp: keep, askOlder, older: takeOlder, failure: failSubscription,
  },
  live: { connected: keep, lost: detach, regrade, reset: takeReset, batch: takeBatch, subscribed: keep, caughtUp: keep, askOlder, older: takeOlder, failure: failPage },
  catching: { connected: keep, lost: detach, regrade, reset: takeReset, batch: buffer, subscribed: keep, caughtUp: takeMissed, askOlder, older: takeOlder, failure: failCatchUp },
  refused: { ...noFrames, connected: connect, lost: detach, regrade },
};

/** Nothing is loaded yet and nothing connected. */
export const createSync = (grade: FollowedGrade): SyncState => ({
  kind: 'detached',
  synced: { grade, transcript: EMPTY_AGENT_STATE, watermark: {}, hasBaseline: false, firstTurn: -Infinity, older: { kind: 'none' }, lastRequestId: 0 },
});

/** The state after an event; the same reference where nothing changed. Pure, never throws. */
export function advanceSync(state: SyncState, event: SyncEvent): SyncState {
  // The compiler cannot see that row and column are those of these two values; the type of the table says so.
  const cell = syncTable[state.kind][event.type] as (state: SyncState, event: SyncEvent) => SyncState;
  return cell(state, event);
}

const pendingOf = (state: SyncState): readonly SyncRequest[] => [
  ...(state.kind === 'waiting' || state.kind === 'catching' ? [state.request] : []),
  ...(state.synced.older.kind === 'asked' ? [state.synced.older.request] : []),
];

/** The calls that this step asks the host to make. Answers to earlier ones that are no longer named change nothing. */
export function syncRequests(before: SyncState, after: SyncState): readonly SyncRequest[] {
  return pendingOf(after).filter((request) => request.id > before.synced.lastRequestId);
}
