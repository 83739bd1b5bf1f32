import type { FactKey, Origin, TurnStatus } from '@tapefold/facts';
import { numberAt, present, stringAt } from '../shape.js';
import { joinTurn } from './history.js';
import { textOf } from './line.js';
import { type Play, ordinalOf, say } from './play.js';
import { closeStep } from './steps.js';
import type { NodeState, TurnState } from './state.js';

export interface TurnOpening {
  readonly origin?: Origin | undefined;
  readonly settlesAs?: TurnStatus | undefined;
  readonly isImplicit?: boolean | undefined;
  readonly title?: string | undefined;
  readonly isPrompt?: boolean | undefined;
}

/** What a list needs of a title. */
const TITLE_CHARS = 500;

/** The line opens a turn. */
export function openTurn(play: Play, opening: TurnOpening): FactKey {
  const { state, at, node } = play;
  const { origin, settlesAs, title } = opening;
  const isImplicit = opening.isImplicit === true;
  const key = say(play, present({ type: 'turn.started' as const, id: node.uuid, origin, settlesAs, isImplicit, replacesOlder: false }));
  const turn: TurnState = present({
    key, run: node.run, title: title?.slice(0, TITLE_CHARS), isPrompt: opening.isPrompt === true, nodes: [], live: 0, isOff: false, end: null, status: settlesAs ?? (isImplicit ? 'completed' : 'interrupted'), calls: [],
  });
  joinTurn(state, at, state.turns.push(turn) - 1);
  return key;
}

/** The line belongs to its parent's turn; content that needs one and has none opens one that no record opened. */
export function needTurn(play: Play): void {
  if (play.node.turn < 0) openTurn(play, { isImplicit: true });
}

const statusOfSign = { open: 'interrupted', answered: 'completed', failed: 'failed', cut: 'interrupted', done: 'completed' } as const;

/** What the turn counts as by the newest line of it that says so, from `leaf` upwards; a call without a result leaves it open. */
function outlookOf(play: Play, at: number, leaf: number): TurnStatus {
  const { state } = play;
  const turn = state.turns[at];
  const hasOpenCall = turn?.calls.some((call) => isOpenCall(play, call)) === true;
  const seen = new Set<number>();
  for (let n = leaf; n >= 0 && !seen.has(n); n = state.nodes[n]?.parent ?? -1) {
    const node = state.nodes[n] as NodeState;
    if (node.turn !== at && node.turn >= 0) break;
    if (node.sign !== undefined && node.turn === at) return node.sign === 'answered' && hasOpenCall ? 'interrupted' : statusOfSign[node.sign];
    seen.add(n);
  }
  return turn?.status ?? 'interrupted';
}

function isOpenCall(play: Play, id: string): boolean {
  const call = play.state.calls[`$${id}`];
  return call !== undefined && play.state.nodes[call.node]?.isLive === true;
}

/** Ends a turn as its lines have it, once. */
export function endTurn(play: Play, at: number, how: { leaf?: number; status?: TurnStatus; durationMs?: number | undefined } = {}): void {
  const turn = play.state.turns[at];
  if (!turn || (turn.end !== null && how.durationMs === undefined)) return;
  const status = how.status ?? (how.leaf === undefined || turn.live === 0 ? turn.status : outlookOf(play, at, how.leaf));
  turn.status = status;
  turn.end = ordinalOf(say(play, present({ type: 'turn.ended' as const, turn: turn.key, status, error: status === 'failed' ? turn.error : undefined, durationMs: how.durationMs })));
}

/** A turn goes on that had ended: the end did not happen. */
export function reopenTurn(play: Play): void {
  const turn = play.state.turns[play.node.turn];
  if (!turn || turn.end === null || !play.node.isLive || play.replaces) return;
  const { end } = turn;
  turn.end = null;
  say(play, { type: 'history.superseded', reason: 'replaced', turns: [], facts: [{ tape: play.pen.tape, from: end, to: end + 1 }], context: [] });
}

/** Says anew what the newest turn counts as, where the line changed that. */
export function tellOutlook(play: Play): void {
  const { state, run } = play;
  const at = state.nodes[run.leaf]?.turn ?? -1;
  const turn = state.turns[at];
  if (!turn || turn.end !== null || turn.live === 0) return;
  const status = outlookOf(play, at, run.leaf);
  if (status === turn.status) return;
  turn.status = status;
  say(play, present({ type: 'turn.changed' as const, turn: turn.key, settlesAs: status, error: status === 'failed' ? turn.error : undefined }));
}

/** A new turn begins on the chain: what ran before is over. `left`: the end of the chain before this line. */
export function closeBefore(play: Play, left: number): void {
  closeStep(play, 'completed');
  const { state, node } = play;
  const before = state.nodes[left]?.turn ?? -1;
  const above = state.nodes[node.parent]?.turn ?? -1;
  for (const turn of new Set([before, above])) endTurn(play, turn, { leaf: turn === above ? node.parent : left });
}

/** Turns that a branch switch put in the middle of the chain are over. */
export function closeInside(play: Play): void {
  const { state, tree, node } = play;
  const open = new Map<number, number>();
  let last = -1;
  // The line under play may have no turn yet: it goes on with the last one, or ends that itself.
  for (const at of tree.newPath(node.run)) {
    const { turn } = state.nodes[at] as NodeState;
    if (turn < 0) continue;
    last = turn;
    if (state.turns[turn]?.end === null) open.set(turn, at);
  }
  open.delete(last);
  for (const [turn, leaf] of open) endTurn(play, turn, { leaf });
}

/** An interruption that a record tells ends the turn at once. */
export function interruptTurn(play: Play): void {
  closeStep(play, 'interrupted');
  play.node.sign = 'cut';
  if (play.node.turn >= 0 && play.node.isLive) endTurn(play, play.node.turn, { status: 'interrupted' });
}

/** The request failed: the turn counts as failed unless it goes on. */
export function failTurn(play: Play): void {
  const { line: { raw, blocks }, node, state } = play;
  const turn = state.turns[node.turn];
  node.sign = 'failed';
  if (!turn) return;
  const status = numberAt(raw, 'apiErrorStatus');
  turn.error = present({ message: textOf(blocks), kind: stringAt(raw, 'error'), code: status, details: stringAt(raw, 'errorDetails') });
}
