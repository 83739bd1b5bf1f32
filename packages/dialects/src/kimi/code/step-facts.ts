import { present } from '../../shape.js';
import { addNode } from './chain.js';
import { type Play, refs, say, sayWord, stepAt } from './play.js';
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
  const key = say(play, present({ type: 'step.started' as const, turn: state.turns[turn]?.key ?? '', id: native.uuid }));
  const step: StepState = { key, turn, ordinal, ...present({ ...native }), node: state.head, label: labelOf(play, { turn, ordinal }), frames: 0, lastWords: key, hasCalls: false, isFull: false, hasItems: false, interruptions: [], ends: [] };
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
  step.end = present({ ...step.end, ...present(known) }) as StepEnd;
  step.ends.push({ line: play.line, end: step.end });
  sayWord(play, present({ type: 'step.ended' as const, ...refs(play, { step: at }), step: step.key, ...step.end, reason, message }));
}
