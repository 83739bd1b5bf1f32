import type { FactKey, OrdinalRange } from '@tapefold/facts';
import { factKey } from '@tapefold/facts';
import { type Play, say } from './play.js';
import type { NodeState, StepState, TurnState } from './state.js';

/* What counts and what does not, for a person and for the model. Facts say only what changes: each turn, step and node knows what was said of it last. */

/** Ranges over the entries that nodes put into the model's history (nodes in the order of the file); those that are next to each other in the file, with no other entry between, are one. */
export function entryRanges({ state, pen: { tape } }: Play, nodes: readonly number[]): OrdinalRange[] {
  const own = new Set(nodes);
  const from = nodes[0] ?? state.nodes.length;
  const ranges: { tape: string; from: number; to: number }[] = [];
  let isBroken = true;
  const all = state.nodes.slice(from).flatMap((node, i) => (node.entries ?? []).map((ordinal) => ({ ordinal, isOwn: own.has(from + i) }))).sort((a, b) => a.ordinal - b.ordinal);
  for (const { ordinal, isOwn } of all) {
    const last = ranges.at(-1);
    if (isOwn && last && !isBroken) last.to = ordinal + 1;
    else if (isOwn) ranges.push({ tape, from: ordinal, to: ordinal + 1 });
    isBroken = !isOwn;
  }
  return ranges;
}

/** What changes sides. `turns` and `steps` take along what is in them. */
interface Side {
  readonly turns: FactKey[];
  readonly steps: FactKey[];
  readonly items: FactKey[];
  readonly inputs: FactKey[];
  readonly facts: OrdinalRange[];
  readonly unread: number[];
}
interface Sides { readonly off: Side; readonly on: Side }

/** What counts from now on. `among`: the nodes that may change, by index, all where it is absent; `isKept`: for facts beside the conversation, by the number of their record, of those behind the record `sinceLine`. */
export interface Standing {
  readonly isCounting: (at: number) => boolean;
  readonly among?: readonly number[] | undefined;
  readonly isKept?: ((line: number) => boolean) | undefined;
  readonly sinceLine?: number | undefined;
}

const emptySide = (): Side => ({ turns: [], steps: [], items: [], inputs: [], facts: [], unread: [] });

/** Indices of the nodes that the standing is told of, in their order. */
function concerned({ state }: Play, { among }: Standing, more: readonly number[] = []): number[] {
  return among ? [...new Set([...among, ...more])].sort((a, b) => a - b) : [...state.nodes.keys()];
}

/** Turns the flag; undefined where it stands so already. */
function turned(of: { isOff?: true | undefined }, isOff: boolean, sides: Sides): Side | undefined {
  if ((of.isOff === true) === isOff) return undefined;
  of.isOff = isOff ? true : undefined;
  return isOff ? sides.off : sides.on;
}

/** Answers the nodes of turns that came back: some of them may have gone before the turn did. */
function turnSides(play: Play, standing: Standing, sides: Sides): number[] {
  const { state } = play;
  const back: number[] = [];
  for (const at of concerned(play, standing)) {
    const node = state.nodes[at] as NodeState;
    const turn = node.opens ? state.turns[node.turn] : undefined;
    const side = turn && turned(turn, !standing.isCounting(at), sides);
    side?.turns.push(turn?.key ?? '');
    if (turn && side === sides.on) back.push(...turn.nodes);
  }
  return back;
}

/** Answers the nodes of steps that came back. */
function stepSides(play: Play, standing: Standing, { sides, more }: { sides: Sides; more: readonly number[] }): number[] {
  const { state } = play;
  const back: number[] = [];
  for (const at of concerned(play, standing, more)) {
    const { kind, step: own } = state.nodes[at] as NodeState;
    const step = kind === 'begin' || kind === 'stub' ? state.steps[own ?? -1] : undefined;
    const turn = state.turns[step?.turn ?? -1];
    const side = step && !turn?.isOff ? turned(step, !standing.isCounting(at), sides) : undefined;
    side?.steps.push(step?.key ?? '');
    if (side === sides.on) back.push(...(turn?.nodes ?? []).filter((node) => state.nodes[node]?.step === own));
  }
  return back;
}

/** Whether what the node belongs to is there at all. */
function isShown(node: NodeState, of: { turns: readonly TurnState[]; steps: readonly StepState[] }): boolean {
  const step = of.steps[node.step ?? -1];
  return !of.turns[step?.turn ?? node.turn]?.isOff && !step?.isOff;
}

function nodeSides(play: Play, standing: Standing, { sides, more }: { sides: Sides; more: readonly number[] }): void {
  const { state, pen: { tape } } = play;
  for (const at of concerned(play, standing, more)) {
    const node = state.nodes[at] as NodeState;
    const isOff = !standing.isCounting(at);
    const side = (node.items || node.inputs) && isShown(node, state) ? turned(node, isOff, sides) : undefined;
    side?.items.push(...(node.items ?? []).map((ordinal) => factKey(tape, ordinal)));
    side?.inputs.push(...(node.inputs ?? []).map((ordinal) => factKey(tape, ordinal)));
    if ((node.entries || node.words) && (node.isUnread === true) !== isOff) {
      node.isUnread = isOff ? true : undefined;
      const other = isOff ? sides.off : sides.on;
      if (node.entries) other.unread.push(at);
      if (node.words) other.facts.push({ tape, from: node.words[0], to: node.words[1] });
    }
  }
}

/** Facts beside the conversation go with their records, in ranges. */
function wordSides({ state, pen: { tape } }: Play, { isKept, sinceLine = 0 }: Standing, sides: Sides): void {
  if (!isKept) return;
  let first = state.words.length;
  while (first > 0 && (state.words[first - 1]?.line ?? 0) > sinceLine) first -= 1;
  let open: { side: Side; range: { tape: string; from: number; to: number } } | undefined;
  for (const word of state.words.slice(first)) {
    const side = turned(word, !isKept(word.line), sides);
    if (side && open?.side === side) { open.range.to = word.to; continue; }
    open = side && { side, range: { tape, from: word.from, to: word.to } };
    if (open) open.side.facts.push(open.range);
  }
}

function scopeOf(play: Play, side: Side) {
  const { turns, steps, items, inputs, facts } = side;
  return {
    turns, ...(steps.length ? { steps } : {}), ...(items.length ? { items } : {}), ...(inputs.length ? { inputs } : {}), ...(facts.length ? { facts } : {}), context: entryRanges(play, side.unread),
  };
}

const says = (side: Side): boolean => Object.values(side).some((targets: readonly unknown[]) => targets.length > 0);

/** Says what no longer counts, and what counts again. */
export function tellStanding(play: Play, standing: Standing, reason: 'undo' | 'branch' | 'retracted'): void {
  const sides: Sides = { off: emptySide(), on: emptySide() };
  const ofTurns = turnSides(play, standing, sides);
  const ofSteps = stepSides(play, standing, { sides, more: ofTurns });
  nodeSides(play, standing, { sides, more: [...ofTurns, ...ofSteps] });
  wordSides(play, standing, sides);
  if (says(sides.off)) say(play, { type: 'history.superseded', reason, ...scopeOf(play, sides.off) });
  if (says(sides.on)) say(play, { type: 'history.restored', reason: 'branch', ...scopeOf(play, sides.on) });
}
