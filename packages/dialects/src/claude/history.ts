import type { FactKey, OrdinalRange } from '@tapefold/facts';
import { factKey } from '@tapefold/facts';
import { type Play, say } from './play.js';
import type { ClaudeState, NodeState } from './state.js';

/** What changes sides: turns, steps and parts of turns for a person, entries for the model. */
interface Scope {
  readonly turns: FactKey[];
  readonly steps: FactKey[];
  readonly nodes: NodeState[];
  readonly unread: number[];
  readonly unsaid: NodeState[];
}
export interface Move {
  readonly off: Scope;
  readonly on: Scope;
}

const emptyScope = (): Scope => ({ turns: [], steps: [], nodes: [], unread: [], unsaid: [] });
const side = (move: Move, isOff: boolean): Scope => (isOff ? move.off : move.on);

/** A line of a turn becomes part of it, or of another one. */
export function joinTurn(state: ClaudeState, at: number, turn: number): void {
  const node = state.nodes[at];
  if (!node) return;
  node.turn = turn;
  state.turns[turn]?.nodes.push(at);
  if (node.isLive) changeCount(state.turns[turn], 1);
}

export function joinStep(state: ClaudeState, at: number, step: number): void {
  const node = state.nodes[at];
  if (!node || node.step === step) return;
  if (node.isLive) changeCount(state.steps[node.step], -1);
  node.step = step;
  if (node.isLive) changeCount(state.steps[step], 1);
}

function changeCount(of: { live: number } | undefined, by: number): void {
  if (of) of.live += by;
}

/** Brings a turn that has lines on the chain up to date: its steps, and the lines that are left out of it. */
function settleParts(state: ClaudeState, move: Move, turn: number): void {
  const own = state.turns[turn]?.nodes ?? [];
  for (const at of new Set(own.map((n) => state.nodes[n]?.step ?? -1))) {
    const step = state.steps[at];
    if (step && step.isOff !== (step.live === 0)) {
      step.isOff = !step.isOff;
      side(move, step.isOff).steps.push(step.key);
    }
  }
  for (const at of own) settleNode(state, move, at);
}

function settleNode(state: ClaudeState, move: Move, at: number): void {
  const node = state.nodes[at];
  if (!node || state.steps[node.step]?.isOff || node.isHidden !== node.isLive) return;
  node.isHidden = !node.isLive;
  if (node.items.length || node.inputs.length) side(move, node.isHidden).nodes.push(node);
}

function settleTurn(state: ClaudeState, move: Move, at: number): void {
  const turn = state.turns[at];
  if (!turn) return;
  if (turn.isOff !== (turn.live === 0)) {
    turn.isOff = !turn.isOff;
    side(move, turn.isOff).turns.push(turn.key);
  }
  if (!turn.isOff) settleParts(state, move, at);
}

/** Which entries the model reads, and which other facts count, is by ranges whatever happens to the turn. */
function settleRanges(play: Play, move: Move, at: number): void {
  const node = play.state.nodes[at];
  if (!node) return;
  const isUnread = !isRead(play, at, node);
  if (node.entries.length && node.isUnread !== isUnread) {
    node.isUnread = isUnread;
    side(move, isUnread).unread.push(at);
  }
  if (node.hasWords && node.isUnsaid === node.isLive) {
    node.isUnsaid = !node.isLive;
    side(move, node.isUnsaid).unsaid.push(node);
  }
}

/** A late result of a call from before a compaction that the chain goes through is not read: the compaction left its call behind. */
function isRead(play: Play, at: number, node: NodeState): boolean {
  const { state, tree } = play;
  if (!tree.isTaken(at)) return false;
  if (!node.isLate) return true;
  const path = tree.path(node.run);
  const from = tree.place(node.parent) ?? tree.place(at) ?? path.length;
  return !path.slice(from + 1).some((n) => state.nodes[n]?.isBoundary && n < at);
}

/** Counts the lines that changed sides; answers the turns that this concerns. `told`: lines whose facts have just been written. */
function countSides(play: Play, lines: readonly number[], told: number | undefined): Set<number> {
  const { state, tree } = play;
  const turns = new Set<number>();
  for (const at of lines) {
    const node = state.nodes[at];
    const isLive = tree.isLive(at);
    if (!node || (isLive === node.isLive && at !== told)) continue;
    turns.add(node.turn);
    if (isLive === node.isLive) continue;
    node.isLive = isLive;
    for (const group of [state.turns[node.turn], state.steps[node.step]]) changeCount(group, isLive ? 1 : -1);
  }
  return turns;
}

/** Notes which of the given lines are on the chain now, and what facts have to say of it. */
export function settleSides(play: Play, of: Iterable<number>, told?: number): Move {
  const move: Move = { off: emptyScope(), on: emptyScope() };
  const lines = [...of].sort((a, b) => a - b);
  const turns = countSides(play, lines, told);
  for (const turn of [...turns].sort((a, b) => a - b)) if (turn >= 0) settleTurn(play.state, move, turn);
  for (const at of lines) {
    if ((play.state.nodes[at]?.turn ?? 0) < 0) settleNode(play.state, move, at);
    settleRanges(play, move, at);
  }
  return move;
}

/** Ranges over the entries of lines, in the order of the lines; what lies between two of them and is no entry does not break a range. */
function entryRanges(play: Play, lines: readonly number[]): OrdinalRange[] {
  const { state, pen: { tape } } = play;
  const ranges: { tape: string; from: number; to: number }[] = [];
  let before = -1;
  for (const at of lines) {
    const entries = state.nodes[at]?.entries ?? [];
    const own = { tape, from: Math.min(...entries), to: Math.max(...entries) + 1 };
    const last = ranges.at(-1);
    const isNext = last !== undefined && last.to <= own.from && !state.nodes.slice(before + 1, at).some((between) => between.entries.length > 0);
    if (isNext && !state.strays.some((stray) => stray >= last.to && stray < own.from)) last.to = own.to;
    else ranges.push(own);
    before = at;
  }
  return ranges;
}

function wordRanges(play: Play, nodes: readonly NodeState[]): OrdinalRange[] {
  return nodes.flatMap(({ spans }) => spans.map(([from, to]) => ({ tape: play.pen.tape, from, to })));
}

function scopeFields(play: Play, scope: Scope) {
  const keys = (ordinals: readonly number[]): FactKey[] => ordinals.map((ordinal) => factKey(play.pen.tape, ordinal));
  const items = scope.nodes.flatMap((node) => keys(node.items));
  const inputs = scope.nodes.flatMap((node) => keys(node.inputs));
  const facts = wordRanges(play, scope.unsaid);
  return {
    turns: scope.turns, ...(scope.steps.length ? { steps: scope.steps } : {}), ...(items.length ? { items } : {}), ...(inputs.length ? { inputs } : {}), ...(facts.length ? { facts } : {}),
    context: entryRanges(play, scope.unread),
  };
}

const isEmpty = (scope: Scope): boolean => !scope.turns.length && !scope.steps.length && !scope.nodes.length && !scope.unread.length && !scope.unsaid.length;

/** Says what a move takes away and what it brings back. */
export function tellMove(play: Play, move: Move, reason: { off: 'rewind' | 'branch' | 'retracted'; on: 'branch' | 'adopted' }): void {
  if (!isEmpty(move.off)) say(play, { type: 'history.superseded', reason: reason.off, ...scopeFields(play, move.off) });
  if (!isEmpty(move.on)) say(play, { type: 'history.restored', reason: reason.on, ...scopeFields(play, move.on) });
}

/** Lines that a record takes back: a person sees them no longer; what the model reads is the chain's. */
export function retractLines(play: Play, uuids: readonly string[]): void {
  const lines = uuids.flatMap((uuid) => play.tree.find(uuid) ?? []).filter((at) => at !== play.at);
  for (const at of lines) {
    const node = play.state.nodes[at];
    if (node) node.isRetracted = true;
  }
  tellMove(play, settleSides(play, lines), { off: 'retracted', on: 'branch' });
}
