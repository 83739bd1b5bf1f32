import type { FactKey, FactOf, LargeRef, LineSpan, ModelItem, OrdinalRange, RecordPath, TapeId } from '@tapefold/facts';
import { type Vector, elementAt, emptyVector } from './container/vector.js';

/** From `at` (position) on, the slot counts or does not, because of the fact `by`. Marks are only ever added: a closed interval can open again. */
export interface Mark {
  readonly at: number;
  readonly by: FactKey;
  readonly isLive: boolean;
  readonly reason: FactOf<'history.superseded'>['reason'] | FactOf<'history.restored'>['reason'];
}

interface SlotBase {
  readonly tape: TapeId;
  readonly ordinal: number;
  readonly position: number;
  /** Where its line begins: what a program wrote at once. */
  readonly offset: number;
  readonly marks?: readonly Mark[] | undefined;
}
/** One `context.appended`. `after`: index of the slot that it stands right behind; absent: at the end of what was there. `edits`: newest wins. */
export interface EntrySlot extends SlotBase {
  readonly kind: 'entry';
  readonly item: ModelItem;
  readonly after?: number | undefined;
  readonly large?: readonly LargeRef[] | undefined;
  readonly turn?: FactKey | undefined;
  readonly step?: FactKey | undefined;
  readonly shows?: FactKey | undefined;
  readonly edits?: readonly { readonly at: number; readonly item: ModelItem; readonly large?: readonly LargeRef[] | undefined }[] | undefined;
}
/** One piece of what a compaction put in place: a new entry, or a range of the old ones that stays. */
export type Part = ModelItem | { readonly kind: 'kept'; readonly entries: OrdinalRange };
/** What was before is replaced: by `parts`, by the list in the file at `partsAt`, or (a clearing) by nothing. */
export interface ResetSlot extends SlotBase {
  readonly kind: 'reset';
  readonly isClearing: boolean;
  readonly parts: readonly Part[];
  readonly partsAt?: { readonly line: LineSpan; readonly record: number; readonly path: RecordPath; readonly count: number } | undefined;
  readonly large?: readonly LargeRef[] | undefined;
}
/** What requests are made with from here on. Absent fields: the fact does not say. */
export type ContextSettings = Pick<FactOf<'context.configured'>, 'cwd' | 'model' | 'effort' | 'approvalPolicy' | 'sandboxPolicy' | 'instructions' | 'native'>;
/** One `context.configured`. */
export interface SettingsSlot extends SlotBase {
  readonly kind: 'settings';
  readonly settings: ContextSettings;
}
/** What one fact of the model's history became. Slots are never removed; marks say whether they count. */
export type Slot = EntrySlot | ResetSlot | SettingsSlot;

/**
 * The model's history of one thread, and all that it ever was: slots in order of arrival, never removed. Immutable, plain data (a copy through JSON is the
 * same state), shared: holding a state costs nothing, and the next one copies a few blocks of it.
 */
export interface ContextState {
  /** Whose history it is: a sub-agent whose lines stand in its parent's tape. Absent: of the tape's own agent. */
  readonly agent?: string | undefined;
  readonly slots: Vector<Slot>;
  /** Indices of the slots of each tape; their ordinals ascend. */
  readonly byTape: Readonly<Record<TapeId, Vector<number>>>;
  /** Indices of slots that replace, and of those that configure. */
  readonly resets: Vector<number>;
  readonly settings: Vector<number>;
  /** Positions at which the history was rewritten and not only grew; their count is its version. */
  readonly rewrites: Vector<number>;
}

/** Before the first fact. */
export const emptyContext: ContextState = { slots: emptyVector(), byTape: {}, resets: emptyVector(), settings: emptyVector(), rewrites: emptyVector() };

/** The same for a sub-agent whose lines stand in its parent's tape. */
export const emptyContextOf = (agent: string): ContextState => ({ ...emptyContext, agent });

/** Whether a slot counts now. */
export function isLive(slot: Slot): boolean {
  return slot.marks?.at(-1)?.isLive ?? true;
}

/** The slots of a tape. */
export function slotsOfTape(state: ContextState, tape: TapeId): Vector<number> {
  return (Object.hasOwn(state.byTape, tape) ? state.byTape[tape] : undefined) ?? emptyVector();
}

/** The newest slot of an index that counts, with where it stands. O(slots that do not count). */
export function newestLive<S extends Slot>(state: ContextState, index: Vector<number>, isOf: (slot: Slot) => slot is S): { readonly at: number; readonly slot: S } | undefined {
  for (let i = index.size - 1; i >= 0; i -= 1) {
    const at = elementAt(index, i) ?? -1;
    const slot = elementAt(state.slots, at);
    if (slot && isOf(slot) && isLive(slot)) return { at, slot };
  }
  return undefined;
}

/** True for compactions and clearings. */
export const isReset = (slot: Slot): slot is ResetSlot => slot.kind === 'reset';
/** True for settings, which are no part of the history itself. */
export const isSettings = (slot: Slot): slot is SettingsSlot => slot.kind === 'settings';
