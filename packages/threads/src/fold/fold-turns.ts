import { type Fact, type FactKey, type FactOf, factKey } from '@tapefold/facts';
import type { Word } from './row.js';
import type { RowChange } from './row-change.js';

/** A fact of a turn that counts from its position on, until a history fact takes it back. */
export function wordOf(fact: Fact, position: number): Word {
  return { key: factKey(fact.tape, fact.ordinal), position, effective: [[position, null]] };
}

/** A turn begins; older copies of it in earlier segments of the thread leave the effective history. */
export function foldTurnStarted(fact: FactOf<'turn.started'>, position: number): RowChange[] {
  const { id, tape, isImplicit, at, rootTurnId, startedAt, origin, settlesAs } = fact;
  const turn = { key: factKey(tape, fact.ordinal), id, tape, position, isImplicit, at, rootTurnId, startedAt, origin, settlesAs };
  const upsert: RowChange = { op: 'turn.upsert', position, turn };
  return fact.replacesOlder ? [{ op: 'turn.hideOlder', position, id, tape }, upsert] : [upsert];
}

/** The newest end counts: a player says only those that do. */
export function foldTurnEnded(fact: FactOf<'turn.ended'>, position: number): RowChange[] {
  const { status, reason, error, startedAt, rootTurnId, completedAt, durationMs, at } = fact;
  const end = { ...wordOf(fact, position), status, reason, error, startedAt, rootTurnId, completedAt, durationMs, at };
  return [{ op: 'turn.end', position, turn: fact.turn ?? null, turnId: fact.turnId ?? null, end }];
}

/** What the turn counts as when nothing ends it: the newest word. */
export function foldTurnChanged(fact: FactOf<'turn.changed'>, position: number): RowChange[] {
  return [{ op: 'turn.expect', position, turn: fact.turn, outlook: { ...wordOf(fact, position), settlesAs: fact.settlesAs, error: fact.error } }];
}

/** A newer copy takes the turn's part. */
export function foldTurnReplaced(fact: FactOf<'turn.replaced'>, position: number): RowChange[] {
  return [{ op: 'history.close', position, turns: [fact.turn], steps: [], items: [], facts: [] }];
}

/** Turns, steps, single items or inputs, and what was said of turns leave, or come back. */
export function foldHistory(fact: FactOf<'history.superseded' | 'history.restored'>, position: number): RowChange[] {
  const op = fact.type === 'history.superseded' ? 'history.close' : 'history.open';
  const scope = { turns: fact.turns, steps: fact.steps ?? [], items: [...(fact.items ?? []), ...(fact.inputs ?? [])], facts: fact.facts ?? [] };
  const isForModelOnly = Object.values(scope).every((targets) => targets.length === 0);
  return isForModelOnly ? [] : [{ op, position, ...scope }];
}

/** A change of the turn that the fact names; none where it names no turn. */
export function foldOfTurn(fact: Fact, change: (turn: FactKey) => RowChange): RowChange[] {
  return fact.turn === undefined ? [] : [change(fact.turn)];
}
