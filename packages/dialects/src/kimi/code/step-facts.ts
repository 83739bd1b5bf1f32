import { present } from '../../shape.js';
import { addNode } from './chain.js';
import { type Play, keyAt, ordinalOf, refs, say, sayWord, stepAt } from './play.js';
import type { NodeState, StepEnd, StepState } from './state.js';

/** A step as the file calls it: its id, and turn and step as the engine counts. */
export interface NativeStep {
  readonly uuid?: string | undefined;
  readonly engineTurn?: number | undefined;
  readonly engineStep?: number | undefined;
}

/** Ids of items must not repeat in a turn: a step that takes the place of one that was taken back is told apart. */
function labelOf({ state }: Play, of: { turn: number; ordinal: number }): string {
  const turn = state.turns[of.turn];
  const before = turn?.steps.filter((at) => state.steps[at]?.ordinal === of.ordinal && state.steps[at]?.hasItems).length ?? 0;
  const plain = `t${turn?.ordinal ?? 0}.${of.ordinal}`;
  return before === 0 ? plain : `${plain}r${before}`;
}

/** Makes the node's step, behind the newest one of its turn. */
export function startStep(play: Play, node: NodeState, native: NativeStep): number {
  const { state } = play;
  const { turn } = node;
  const ordinal = (state.steps[node.last]?.ordinal ?? 0) + 1;
  const key = say(play, present({ type: 'step.started' as const, ...refs(play, { turn }), turn: keyAt(play, state.turns[turn]?.at ?? 0), id: native.uuid }));
  const own = ordinalOf(key);
  const step: StepState = { at: own, turn, ordinal, ...present({ ...native }), node: state.head, label: labelOf(play, { turn, ordinal }), frames: 0, lastWords: own, interruptions: [], ends: [] };
  const at = state.steps.push(step) - 1;
  state.turns[turn]?.steps.push(at);
  Object.assign(node, { step: at, last: at });
  return at;
}

/** A step that has no words of its own: a record tells only how it ended. */
export function beginStub(play: Play, turn: number): number {
  const { state } = play;
  const node = addNode(play, { kind: 'stub' });
  const behind = { turn: node.turn, last: node.last };
  const last = turn === behind.turn ? behind.last : state.turns[turn]?.steps.at(-1) ?? -1;
  Object.assign(node, { turn, last });
  const at = startStep(play, node, {});
  if (turn !== behind.turn) state.turns[turn]?.nodes.push(state.head);
  if (turn !== behind.turn) Object.assign(node, behind);
  return at;
}

/** Says how a step ended; a newer word repeats what was known and adds to it. */
export function endStep(play: Play, at: number, end: StepEnd & { readonly reason?: string | undefined; readonly message?: string | undefined }): void {
  const step = stepAt(play, at);
  if (!step) return;
  const { reason, message, ...known } = end;
  const { lastEnd } = play.state;
  const whole = present({ ...(lastEnd?.step === at ? lastEnd.end : {}), ...present(known) }) as StepEnd;
  play.state.lastEnd = { step: at, end: whole };
  step.isEnded = true;
  step.ends.push(play.line);
  sayWord(play, present({ type: 'step.ended' as const, ...refs(play, { step: at }), step: keyAt(play, step.at), ...whole, reason, message }));
}
