import type { FactKey, LargeRef, ModelItem } from '@tapefold/facts';
import { elementAt, pushed, withElement } from './container/vector.js';
import { slotOfKey } from './lookup.js';
import { present } from './present.js';
import type { ContextState, EntrySlot } from './state.js';

const mediaKinds: ReadonlySet<string> = new Set(['image', 'audio', 'video', 'file']);

/** An item's content with each part of media replaced by a text, and no native form any more; undefined where it has no media. */
export function withoutMedia(item: ModelItem, textFor: (kind: string) => string | undefined): ModelItem | undefined {
  const replaced = <P extends { readonly kind: string }>(parts: readonly P[]): (P | { kind: 'text'; text: string })[] => parts.map((part) => {
    const text = mediaKinds.has(part.kind) ? textFor(part.kind) : undefined;
    return text === undefined ? part : { kind: 'text' as const, text };
  });
  const isHit = (parts: readonly { readonly kind: string }[]): boolean => parts.some(({ kind }) => mediaKinds.has(kind) && textFor(kind) !== undefined);
  switch (item.kind) {
    case 'message': case 'agentMessage': case 'media': return isHit(item.content) ? { ...item, content: replaced(item.content) } : undefined;
    case 'result': return isHit(item.output) ? { ...item, output: replaced(item.output) } : undefined;
    case 'reasoning': case 'call': case 'summary': case 'compaction': case 'other': return undefined;
    default: return undefined;
  }
}

function edited(slot: EntrySlot, text: string, at: number): EntrySlot | undefined {
  const { item, large } = slot.edits?.at(-1) ?? slot;
  const bare = withoutMedia(item, () => text);
  if (!bare) return undefined;
  const { native: _, ...neutral } = bare;
  // What stood in for media (a long data URL) is gone with it.
  const rest = large?.filter(({ at: [, , index] }) => typeof index !== 'number' || partKind(item, index) === 'text');
  return { ...slot, edits: [...(slot.edits ?? []), present<{ at: number; item: ModelItem; large?: readonly LargeRef[] | undefined }>({ at, item: neutral, large: rest })] };
}

function partKind(item: ModelItem, index: number): string | undefined {
  if (item.kind === 'result') return item.output[index]?.kind;
  return item.kind === 'message' || item.kind === 'agentMessage' || item.kind === 'media' ? item.content[index]?.kind : undefined;
}

/**
 * The history with the pictures, sounds and files of one entry replaced by a text, for a provider that refused them. `position`: of the newest fact folded
 * so far. The same state where there is no such entry or nothing to replace. Entries that a compaction brought along stay as they are.
 */
export function replaceMedia(state: ContextState, change: { readonly entry: FactKey; readonly text: string }, position: number): ContextState {
  const index = slotOfKey(state, change.entry) ?? -1;
  const slot = elementAt(state.slots, index);
  const next = slot?.kind === 'entry' ? edited(slot, change.text, position) : undefined;
  return next ? { ...state, slots: withElement(state.slots, index, next), rewrites: pushed(state.rewrites, position) } : state;
}
