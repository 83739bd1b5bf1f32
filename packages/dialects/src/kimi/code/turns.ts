import type { FactKey, Origin } from '@tapefold/facts';
import { present } from '../../shape.js';
import { claimTurn } from './engine-turns.js';
import { type Play, currentTurn, say } from './play.js';
import type { NodeState } from './state.js';

export interface TurnOpening {
  readonly origin: Origin;
  /** The prompt that it answers, where the file can name it. */
  readonly promptId?: string | undefined;
  readonly isImplicit?: boolean | undefined;
}

/** The node opens a turn, numbered as the original counts those that are left. */
export function openTurn(play: Play, node: NodeState, opening: TurnOpening): FactKey {
  const { state } = play;
  const above = currentTurn(play);
  const ordinal = node.turn < 0 ? 0 : (state.turns[above]?.ordinal ?? -1) + 1;
  const raw = opening.isImplicit ? undefined : claimTurn(state, opening);
  const engine = raw?.engine;
  const settlesAs = engine === undefined || !state.hasEnds ? ('completed' as const) : undefined;
  const key = say(play, present({
    type: 'turn.started' as const, id: `t${ordinal}`, origin: opening.origin, settlesAs, isImplicit: opening.isImplicit === true, replacesOlder: false,
  }));
  node.turn = state.turns.push(present({ key, ordinal, engine, raw, end: null, status: null, steps: [], nodes: [state.head], ends: [] })) - 1;
  node.last = -1;
  node.opens = true;
  state.calls = {};
  return key;
}

/** What a model says without having been asked stands in a turn of its own. */
export function needTurn(play: Play, node: NodeState): void {
  if (node.turn < 0) openTurn(play, node, { origin: { kind: 'other' }, isImplicit: true });
}
