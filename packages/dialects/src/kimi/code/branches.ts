import type { LineVerdict, OrdinalRange } from '@tapefold/facts';
import { countAt, stringAt } from '../../shape.js';
import { addNode, chainTo, countingOn } from './chain.js';
import { tellMove } from './history.js';
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

/** Ranges of facts by the records that they are of. */
function wordsOf(play: Play, isWanted: (line: number) => boolean): OrdinalRange[] {
  const ranges: { tape: string; from: number; to: number }[] = [];
  let isBroken = true;
  for (const [line, from, to] of play.state.words) {
    const last = ranges.at(-1);
    if (!isWanted(line)) { isBroken = true; continue; }
    if (last && !isBroken) last.to = to;
    else ranges.push({ tape: play.pen.tape, from, to });
    isBroken = false;
  }
  return ranges;
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

/** What the player knows beside the conversation, as it was at a record. */
function goBack(state: KimiCodeState, pieces: readonly { from: number; to: number }[]): void {
  state.steers = state.steers.filter(({ line }) => isIn(pieces, line));
  state.engine.raws = state.engine.raws.filter(({ line }) => isIn(pieces, line));
  const goal = state.goals.reduce<GoalState>((found, one) => (isIn(pieces, one.line) ? one : found), { line: 0, goal: null });
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
  const current = state.segments.length - 1;
  const before = { pieces: piecesOf(state, current, line - 1), nodes: countingOn(state, chainTo(state, state.head)) };
  state.segments.push({ branch, from: line + 1, base: from, line: base.line });
  const pieces = piecesOf(state, from, base.line);
  const injections = state.nodes.flatMap((node, at) => (node.isInjection && node.of === undefined ? [at] : []));
  state.head = nodeBefore(state, pieces);
  keepInjections(play, injections);
  goBack(state, pieces);
  const after = countingOn(state, chainTo(state, state.head));
  tellMove(play, {
    off: [...before.nodes].filter((at) => !after.has(at)), on: [...after].filter((at) => !before.nodes.has(at)),
    offWords: wordsOf(play, (of) => isIn(before.pieces, of) && !isIn(pieces, of)), onWords: wordsOf(play, (of) => isIn(pieces, of) && !isIn(before.pieces, of)),
  }, { off: 'branch', on: 'branch' });
  return 'played';
}
