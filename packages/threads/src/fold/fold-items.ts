import { type Fact, type FactKey, type FactOf, type LargeRef, factKey, parseFactKey } from '@tapefold/facts';
import type { Place } from './row.js';
import type { RowChange } from './row-change.js';
import type { ThreadHead } from './thread-head.js';

/** References of a fact to large texts under one of its fields. */
function largeUnder(fact: Fact, field: string): LargeRef[] {
  return (fact.large ?? []).filter((ref) => ref.at[0] === field);
}

function placeAfter(head: ThreadHead, fact: FactKey): Place {
  const key = parseFactKey(fact);
  const offset = key && Object.hasOwn(head.offsets, key.tape) ? head.offsets[key.tape] : undefined;
  return { kind: 'after', fact, position: key && offset !== undefined ? key.ordinal + offset : null };
}

function placeOf(head: ThreadHead, place: FactOf<'item.started'>['place']): Place {
  if (place === undefined) return { kind: 'first' };
  return place === 'here' ? { kind: 'here' } : placeAfter(head, place.after);
}

/** An item begins or is complete: one row, addressed by turn and id; the body of the newest record stands. */
export function foldItem(head: ThreadHead, fact: FactOf<'item.started' | 'item.completed'>, position: number): RowChange[] {
  const item = {
    key: factKey(fact.tape, fact.ordinal), id: fact.id, turn: fact.turn ?? null, turnId: fact.turnId ?? null, step: fact.step ?? null, body: fact.body, visibility: fact.visibility, isAdded: fact.isAdded,
    isOpen: fact.type === 'item.started', startedAtMs: fact.startedAtMs, completedAtMs: fact.completedAtMs, context: fact.context, at: fact.at, large: largeUnder(fact, 'body'),
  };
  return [{ op: 'item.upsert', position, item, place: placeOf(head, fact.place) }];
}

/** Texts grow, or the visibility or the status changes. */
export function foldItemChanged(fact: FactOf<'item.changed'>, position: number): RowChange[] {
  const target = { turn: fact.turn ?? null, turnId: fact.turnId ?? null, id: fact.id };
  const revision = { append: fact.append, large: largeUnder(fact, 'append'), visibility: fact.visibility, status: fact.status, context: fact.context };
  return [{ op: 'item.revise', position, target, revision }];
}

/** An input arrives; it stands in no turn until it is placed. */
export function foldInputReceived(fact: FactOf<'input.received'>, position: number): RowChange[] {
  const body = { kind: 'input' as const, clientId: fact.clientId, origin: fact.origin, content: fact.content };
  const input = {
    key: factKey(fact.tape, fact.ordinal), id: fact.id, turnId: fact.turnId ?? null, body, visibility: fact.visibility, isAdded: fact.isAdded, startedAtMs: fact.startedAtMs, completedAtMs: fact.completedAtMs, context: fact.context, at: fact.at, large: largeUnder(fact, 'content'),
  };
  return [{ op: 'input.receive', position, input }];
}

/** The newest placing counts: the input stands there, unless the fact names another place. */
export function foldInputPlaced(head: ThreadHead, fact: FactOf<'input.placed'>, position: number): RowChange[] {
  const place: Place = fact.after === undefined ? { kind: 'here' } : placeAfter(head, fact.after);
  return [{ op: 'input.place', position, input: fact.input, turn: fact.turn ?? null, step: fact.step ?? null, as: fact.as, otherwise: fact.otherwise ?? null, place }];
}
