import { type FactKey, type FactOf, type OrdinalRange, factKey, parseFactKey } from '@tapefold/facts';
import type { OpenInteraction, ThreadHead } from './thread-head.js';

/** A question is asked, or answered. */
export function withInteraction(head: ThreadHead, fact: FactOf<'interaction.requested' | 'interaction.resolved'>): ThreadHead {
  const { [fact.id]: _, ...others } = head.openInteractions;
  if (fact.type === 'interaction.resolved') return { ...head, openInteractions: others };
  const asked = { key: factKey(fact.tape, fact.ordinal), kind: fact.kind, isSuperseded: false };
  return { ...head, openInteractions: { ...others, [fact.id]: asked } };
}

function isWithin(key: FactKey, ranges: readonly OrdinalRange[]): boolean {
  const at = parseFactKey(key);
  return at !== undefined && ranges.some(({ tape, from, to }) => tape === at.tape && from <= at.ordinal && at.ordinal < to);
}

/** Questions of a branch that is left wait for nobody; they do again when it comes back. Costs the number of open ones. */
export function withoutInteractions(head: ThreadHead, fact: FactOf<'history.superseded' | 'history.restored'>): ThreadHead {
  const ranges = fact.facts ?? [];
  if (ranges.length === 0) return head;
  const isSuperseded = fact.type === 'history.superseded';
  const next = Object.entries(head.openInteractions).map(([id, open]): [string, OpenInteraction] => [id, isWithin(open.key, ranges) ? { ...open, isSuperseded } : open]);
  return { ...head, openInteractions: Object.fromEntries(next) };
}
