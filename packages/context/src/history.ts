import { elements, firstIndex, vectorOf } from './container/vector.js';
import { type ContextEntry, arrange } from './arrange.js';
import { type ContextState, type Slot, slotsOfTape } from './state.js';

/** The model's history as it was when somebody looked. */
export interface ContextSnapshot {
  readonly state: ContextState;
  readonly version: number;
}

/** Rises when the history is rewritten (compaction, clearing, rollback, branch switch, media replaced, an entry put in the middle), not when it grows. */
export function historyVersion(state: ContextState): number {
  return state.rewrites.size;
}

/** O(1): a state never changes, so a snapshot is the state and its version. */
export function takeSnapshot(state: ContextState): ContextSnapshot {
  return { state, version: historyVersion(state) };
}

/** Whether what was read from the snapshot is no longer the beginning of the history of `state` (of the same thread). */
export function isStale(snapshot: ContextSnapshot, state: ContextState): boolean {
  return snapshot.version !== historyVersion(state);
}

/** The entries of the model's history, oldest first. O(n). */
export function historyOf(state: ContextState): ContextEntry[] {
  return arrange(state, state.slots.size);
}

function asOfSlot(slot: Slot, position: number): Slot {
  const marks = slot.marks?.filter(({ at }) => at <= position) ?? [];
  const edits = slot.kind === 'entry' ? slot.edits?.filter(({ at }) => at <= position) ?? [] : [];
  const { marks: _marks, ...bare } = slot;
  if (bare.kind !== 'entry') return marks.length ? { ...bare, marks } : bare;
  const { edits: _edits, ...entry } = bare;
  return { ...entry, ...(edits.length ? { edits } : {}), ...(marks.length ? { marks } : {}) };
}

/** The state as it was right behind the fact at `position`: what the fold of that prefix gives. O(n). */
export function contextAsOf(state: ContextState, position: number): ContextState {
  const count = firstIndex(state.slots, (slot) => slot.position > position);
  const slots: Slot[] = [];
  for (const slot of elements(state.slots, 0, count)) slots.push(slot.marks === undefined && (slot.kind !== 'entry' || !slot.edits) ? slot : asOfSlot(slot, position));
  const below = (index: Iterable<number>): number[] => [...index].filter((at) => at < count);
  const tapes = Object.keys(state.byTape).map((tape) => [tape, vectorOf(below(elements(slotsOfTape(state, tape))))] as const);
  return {
    ...state, slots: vectorOf(slots), byTape: Object.fromEntries(tapes.filter(([, index]) => index.size > 0)), resets: vectorOf(below(elements(state.resets))),
    settings: vectorOf(below(elements(state.settings))), rewrites: vectorOf([...elements(state.rewrites)].filter((at) => at <= position)),
  };
}
