import { type AgentState, type TranscriptOperation, applyOperation } from '@tapefold/transcript';
import { BUFFERED_BATCHES } from '../limits.js';
import type { NumberedBatch, Synced, SyncEventOf, Watermark } from './sync-state.js';
import { firstTurnOf, firstTurnWithout, pageOps, sideOf } from './window.js';

/** `hasGap`: an append did not fit, so that something before it is missing. */
interface Applied {
  readonly synced: Synced;
  readonly hasGap: boolean;
}

function applied(transcript: AgentState, ops: readonly TranscriptOperation[]): { readonly transcript: AgentState; readonly hasGap: boolean } {
  let state = transcript;
  let hasGap = false;
  for (const op of ops) {
    const result = applyOperation(state, op);
    state = result.state;
    hasGap ||= result.gap !== undefined;
  }
  return { transcript: state, hasGap };
}

/** The oldest loaded turn after an operation: a `reset` begins anew. */
function firstTurnAfter(op: TranscriptOperation, firstTurn: number): number {
  switch (op.op) {
    case 'reset': return firstTurnOf(op.snapshot);
    case 'items.remove': return firstTurnWithout(op.ids, firstTurn);
    default: return firstTurn;
  }
}

/** Of operations, one after the other, those for what is loaded, and where that begins after them. */
function forLoaded(ops: readonly TranscriptOperation[], from: number): { readonly ops: readonly TranscriptOperation[]; readonly firstTurn: number } {
  let firstTurn = from;
  const loaded = ops.filter((op) => {
    const isLoaded = sideOf(op, firstTurn) !== 'unloaded';
    firstTurn = firstTurnAfter(op, firstTurn);
    return isLoaded;
  });
  return { ops: loaded, firstTurn };
}

/** What of a batch is about turns that are not loaded, kept while a page of them is on its way: the page may be older. Undefined where the room is used up. */
function held(synced: Synced, batch: NumberedBatch): Synced['older'] | undefined {
  if (synced.older.kind !== 'asked') return synced.older;
  const ops = batch.ops.filter((op) => sideOf(op, synced.firstTurn) !== 'loaded');
  if (ops.length === 0) return synced.older;
  if (synced.older.held.length >= BUFFERED_BATCHES) return undefined;
  return { ...synced.older, held: [...synced.older.held, { ...batch, ops }] };
}

/** The batch applied to what is loaded. The page in flight is given up where too much came for its turns meanwhile. */
export function withBatch(synced: Synced, batch: NumberedBatch): Applied {
  const older = held(synced, batch) ?? { kind: 'failed', reason: 'the agent changes older turns faster than they can be loaded' };
  const { ops, firstTurn } = forLoaded(batch.ops, synced.firstTurn);
  const { transcript, hasGap } = applied(synced.transcript, ops);
  return { synced: { ...synced, transcript, older, watermark: later(synced.watermark, batch), firstTurn }, hasGap };
}

const later = (known: Watermark, batch: Watermark): Watermark => (batch.seq === undefined ? known : { seq: batch.seq, epoch: batch.epoch ?? known.epoch });

/** A new baseline: everything before it is forgotten, a page in flight too. */
export function withReset(synced: Synced, reset: SyncEventOf<'reset'>): Synced {
  const { transcript } = applied(synced.transcript, [{ op: 'reset', agentId: '', snapshot: reset.snapshot }]);
  return { ...synced, transcript, hasBaseline: true, firstTurn: firstTurnOf(reset.snapshot), older: { kind: 'none' }, watermark: { seq: reset.seq, epoch: reset.epoch } };
}

const isNewer = (batch: Watermark, page: Watermark): boolean => batch.seq !== undefined && page.seq !== undefined && batch.seq > page.seq;

/** An older page merged in, and then what came for its turns after it was made. */
export function withOlder(synced: Synced, page: SyncEventOf<'older'>): Synced {
  const waiting = synced.older.kind === 'asked' ? synced.older.held : [];
  const first = page.items.find((item) => item.kind === 'turn');
  const firstTurn = page.hasOlder ? Math.min(synced.firstTurn, first?.kind === 'turn' ? first.ordinal : synced.firstTurn) : -Infinity;
  const missed = waiting.filter((batch) => isNewer(batch, page)).flatMap((batch) => batch.ops.filter((op) => sideOf(op, firstTurn) !== 'unloaded'));
  const { transcript } = applied(synced.transcript, [...pageOps(page.items, { firstTurn: synced.firstTurn, hasSteps: synced.grade !== 'turn' }), ...missed]);
  return { ...synced, transcript, firstTurn, older: { kind: 'none' } };
}
