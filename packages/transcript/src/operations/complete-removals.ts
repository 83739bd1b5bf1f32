import type { AgentState } from '../state/agent-state.js';
import { applyOperation } from './apply.js';
import type { TranscriptOperation } from './operation.js';

/**
 * The batch as it is to be dispatched: removals name the interactions that go with their turns, since a reader below `block` holds no steps and cannot
 * tell. `state`: before the batch. Every other operation stays as it is, also one that changes nothing here: a whole text that repeats its appends
 * is news to a reader who gets none. The same array where nothing is removed.
 */
export function completeRemovals(state: AgentState, ops: readonly TranscriptOperation[]): readonly TranscriptOperation[] {
  if (!ops.some(({ op }) => op === 'items.remove')) return ops;
  let at = state;
  return ops.map((op) => {
    const { state: next, removedInteractions } = applyOperation(at, op);
    at = next;
    return op.op === 'items.remove' && removedInteractions ? { ...op, interactionIds: removedInteractions } : op;
  });
}
