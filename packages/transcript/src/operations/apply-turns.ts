import { stepOrdinal, turnOrdinal } from '../model/ids.js';
import type { StepHeader, TurnHeader } from '../model/turn.js';
import type { StoredState } from '../state/agent-state.js';
import { readGrowing } from '../state/growing.js';
import { isSameValue } from '../state/same-value.js';
import { StepNode, TurnNode } from '../state/turn-node.js';
import type { FrameUpsertOp, MarkerUpsertOp, StepUpsertOp, TaskRefUpsertOp, TurnUpsertOp } from './operation.js';

/** A turn or step may be given where its header is asked for; what is below it is not part of the operation. */
const turnHeader = (turn: TurnHeader): TurnHeader => ('steps' in turn ? TurnNode.of({ ...turn, steps: [] }).header : turn);
const stepHeader = (step: StepHeader): StepHeader => ('frames' in step ? StepNode.of({ ...step, frames: [] }).header : step);

/** The state with a turn put in its place: where it stood, or before the first turn with a greater ordinal. */
export function withTurn(state: StoredState, turn: TurnNode): StoredState {
  return state.with({ timeline: state.timeline.with(turn, (ordinal) => ordinal > turn.header.ordinal) });
}

/** A turn that an operation speaks of; one that nothing told of yet is taken to run. */
function turnOrSkeleton(state: StoredState, turnId: string): TurnNode {
  return state.timeline.turn(turnId) ?? TurnNode.of({ kind: 'turn', turnId, ordinal: turnOrdinal(turnId), state: 'running', origin: { kind: 'other' } });
}

export function applyTurn(state: StoredState, op: TurnUpsertOp): StoredState {
  const header = turnHeader(op.turn);
  const known = state.timeline.turn(header.turnId);
  if (known && isSameValue(known.header, header)) return state;
  return withTurn(state, known ? new TurnNode(header, known.steps) : TurnNode.of(header));
}

export function applyStep(state: StoredState, op: StepUpsertOp): StoredState {
  const turn = turnOrSkeleton(state, op.turnId);
  const header = stepHeader(op.step);
  const known = turn.steps.get(header.stepId);
  if (known && isSameValue(known.header, header)) return state;
  return withTurn(state, turn.withStep(known ? new StepNode(header, known.frames) : StepNode.of(header)));
}

export function applyFrame(state: StoredState, { turnId, stepId, frame }: FrameUpsertOp): StoredState {
  const turn = turnOrSkeleton(state, turnId);
  const step = turn.steps.get(stepId) ?? StepNode.of({ kind: 'step', stepId, turnId, ordinal: stepOrdinal(turnId, stepId), state: 'running' });
  const known = step.frames.get(frame.frameId);
  if (known && isSameValue(readGrowing(known), frame)) return state;
  return withTurn(state, turn.withStep(new StepNode(step.header, step.frames.with(frame))));
}

/** Markers and task references. One whose id a turn has takes the turn's place: ids of items are one namespace. */
export function applyPlaced(state: StoredState, { item, beforeTurn }: MarkerUpsertOp | TaskRefUpsertOp): StoredState {
  const known = state.timeline.get(item.kind === 'marker' ? item.markerId : item.refId);
  if (known && !(known instanceof TurnNode) && isSameValue(known, item)) return state;
  return state.with({ timeline: state.timeline.with(item, beforeTurn === undefined ? undefined : (ordinal) => ordinal >= beforeTurn) });
}
