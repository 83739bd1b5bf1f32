import type { LineVerdict } from '@tapefold/facts';
import { factKey, parseFactKey } from '@tapefold/facts';
import { countAt, stringAt } from '../../shape.js';
import { addNode, chainTo, countingOn, revisitTurn } from './chain.js';
import { tellStanding } from './history.js';
import { placeAsOnBranch } from './placings.js';
import type { Play } from './play.js';
import type { GoalState, KimiCodeState, NodeState, Segment } from './state.js';
import { baseOf } from './undo.js';

/** The pieces of the file that a branch is made of, newest first: each with the last of its records that counts. */
function piecesOf(state: KimiCodeState, segment: number, line: number): { from: number; to: number }[] {
  const pieces: { from: number; to: number }[] = [];
  let to = line;
  for (let at = segment; at >= 0; at = state.segments[at]?.base ?? -1) {
    const { from, line: base } = state.segments[at] as Segment;
    // A piece ends before the record that began the next one.
    const end = Math.min(to, (state.segments[at + 1]?.from ?? Infinity) - 2);
    if (end >= from) pieces.push({ from, to: end });
    to = Math.min(to, base);
  }
  return pieces;
}

const isIn = (pieces: readonly { from: number; to: number }[], line: number): boolean => pieces.some(({ from, to }) => line >= from && line <= to);

/** The last node that was on the branch when its record was played. */
function nodeBefore(state: KimiCodeState, pieces: readonly { from: number; to: number }[]): number {
  for (let at = state.nodes.length - 1; at >= 0; at--) if (isIn(pieces, state.nodes[at]?.line ?? 0)) return at;
  return -1;
}

/** Injections of other branches stay in the model's history, unless they were made for a prompt that is gone. */
function keepInjections(play: Play, off: readonly number[]): void {
  const { state } = play;
  const counting = countingOn(state, chainTo(state, state.head));
  const anchors = new Set([...counting].flatMap((at) => { const { isAnchor, id } = state.nodes[at] as NodeState; return isAnchor && id !== undefined ? [id] : []; }));
  for (const at of off) {
    const { isInjection, owner } = state.nodes[at] as NodeState;
    if (isInjection && !counting.has(at) && (owner === undefined || anchors.has(owner))) addNode(play, { kind: 'kept', of: at, wait: state.nodes[state.head]?.wait ?? null });
  }
}

/** The newest piece of a branch, -1 for a branch that is not known. */
function segmentOf(state: KimiCodeState, branch: string): number {
  return state.segments.reduce((found, segment, at) => (segment.branch === branch ? at : found), -1);
}

const byLine = (a: { readonly line: number }, b: { readonly line: number }): number => a.line - b.line;

/** Prompts and steers of the branch wait, unless a message of the branch took them. */
function goBackToPrompts(state: KimiCodeState, counting: ReadonlySet<number>, isKept: (line: number) => boolean): void {
  const nodes = state.nodes.map((node, at) => ({ node, counts: counting.has(at) }));
  const left = nodes.filter(({ counts }) => !counts);
  const taken = nodes.filter(({ counts }) => counts);
  const raws = [...state.engine.raws, ...left.flatMap(({ node }) => (node.opens ? state.turns[node.turn]?.raw ?? [] : []))];
  const numbers = new Set(taken.flatMap(({ node }) => (node.opens ? state.turns[node.turn]?.raw?.line ?? [] : [])));
  const steers = [...state.steers, ...left.flatMap(({ node }) => node.steer ?? [])];
  const steered = new Set(taken.flatMap(({ node }) => node.steer?.line ?? []));
  const once = <T extends { readonly line: number }>(list: readonly T[]): T[] => [...new Map(list.map((one) => [one.line, one])).values()].sort(byLine);
  state.engine.raws = once(raws.filter(({ line }) => isKept(line) && !numbers.has(line)));
  state.steers = once(steers.filter(({ line }) => isKept(line) && !steered.has(line)));
}

/** A step that is open again holds what it held at the base. */
function goBackToStep(state: KimiCodeState, counting: ReadonlySet<number>, isKept: (line: number) => boolean): void {
  const open = state.nodes[state.head]?.wait?.open ?? -1;
  const step = state.steps[open];
  if (!step) return;
  const parts = [...counting].sort((a, b) => a - b).flatMap((at) => { const node = state.nodes[at]; return node?.step === open && node.kind === 'part' ? [node] : []; });
  const words = parts.filter(({ part, items }) => part !== 'call' && items?.length).at(-1)?.items?.at(-1);
  step.isFull = parts.some(({ part }) => part === 'words' || part === 'other');
  step.hasCalls = parts.some(({ part }) => part === 'call');
  step.lastWords = words === undefined ? step.key : factKey(parseFactKey(step.key)?.tape ?? '', words);
  if (!isKept(step.endLine ?? 0)) step.end = undefined;
  if (!isKept(step.interruptedLine ?? 0)) step.interruptedLine = undefined;
}

/** What the player knows beside the messages, as it was at the base. */
function goBack(state: KimiCodeState, pieces: readonly { from: number; to: number }[]): void {
  const isKept = (line: number): boolean => isIn(pieces, line);
  const counting = countingOn(state, chainTo(state, state.head));
  goBackToPrompts(state, counting, isKept);
  goBackToStep(state, counting, isKept);
  for (const turn of state.turns) if (turn.endLine !== undefined && !isKept(turn.endLine)) Object.assign(turn, { end: null, status: null });
  const goal = state.goals.reduce<GoalState>((found, one) => (isKept(one.line) ? one : found), { line: 0, goal: null });
  if (state.goals.length) state.goals.push(goal);
}

/** `agent.switched`: from here on the file is another branch, which goes on from a record of an earlier one. All that came behind that record counts no longer. */
export function playSwitch(play: Play): LineVerdict {
  const { state, raw, line } = play;
  const base = baseOf(play);
  const branch = stringAt(raw, 'branch');
  const told = countAt(raw, 'legacyUndoLine');
  const from = base ? segmentOf(state, base.branch) : -1;
  if (!base || branch === undefined || from < 0) return 'unknown';
  if (told !== undefined) state.toldUndos.push(told);
  state.segments.push({ branch, from: line + 1, base: from, line: base.line });
  const pieces = piecesOf(state, from, base.line);
  const injections = state.nodes.flatMap((node, at) => (node.isInjection && node.of === undefined ? [at] : []));
  state.head = nodeBefore(state, pieces);
  keepInjections(play, injections);
  goBack(state, pieces);
  revisitTurn(state);
  const after = countingOn(state, chainTo(state, state.head));
  tellStanding(play, { isCounting: (at) => after.has(at), isKept: (of) => isIn(pieces, of) }, 'branch');
  placeAsOnBranch(play, (of) => isIn(pieces, of));
  return 'played';
}
