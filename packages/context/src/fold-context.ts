import { type Fact, type FactKey, type FactOf, type OrdinalRange, factKey } from '@tapefold/facts';
import { elementAt, pushed, withElement } from './container/vector.js';
import { ordinalAt, placeOf, slotOfKey } from './lookup.js';
import { present } from './present.js';
import { type ContextState, type EntrySlot, type Mark, type Slot, isLive, slotsOfTape } from './state.js';

/** A fact at or below what its tape said last, or not behind the newest position, was folded before. */
function isSeen(state: ContextState, { tape, ordinal }: Fact, position: number): boolean {
  const own = slotsOfTape(state, tape);
  const newest = elementAt(state.slots, state.slots.size - 1);
  const rewritten = elementAt(state.rewrites, state.rewrites.size - 1) ?? -1;
  return position <= Math.max(newest?.position ?? -1, rewritten) || ordinal <= ordinalAt(state, elementAt(own, own.size - 1) ?? -1);
}

function withSlot(state: ContextState, slot: Slot): ContextState {
  const index = state.slots.size;
  return {
    ...state, slots: pushed(state.slots, slot), byTape: { ...state.byTape, [slot.tape]: pushed(slotsOfTape(state, slot.tape), index) },
    resets: slot.kind === 'reset' ? pushed(state.resets, index) : state.resets, settings: slot.kind === 'settings' ? pushed(state.settings, index) : state.settings,
  };
}

const rewritten = (state: ContextState, position: number): ContextState => ({ ...state, rewrites: pushed(state.rewrites, position) });

/** Undefined where the entry simply follows what came last. */
function anchorOf(state: ContextState, after: FactKey | undefined): number | undefined {
  const index = after === undefined ? undefined : slotOfKey(state, after);
  if (index === undefined) return undefined;
  const slot = elementAt(state.slots, index);
  const isEnd = index === state.slots.size - 1 && (slot?.kind !== 'entry' || slot.after === undefined);
  return isEnd ? undefined : index;
}

const identity = ({ tape, ordinal, line }: Fact, position: number): Pick<Slot, 'tape' | 'ordinal' | 'position' | 'offset'> => ({ tape, ordinal, position, offset: line.offset });

function appended(state: ContextState, fact: FactOf<'context.appended'>, position: number): ContextState {
  const { item, large, turn, step, shows } = fact;
  const after = anchorOf(state, fact.after);
  const next = withSlot(state, present<EntrySlot>({ kind: 'entry', ...identity(fact, position), item, after, large, turn, step, shows }));
  return after === undefined ? next : rewritten(next, position);
}

function compacted(state: ContextState, fact: FactOf<'context.compacted'>, position: number): ContextState {
  const { replacement = [], replacementAt, summary, large, line } = fact;
  const hasParts = fact.replacement !== undefined || replacementAt !== undefined;
  // A record that lists nothing and points to nothing still says what it summed up.
  const parts = hasParts || summary === '' ? replacement : [{ kind: 'summary' as const, text: summary }];
  const partsAt = replacementAt && { line, ...replacementAt };
  return rewritten(withSlot(state, present({ kind: 'reset' as const, ...identity(fact, position), isClearing: false, parts, partsAt, large })), position);
}

function configured(state: ContextState, fact: FactOf<'context.configured'>, position: number): ContextState {
  const { cwd, model, effort, approvalPolicy, sandboxPolicy, instructions, native } = fact;
  return withSlot(state, { kind: 'settings', ...identity(fact, position), settings: present({ cwd, model, effort, approvalPolicy, sandboxPolicy, instructions, native }) });
}

function markRange(state: ContextState, range: OrdinalRange, mark: Mark): ContextState {
  const own = slotsOfTape(state, range.tape);
  let { slots } = state;
  for (let place = placeOf(state, range.tape, range.from); place < own.size; place += 1) {
    const index = elementAt(own, place) ?? -1;
    const slot = elementAt(slots, index);
    if (!slot || slot.ordinal >= range.to) break;
    if (isLive(slot) !== mark.isLive) slots = withElement(slots, index, { ...slot, marks: [...(slot.marks ?? []), mark] });
  }
  return slots === state.slots ? state : { ...state, slots };
}

function marked(state: ContextState, fact: FactOf<'history.superseded'> | FactOf<'history.restored'>, position: number): ContextState {
  const mark: Mark = { at: position, by: factKey(fact.tape, fact.ordinal), isLive: fact.type === 'history.restored', reason: fact.reason };
  const next = fact.context.reduce((before, range) => markRange(before, range, mark), state);
  return next === state ? state : rewritten(next, position);
}

/**
 * Folds one fact into the model's history. Pure and total; appending costs O(log n), rewriting O(slots that change sides). Facts of other families and of
 * other agents, and facts that were folded before, give the same state back. `position`: the fact's dense index over the thread's segments, oldest first; positions ascend.
 */
export function foldContext(state: ContextState, fact: Fact, position: number): ContextState {
  return fact.agent === state.agent && !isSeen(state, fact, position) ? foldOwn(state, fact, position) : state;
}

function foldOwn(state: ContextState, fact: Fact, position: number): ContextState {
  switch (fact.type) {
    case 'context.appended': return appended(state, fact, position);
    case 'context.compacted': return compacted(state, fact, position);
    case 'context.cleared': return rewritten(withSlot(state, { kind: 'reset', ...identity(fact, position), isClearing: true, parts: [] }), position);
    case 'context.configured': return configured(state, fact, position);
    case 'history.superseded': case 'history.restored': return marked(state, fact, position);
    default: return state;
  }
}
