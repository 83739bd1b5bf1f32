import { type ContextState, emptyContext, foldContext, historyOf } from '@tapefold/context';
import type { Fact } from '@tapefold/facts';
import { StoreError } from '../errors.js';
import { factsInRanges, joinedRanges } from '../files/facts-in-ranges.js';
import type { ShelfThread } from '../files/shelf.js';
import { type Outline, type OutlineBlock, entryFact, outlineOf } from '../rows/outline.js';
import type { FactRange, PlayStart, StartQuery } from '../rows/play-start.js';
import type { FactOutline, PlacedFact } from '../thread-source.js';
import type { HistoryEntry, ThreadStore } from '../thread-store.js';
import { LastPlayed } from './last-played.js';

/** An outline as it was read: of one state of a history. */
export interface ParsedOutline extends Outline {
  readonly entry: HistoryEntry;
  readonly played: LastPlayed;
}

/** An outline with the way to all other facts. */
export interface StoredOutline extends FactOutline, Pick<Outline, 'entries'> {}

/** Changes with every commit. */
export const stampOfEntry = ({ id, generation, version }: HistoryEntry): string => `${id} ${generation} ${version}`;

/** Blocks of an outline, parsed. */
export function parsedOutline({ entry, blocks }: { readonly entry: HistoryEntry; readonly blocks: readonly OutlineBlock[] }): ParsedOutline {
  const parts = blocks.map(outlineOf);
  return { entry, played: new LastPlayed(), facts: parts.flatMap(({ facts }) => facts), entries: parts.flatMap(({ entries }) => entries) };
}

/** The outline of a thread whose files are those that the rows were made of. */
export function outlineOver({ entry, facts, entries, played }: ParsedOutline, { store, thread }: { readonly store: ThreadStore; readonly thread: ShelfThread }): StoredOutline {
  const startAt = async (query: StartQuery): Promise<PlayStart | undefined> => {
    const start = await store.startAt(entry.id, query);
    if (start && (await store.entry(entry.name))?.generation !== entry.generation) throw new StoreError('rewritten', { id: thread.threadId });
    return start;
  };
  async function* within(ranges: readonly FactRange[]): AsyncGenerator<PlacedFact, void> {
    const joined = joinedRanges(ranges);
    for await (const placed of played.in(joined) ?? factsInRanges(thread, joined, { startAt, onPlayed: (each) => played.take(each) })) if (thread.owns(placed.fact)) yield placed;
  }
  return { stamp: stampOfEntry(entry), facts, entries, end: entry.state.position, in: within };
}

/** The outline as of a fact. Throws `StoreError` (`positionBehindEnd`). */
export function upTo(outline: StoredOutline, asOf: number | undefined): StoredOutline {
  if (asOf === undefined) return outline;
  if (asOf >= outline.end) throw new StoreError('positionBehindEnd', { position: asOf, last: outline.end - 1 });
  const isReached = ({ position }: { readonly position: number }): boolean => position <= asOf;
  return {
    ...outline, stamp: `${outline.stamp} ${asOf}`, facts: outline.facts.filter(isReached), entries: outline.entries.filter(isReached), end: asOf + 1,
    in: (ranges) => outline.in(ranges.map(({ from, to }) => ({ from, to: Math.min(to, asOf + 1) }))),
  };
}

/** Facts of the outline and those that stand for entries, in order; an entry is never told twice. */
function* inOrder({ facts, entries }: Outline): Generator<PlacedFact> {
  let at = 0;
  for (const { position, fact } of facts) {
    for (let entry = entries[at]; entry && entry.position < position; entry = entries[++at]) yield { position: entry.position, fact: entryFact(entry) };
    // What the transcript needs of an entry is less than what it is.
    if (fact.type !== 'context.appended') yield { position, fact };
  }
  for (const entry of entries.slice(at)) yield { position: entry.position, fact: entryFact(entry) };
}

/** Facts that make the model's present history: entries of it as they are, all others as their places alone. Costs the outline, and the entries that are in the history. */
export async function* modelFactsOf(outline: StoredOutline): AsyncGenerator<PlacedFact> {
  const placed = [...inOrder(outline)];
  let state: ContextState = emptyContext;
  for (const { position, fact } of placed) state = foldContext(state, fact, position);
  const wanted = historyOf(state).map(({ position }) => ({ from: position, to: position + 1 }));
  const real = new Map<number, Fact>();
  for await (const { position, fact } of outline.in(wanted)) real.set(position, fact);
  for (const { position, fact } of placed) yield { position, fact: real.get(position) ?? fact };
}
