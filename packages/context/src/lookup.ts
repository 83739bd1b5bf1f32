import { type FactKey, type TapeId, parseFactKey } from '@tapefold/facts';
import { elementAt, firstIndex } from './container/vector.js';
import { type ContextState, slotsOfTape } from './state.js';

/** The ordinal of the slot at an index; -1 where there is none. */
export const ordinalAt = (state: ContextState, index: number): number => elementAt(state.slots, index)?.ordinal ?? -1;

/** Place in the tape's own index of its first slot at or behind an ordinal. O(log² n). */
export function placeOf(state: ContextState, tape: TapeId, ordinal: number): number {
  return firstIndex(slotsOfTape(state, tape), (index) => ordinalAt(state, index) >= ordinal);
}

/** Index of the slot that a fact made; undefined where it made none. */
export function slotOfKey(state: ContextState, key: FactKey): number | undefined {
  const parsed = parseFactKey(key);
  if (!parsed) return undefined;
  const index = elementAt(slotsOfTape(state, parsed.tape), placeOf(state, parsed.tape, parsed.ordinal));
  return index !== undefined && ordinalAt(state, index) === parsed.ordinal ? index : undefined;
}
