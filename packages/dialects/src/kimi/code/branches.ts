import type { LineVerdict } from '@tapefold/facts';
import { factKey, parseFactKey } from '@tapefold/facts';
import { lookUp } from '../../id-table.js';
import { countAt, objectAt, stringAt } from '../../shape.js';
import { addNode, meantBy, revisitTurn } from './chain.js';
import { tellStanding } from './history.js';
import { placeAsOnBranch } from './placings.js';
import type { Play } from './play.js';
import type { GoalState, KimiCodeState, NodeState, Segment } from './state.js';

type Piece = { readonly from: number; readonly to: number };

/** The pieces of the file that a branch is made of, newest first: each with the last of its records that counts. */
function piecesOf(state: KimiCodeState, segment: number, line: number): Piece[] {
  const pieces: Piece[] = [];
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

/** The newest piece of a branch, -1 for a branch that is not known. */
function segmentOf(state: KimiCodeState, branch: string): number {
  return state.segments.reduce((found, segment, at) => (segment.branch === branch ? at : found), -1);
}

/** The last node that was on the branch when its record was played. */
function nodeBefore(state: KimiCodeState, isKept: (line: number) => boolean): number {
  for (let at = state.nodes.length - 1; at >= 0; at--) if (isKept(state.nodes[at]?.line ?? 0)) return at;
  return -1;
}

/** The way from one end of a chain to another: nodes that are left, and nodes that are joined. Parents stand before their children. */
interface Way { readonly left: readonly number[]; readonly joined: readonly number[]; readonly fork: number }

function wayBetween(state: KimiCodeState, from: number, to: number): Way {
  const left: number[] = [];
  const joined: number[] = [];
  let [a, b] = [from, to];
  while (a !== b) {
    if (a > b) { left.push(meantBy(state, a)); a = state.nodes[a]?.parent ?? -1; } else { joined.push(meantBy(state, b)); b = state.nodes[b]?.parent ?? -1; }
  }
  return { left, joined, fork: a };
}

/** Injections of other branches stay in the model's history, unless they were made for a prompt that is gone. */
function keepInjections(play: Play, way: Way, isKept: (line: number) => boolean): number[] {
  const { state } = play;
  const [left, joined] = [new Set(way.left), new Set(way.joined)];
  const counts = (at: number): boolean => joined.has(at) || (!left.has(at) && state.nodes[at]?.isUnread !== true);
  const isOfBranch = (at: number | undefined): boolean => isKept(state.nodes[at ?? -1]?.line ?? 0);
  const kept = state.injections.filter((at) => {
    const { owner } = state.nodes[at] as NodeState;
    return !isOfBranch(at) && !counts(at) && (owner === undefined || isOfBranch(lookUp(state.anchors, owner)));
  });
  for (const at of kept) addNode(play, { kind: 'kept', of: at, wait: state.nodes[state.head]?.wait ?? null });
  return kept;
}

const byLine = (a: { readonly line: number }, b: { readonly line: number }): number => a.line - b.line;
const once = <T extends { readonly line: number }>(list: readonly T[]): T[] => [...new Map(list.map((one) => [one.line, one])).values()].sort(byLine);

/** Prompts and steers of the branch wait, unless a message of the branch took them. */
function goBackToPrompts(state: KimiCodeState, way: Way, isKept: (line: number) => boolean): void {
  const rawsOf = (nodes: readonly number[]) => nodes.flatMap((at) => { const node = state.nodes[at]; return node?.opens ? state.turns[node.turn]?.raw ?? [] : []; });
  const steersOf = (nodes: readonly number[]) => nodes.flatMap((at) => state.nodes[at]?.steer ?? []);
  const taken = new Set([...rawsOf(way.joined), ...steersOf(way.joined)].map(({ line }) => line));
  const waits = ({ line }: { readonly line: number }): boolean => isKept(line) && !taken.has(line);
  state.engine.raws = once([...state.engine.raws, ...rawsOf(way.left)].filter(waits));
  state.steers = once([...state.steers, ...steersOf(way.left)].filter(waits));
}

/** A step that is open again holds what it held at the base. */
function goBackToStep(state: KimiCodeState): void {
  const open = state.nodes[state.head]?.wait?.open ?? -1;
  const step = state.steps[open];
  if (!step) return;
  const parts: NodeState[] = [];
  for (let at = state.head; at > step.node; at = state.nodes[at]?.parent ?? -1) {
    const node = state.nodes[meantBy(state, at)];
    if (node?.kind === 'part' && node.step === open) parts.push(node);
  }
  const words = parts.find(({ part, items }) => part !== 'call' && items?.length)?.items?.at(-1);
  step.isFull = parts.some(({ part }) => part === 'words' || part === 'other');
  step.hasCalls = parts.some(({ part }) => part === 'call');
  step.lastWords = words === undefined ? step.key : factKey(parseFactKey(step.key)?.tape ?? '', words);
}

/** How steps and turns stand by what the branch says of their ends. */
function goBackToEnds(state: KimiCodeState, way: Way, isKept: (line: number) => boolean): void {
  const newest = <T extends { readonly line: number }>(list: readonly T[]): T | undefined => list.reduce<T | undefined>((found, one) => (isKept(one.line) ? one : found), undefined);
  const open = state.nodes[state.head]?.wait?.open ?? -1;
  for (const at of new Set([...way.left, ...way.joined].flatMap((node) => state.nodes[node]?.step ?? []).concat(open))) {
    const step = state.steps[at];
    if (step) Object.assign(step, { end: newest(step.ends)?.end, isInterrupted: step.interruptions.some(isKept) ? true : undefined });
  }
  for (const turn of state.turns) {
    if (!turn.ends.length) continue;
    const last = newest(turn.ends);
    Object.assign(turn, { end: last?.end ?? null, status: last?.status ?? null });
  }
}

/** What the player knows beside the messages, as it was at the base. */
function goBack(state: KimiCodeState, way: Way, isKept: (line: number) => boolean): void {
  goBackToPrompts(state, way, isKept);
  goBackToStep(state);
  goBackToEnds(state, way, isKept);
  const goal = state.goals.reduce<GoalState>((found, one) => (isKept(one.line) ? one : found), { line: 0, goal: null });
  if (state.goals.length) state.goals.push(goal);
}

/** Steps that came to nothing on one of two branches, with pieces that both have: they count on the other. */
function emptiedSteps(state: KimiCodeState, nodes: readonly number[]): Set<number> {
  return new Set(nodes.flatMap((at) => { const node = state.nodes[at]; return node?.isVoid && node.step !== undefined ? [node.step] : []; }));
}

function tellWay(play: Play, way: Way, of: { kept: readonly number[]; isKept: (line: number) => boolean }): void {
  const { state } = play;
  const [before, after] = [emptiedSteps(state, way.left), emptiedSteps(state, way.joined)];
  const shared = [...before, ...after].flatMap((step) => {
    const from = state.steps[step]?.node ?? 0;
    return state.nodes.slice(from, way.fork + 1).flatMap((node, i) => (node.step === step ? [from + i] : []));
  });
  const present = new Set([...way.joined, ...shared]);
  const kept = new Set(of.kept);
  const isCounting = (at: number): boolean => kept.has(at) || (present.has(at) && !after.has(state.nodes[at]?.step ?? -1));
  const among = [...new Set([...way.left, ...way.joined, ...of.kept, ...shared])].sort((a, b) => a - b);
  tellStanding(play, { among, isCounting, isKept: of.isKept, sinceLine: state.nodes[way.fork]?.line ?? 0 }, 'branch');
}

/** `agent.switched`: from here on the file is another branch, which goes on from a record of an earlier one. All that came behind that record counts no longer. O(what changes sides). */
export function playSwitch(play: Play): LineVerdict {
  const { state, raw, line } = play;
  const base = objectAt(raw, 'base') ?? {};
  const baseLine = countAt(base, 'line');
  const branch = stringAt(raw, 'branch');
  const told = countAt(raw, 'legacyUndoLine');
  const from = segmentOf(state, stringAt(base, 'branch') ?? '');
  if (baseLine === undefined || branch === undefined || from < 0) return 'unknown';
  if (told !== undefined) state.toldUndos.push(told);
  state.segments.push({ branch, from: line + 1, base: from, line: baseLine });
  const pieces = piecesOf(state, from, baseLine);
  const isKept = (of: number): boolean => pieces.some((piece) => of >= piece.from && of <= piece.to);
  const head = nodeBefore(state, isKept);
  const way = wayBetween(state, state.head, head);
  state.head = head;
  const kept = keepInjections(play, way, isKept);
  goBack(state, way, isKept);
  revisitTurn(state);
  tellWay(play, way, { kept, isKept });
  placeAsOnBranch(play, isKept);
  return 'played';
}
