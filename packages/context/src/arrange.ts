import { type FactKey, type LargeRef, type ModelItem, type TapeId, factKey } from '@tapefold/facts';
import { elementAt, elements } from './container/vector.js';
import { present } from './present.js';
import { type ContextState, type EntrySlot, type ResetSlot, type Slot, isLive } from './state.js';

/** One entry of the model's history, in its place. */
export interface ContextEntry {
  /** The fact's key; `<key>.<n>` for the n-th entry that a compaction put in. */
  readonly key: string;
  /** The fact that put it there. */
  readonly fact: FactKey;
  readonly tape: TapeId;
  readonly ordinal: number;
  readonly position: number;
  /** Where the line that has it begins. */
  readonly offset: number;
  readonly item: ModelItem;
  /** Large texts of the item: where they stand, and where in the item (`prefix` is the item's own path in the fact). */
  readonly large?: readonly LargeRef[] | undefined;
  readonly prefix: readonly (string | number)[];
  readonly turn?: FactKey | undefined;
  readonly step?: FactKey | undefined;
  readonly shows?: FactKey | undefined;
}

/** An entry and the slot that it is (none, where a compaction put it in). */
interface Placed {
  readonly entry: ContextEntry;
  readonly slot?: number | undefined;
}

function entryOf(slot: EntrySlot): ContextEntry {
  const { tape, ordinal, position, offset, turn, step, shows } = slot;
  const { item, large } = slot.edits?.at(-1) ?? slot;
  const key = factKey(tape, ordinal);
  return present<ContextEntry>({ key, fact: key, tape, ordinal, position, offset, item, large, prefix: ['item'], turn, step, shows });
}

/** Stands for an item of a list that is still in the file. */
function unreadItem({ tape, partsAt }: ResetSlot, index: number): ModelItem {
  const { line, record, path } = partsAt ?? { line: { offset: 0, length: 0 }, record: 0, path: [] };
  return { kind: 'other', type: '', native: { dialect: tape.split('/')[0] ?? '', span: { tape, line, record, path: [...path, index] } } };
}

/** What a compaction put in place of the entries before it, oldest first. */
function partsOf(slot: ResetSlot, before: readonly Placed[]): Placed[] {
  const { tape, ordinal, position, offset, large } = slot;
  const fact = factKey(tape, ordinal);
  const taken = new Set<string>();
  const put = (item: ModelItem, index: number): Placed => {
    const own = large?.filter(({ at }) => at[0] === 'replacement' && at[1] === index);
    return { entry: present<ContextEntry>({ key: `${fact}.${index}`, fact, tape, ordinal, position, offset, item, large: own?.length ? own : undefined, prefix: ['replacement', index] }) };
  };
  const kept = (range: { tape: TapeId; from: number; to: number }): Placed[] => before.filter(({ entry }) => {
    if (entry.tape !== range.tape || entry.ordinal < range.from || entry.ordinal >= range.to || taken.has(entry.key)) return false;
    return taken.add(entry.key);
  });
  const away = Array.from({ length: slot.partsAt?.count ?? 0 }, (_, index) => put(unreadItem(slot, index), index));
  return [...slot.parts.flatMap((part, index) => (part.kind === 'kept' ? kept(part.entries) : [put(part, index)])), ...away];
}

/** Entries in reading order: `base`, then the slots from `from` to before `to`, those with an anchor right behind it, the newest nearest. */
function weave(state: ContextState, base: readonly Placed[], span: { readonly from: number; readonly to: number }): Placed[] {
  const known = new Set(base.flatMap(({ slot }) => slot ?? []));
  const slots: Slot[] = [...elements(state.slots, span.from, span.to)];
  const followers = new Map<number, number[]>();
  const roots: number[] = [];
  slots.forEach((slot, i) => {
    const after = slot.kind === 'entry' ? slot.after : undefined;
    const isPlaced = after !== undefined && (after >= span.from - 1 || known.has(after));
    const own = isPlaced ? followers.get(after) : roots;
    if (own) own.push(span.from + i);
    else if (isPlaced) followers.set(after, [span.from + i]);
  });
  const woven: Placed[] = [];
  const emit = (index: number): void => {
    const slot = slots[index - span.from];
    if (slot?.kind === 'entry' && isLive(slot)) woven.push({ entry: entryOf(slot), slot: index });
  };
  const below = (index: number): void => {
    const stack = [...(followers.get(index) ?? [])];
    for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
      emit(next);
      stack.push(...(followers.get(next) ?? []));
    }
  };
  for (const placed of base) {
    woven.push(placed);
    if (placed.slot !== undefined) below(placed.slot);
  }
  below(span.from - 1);
  for (const root of roots) {
    emit(root);
    below(root);
  }
  return woven;
}

/** The newest reset before `to` that counts, and the older ones whose entries it keeps: oldest first. */
function chainOf(state: ContextState, to: number): number[] {
  const chain: number[] = [];
  for (let i = state.resets.size - 1; i >= 0; i -= 1) {
    const index = elementAt(state.resets, i) ?? -1;
    const slot = elementAt(state.slots, index);
    if (index >= to || slot?.kind !== 'reset' || !isLive(slot)) continue;
    chain.unshift(index);
    if (!slot.parts.some((part) => part.kind === 'kept')) break;
  }
  return chain;
}

/** What each reset that counts left of the history before it, for fates. */
export interface Passage {
  readonly reset: ResetSlot;
  readonly before: readonly ContextEntry[];
  readonly after: readonly ContextEntry[];
}

/** The entries in front of the model right before slot `to` was added, oldest first. O(n). */
export function arrange(state: ContextState, to: number): ContextEntry[] {
  return through(state, chainOf(state, to), to).entries;
}

/** All resets that count, with the entries before and behind each, and the entries at the end. */
export function passages(state: ContextState): { readonly passed: readonly Passage[]; readonly entries: readonly ContextEntry[] } {
  const all = [...elements(state.resets)].filter((index) => {
    const slot = elementAt(state.slots, index);
    return slot !== undefined && isLive(slot);
  });
  return through(state, all, state.slots.size);
}

function through(state: ContextState, chain: readonly number[], to: number): { passed: Passage[]; entries: ContextEntry[] } {
  const passed: Passage[] = [];
  let base: Placed[] = [];
  let from = 0;
  for (const index of chain) {
    const slot = elementAt(state.slots, index);
    if (slot?.kind !== 'reset') continue;
    const before = weave(state, base, { from, to: index });
    base = partsOf(slot, before);
    from = index + 1;
    passed.push({ reset: slot, before: before.map(({ entry }) => entry), after: base.map(({ entry }) => entry) });
  }
  return { passed, entries: weave(state, base, { from, to }).map(({ entry }) => entry) };
}
