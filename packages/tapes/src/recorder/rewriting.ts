import { type FactKey, type FactOf, type OrdinalRange, parseFactKey } from '@tapefold/facts';
import type { AddFact, RecorderPen } from './recorder-pen.js';

const rangesOf = (pen: RecorderPen, from: number, to: number): OrdinalRange[] => pen.state.liveSpans(from, to).map(([start, end]) => ({ tape: pen.tape, from: start, to: end }));

/**
 * Takes back the newest `count` turns that count, for the person and for the model; with them whatever the history was replaced by in their time. Nothing is removed: a fact says what no longer counts. Returns
 * the keys of the turns, oldest first.
 */
export function takeBack(pen: RecorderPen, count: number, reason: 'undo' | 'rollback'): FactKey[] {
  const turns = pen.state.newestTurns(count);
  const [first] = turns;
  if (!first) return [];
  pen.write((add) => {
    // The fact itself is the first that is not taken back.
    const ranges = rangesOf(pen, first.ordinal, pen.nextOrdinal);
    add({ type: 'history.superseded', reason, turns: turns.map(({ key }) => key), context: ranges, facts: ranges });
  });
  return turns.map(({ key }) => key);
}

/** Brings back what the newest undoing took, as long as nothing was begun since. Returns the keys of the turns. */
export function bringBack(pen: RecorderPen): FactKey[] {
  const { undone } = pen.state;
  if (!undone) return [];
  pen.write((add) => add({ type: 'history.restored', reason: 'redo', turns: undone.turns, context: undone.context, ...(undone.facts ? { facts: undone.facts } : {}) }));
  return undone.turns;
}

/** The history that the model reads is replaced by a summary. `keepTurns`: the newest turns stay as they are, behind the summary. Tokens of the whole history. */
export interface Compaction {
  readonly summary: string;
  readonly keepTurns?: number | undefined;
  readonly trigger?: FactOf<'context.compacted'>['trigger'];
  readonly tokensBefore?: number | undefined;
  readonly tokensAfter?: number | undefined;
}

/** Facts of a compaction, and the mark that a person sees of it, in the turn that runs or ran last. */
export function addCompaction(add: AddFact, pen: RecorderPen, { summary, keepTurns = 0, trigger, tokensBefore, tokensAfter }: Compaction): void {
  const kept = keepTurns > 0 ? pen.state.newestTurns(keepTurns)[0] : undefined;
  const [newest] = pen.state.newestTurns(1);
  const parts = kept ? rangesOf(pen, kept.ordinal, pen.nextOrdinal).map((entries) => ({ kind: 'kept' as const, entries })) : [];
  const context = add({ type: 'context.compacted', turn: newest?.key, summary, replacement: [{ kind: 'summary', text: summary }, ...parts], trigger, tokensBefore, tokensAfter });
  if (newest) add({ type: 'item.completed', turn: newest.key, id: `compaction-${parseFactKey(context)?.ordinal ?? 0}`, body: { kind: 'compaction' }, visibility: 'shown', isAdded: false, context });
}
