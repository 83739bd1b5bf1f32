import type { FactKey, OrdinalRange } from '@tapefold/facts';
import { factKey } from '@tapefold/facts';
import { type Play, say } from './play.js';
import type { NodeState } from './state.js';

type Reason = { readonly off: 'undo' | 'branch' | 'retracted'; readonly on?: 'branch' };

const sorted = (indices: Iterable<number>): number[] => [...indices].sort((a, b) => a - b);

/** Ranges over the entries that nodes put into the model's history (nodes in the order of the file); those that are next to each other in the file, with no other entry between, are one. */
export function entryRanges({ state, pen: { tape } }: Play, nodes: readonly number[]): OrdinalRange[] {
  const own = new Set(nodes);
  const from = nodes[0] ?? 0;
  const ranges: { tape: string; from: number; to: number }[] = [];
  let isBroken = true;
  const flat = state.nodes.slice(from).flatMap((node, i) => (node.entries ?? []).map((ordinal) => ({ ordinal, isOwn: own.has(from + i) }))).sort((a, b) => a.ordinal - b.ordinal);
  for (const { ordinal, isOwn } of flat) {
    const last = ranges.at(-1);
    if (isOwn && last && !isBroken) last.to = ordinal + 1;
    else if (isOwn) ranges.push({ tape, from: ordinal, to: ordinal + 1 });
    isBroken = !isOwn;
  }
  return ranges;
}

/** What of a set of nodes a person sees: whole turns, else whole steps, else items and inputs. */
function scopeOf(play: Play, indices: readonly number[], words: readonly OrdinalRange[]) {
  const { state, pen: { tape } } = play;
  const nodes = indices.map((at) => state.nodes[at] as NodeState);
  const turns = new Set(nodes.filter(({ opens }) => opens).map(({ turn }) => turn));
  const isSeen = ({ turn, step }: NodeState): boolean => !turns.has(step === undefined ? turn : state.steps[step]?.turn ?? turn);
  const begun = nodes.filter((node) => (node.kind === 'begin' || node.kind === 'stub') && isSeen(node));
  const steps = new Set(begun.map(({ step }) => step));
  const keys = (ordinals: readonly number[]): FactKey[] => ordinals.map((ordinal) => factKey(tape, ordinal));
  const parts = nodes.filter((node) => isSeen(node) && !steps.has(node.step));
  const items = keys(parts.flatMap((node) => node.items ?? []));
  const inputs = keys(parts.flatMap((node) => node.inputs ?? []));
  const own = nodes.flatMap((node): OrdinalRange[] => (node.words && !words.length ? [{ tape, from: node.words[0], to: node.words[1] }] : []));
  const facts = [...words, ...own];
  const stepKeys = [...steps].flatMap((step) => state.steps[step ?? -1]?.key ?? []);
  return {
    turns: [...turns].flatMap((turn) => state.turns[turn]?.key ?? []), ...(stepKeys.length ? { steps: stepKeys } : {}), ...(items.length ? { items } : {}), ...(inputs.length ? { inputs } : {}),
    ...(facts.length ? { facts } : {}), context: entryRanges(play, indices),
  };
}

const says = (scope: ReturnType<typeof scopeOf>): boolean => Object.values(scope).some((targets) => targets.length > 0);

/** Says what no longer counts and what counts again. `words`: ranges of facts of other families, where they go with their records. */
export function tellMove(play: Play, move: { off: Iterable<number>; on?: Iterable<number>; offWords?: readonly OrdinalRange[]; onWords?: readonly OrdinalRange[] }, reason: Reason): void {
  const off = scopeOf(play, sorted(move.off), move.offWords ?? []);
  const on = scopeOf(play, sorted(move.on ?? []), move.onWords ?? []);
  if (says(off)) say(play, { type: 'history.superseded', reason: reason.off, ...off });
  if (says(on)) say(play, { type: 'history.restored', reason: reason.on ?? 'branch', ...on });
}

