import { type Fact, type FactKey, type FactOf, factKey } from '@tapefold/facts';
import type { RowChange } from './row-change.js';

/** A turn begins; older copies of it in earlier segments of the thread leave the effective history. */
export function foldTurnStarted(fact: FactOf<'turn.started'>, position: number): RowChange[] {
  const turn = {
    key: factKey(fact.tape, fact.ordinal), id: fact.id, tape: fact.tape, position, isImplicit: fact.isImplicit, at: fact.at, rootTurnId: fact.rootTurnId, startedAt: fact.startedAt, origin: fact.origin,
  };
  const upsert: RowChange = { op: 'turn.upsert', position, turn };
  return fact.replacesOlder ? [{ op: 'turn.hideOlder', position, id: fact.id, tape: fact.tape }, upsert] : [upsert];
}

/** The newest end counts: a player says only those that do. */
export function foldTurnEnded(fact: FactOf<'turn.ended'>, position: number): RowChange[] {
  const { status, reason, error, startedAt, completedAt, durationMs, at } = fact;
  return [{ op: 'turn.end', position, turn: fact.turn, end: { position, status, reason, error, startedAt, completedAt, durationMs, at } }];
}

/** A newer copy takes the turn's part. */
export function foldTurnReplaced(fact: FactOf<'turn.replaced'>, position: number): RowChange[] {
  return [{ op: 'history.close', position, turns: [fact.turn], items: [] }];
}

/** Turns and single items or inputs leave, or come back. */
export function foldHistory(fact: FactOf<'history.superseded' | 'history.restored'>, position: number): RowChange[] {
  const op = fact.type === 'history.superseded' ? 'history.close' : 'history.open';
  const items: readonly FactKey[] = fact.inputs ?? [];
  return fact.turns.length + items.length === 0 ? [] : [{ op, position, turns: fact.turns, items }];
}

/** A change of the turn that the fact names; none where it names no turn. */
export function foldOfTurn(fact: Fact, change: (turn: FactKey) => RowChange): RowChange[] {
  return fact.turn === undefined ? [] : [change(fact.turn)];
}
