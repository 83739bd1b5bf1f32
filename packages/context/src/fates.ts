import { type FactKey, type FactOf, type ModelItem, factKey } from '@tapefold/facts';
import { type ContextEntry, type Passage, passages } from './arrange.js';
import { carriedOver } from './carried.js';
import { elements } from './container/vector.js';
import { type EverShown, everShownOf, type FateState } from './fold-fates.js';
import { normaliseRequest } from './normalise/normalise.js';
import type { RequestProfile } from './normalise/profile.js';
import type { LeftOutReason } from './normalise/request-item.js';
import { type ContextReader, resolveEntry } from './resolve.js';
import { type Slot, isLive } from './state.js';

/** What became of an item on its way to the model. `hidden`: it is in the history, and the request leaves it out. `neverSent`: only a person saw it. */
export type FateKind = 'sent' | 'summarised' | 'rolledBack' | 'hidden' | 'neverSent';
/** Why: a rewriting of the history, a rule of the request, or that nothing of it ever entered the history. */
export type FateReason = 'present' | 'altered' | 'compaction' | 'clearing' | FactOf<'history.superseded'>['reason'] | LeftOutReason | 'notInHistory';

/** What became of one item, and which fact did it. */
export interface Fate {
  /** Key of the entry (a fact's, or `<key>.<n>`), or of the shown item or input. */
  readonly key: string;
  readonly position: number;
  readonly turn?: FactKey | undefined;
  readonly fate: FateKind;
  readonly reason: FateReason;
  /** The fact that did it. */
  readonly by?: FactKey | undefined;
  /** Key of the entry that stands for it in the history since a compaction wrote it down once more. */
  readonly carriedAs?: string | undefined;
  /** The entry of the model's history; undefined for what was only shown. */
  readonly item?: ModelItem | undefined;
  /** The shown item that says the same; for what was only shown, itself. */
  readonly shown?: EverShown | undefined;
}

/** What took an entry out of the history, if anything did. */
interface Removal { readonly fate: 'summarised' | 'rolledBack' | 'hidden'; readonly reason: FateReason; readonly by: FactKey }

function removedBy({ reset, before, after }: Passage): [string, Removal][] {
  const stays = new Set(after.map(({ key }) => key));
  const removal: Removal = { fate: reset.isClearing ? 'hidden' : 'summarised', reason: reset.isClearing ? 'clearing' : 'compaction', by: factKey(reset.tape, reset.ordinal) };
  return before.filter(({ key }) => !stays.has(key)).map(({ key }) => [key, removal]);
}

function rollback({ marks }: Slot): Removal | undefined {
  const mark = marks?.at(-1);
  return mark && !mark.isLive ? { fate: 'rolledBack', reason: mark.reason as FateReason, by: mark.by } : undefined;
}

/** Entries that a compaction put in which never happened, as a later rollback has it. */
function deadParts(state: FateState): Ending[] {
  const found: Ending[] = [];
  for (const slot of elements(state.context.slots)) {
    const removal = isLive(slot) ? undefined : rollback(slot);
    if (!removal) continue;
    for (const entry of partEntries(slot)) found.push({ entry, ...removal });
  }
  return found;
}

function partEntries(slot: Slot): ContextEntry[] {
  const { tape, ordinal, position, offset } = slot;
  const fact = factKey(tape, ordinal);
  const base = { fact, tape, ordinal, position, offset };
  if (slot.kind === 'entry') return [{ ...base, key: fact, item: slot.item, large: slot.large, prefix: ['item'], turn: slot.turn, step: slot.step, shows: slot.shows }];
  if (slot.kind !== 'reset') return [];
  return slot.parts.flatMap((part, i): ContextEntry[] => (part.kind === 'kept' ? [] : [{ ...base, key: `${fact}.${i}`, item: part, large: slot.large, prefix: ['replacement', i] }]));
}

interface Ending extends Pick<Fate, 'fate' | 'reason' | 'by'> {
  readonly entry: ContextEntry;
}

/** What went at each compaction or clearing, with what the compaction wrote down once more. */
function departures(passed: readonly Passage[], resolve: (entry: ContextEntry) => ContextEntry): { readonly gone: Ending[]; readonly origins: Map<string, ContextEntry> } {
  const gone: Ending[] = [];
  const origins = new Map<string, ContextEntry>();
  for (const passage of passed) {
    const carried = carriedOver(passage, resolve);
    for (const [copy, original] of carried) origins.set(copy, origins.get(original.key) ?? original);
    const goesOn = new Set([...carried.values()].map(({ key }) => key));
    const removals = new Map(removedBy(passage));
    for (const entry of passage.before) {
      const removal = removals.get(entry.key);
      if (removal && !goesOn.has(entry.key)) gone.push({ entry, ...removal });
    }
  }
  return { gone, origins };
}

/** How entries of the present history end: in the request, or left out of it. */
function presentEndings(entries: readonly ContextEntry[], profile: RequestProfile): Ending[] {
  const { items, leftOut } = normaliseRequest(entries, profile);
  const left = new Map(leftOut.map(({ entry, reason }) => [entry.key, reason]));
  const altered = new Set(items.flatMap(({ entry, isAltered }) => (entry && isAltered ? [entry.key] : [])));
  return entries.map((entry) => {
    const reason = left.get(entry.key);
    return reason ? { entry, fate: 'hidden', reason } : { entry, fate: 'sent', reason: altered.has(entry.key) ? 'altered' : 'present' };
  });
}

/**
 * The fate of every item of the full history, oldest first: entries of the model's history, and items that only a person saw. What a compaction wrote down
 * once more is one item with what it copied. Fates at an earlier point are those of the state folded up to there. O(n) in the history, times the entries
 * that compactions keep.
 */
export function fatesOf(state: FateState, { profile, reader }: { readonly profile: RequestProfile; readonly reader: ContextReader }): Fate[] {
  const { passed, entries } = passages(state.context);
  const resolve = (entry: ContextEntry): ContextEntry => resolveEntry(entry, reader);
  const shown = everShownOf(state);
  const shownOf = ({ fact, shows }: ContextEntry): EverShown | undefined => shown.byContext.get(fact) ?? (shows === undefined ? undefined : shown.byKey.get(shows));
  const { gone, origins } = departures(passed, resolve);
  const endings = [...gone, ...deadParts(state), ...presentEndings(entries.map(resolve), profile)];
  const fates = endings.map(({ entry, ...ending }): Fate => {
    const origin = origins.get(entry.key);
    const { key, position, turn, item } = origin ?? entry;
    return { key, position, turn, ...ending, item, shown: shownOf(origin ?? entry), ...(origin ? { carriedAs: entry.key } : {}) };
  });
  const linked = new Set(fates.flatMap((fate) => fate.shown?.key ?? []));
  for (const one of new Set(shown.byKey.values())) {
    if (!linked.has(one.key)) fates.push({ key: one.key, position: one.position, turn: one.turn, fate: 'neverSent', reason: 'notInHistory', shown: one });
  }
  return fates.sort((a, b) => a.position - b.position);
}
