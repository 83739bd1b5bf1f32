import { type AgentState, type StoredState, snapshotOf, stateOf, storedStateOf } from '../state/agent-state.js';
import { isSameValue } from '../state/same-value.js';
import { applyInteraction, applyRemoval, upserted } from './apply-entities.js';
import { mergedMeta } from './apply-meta.js';
import { applyAppend } from './apply-text.js';
import { applyFrame, applyPlaced, applyStep, applyTurn } from './apply-turns.js';
import type { MetaMergeOp, ResetOp, TranscriptOperation } from './operation.js';
import type { ApplyResult, Reduced } from './result.js';

function applyReset(state: StoredState, { snapshot }: ResetOp): StoredState {
  const next = stateOf(snapshot);
  return isSameValue(snapshotOf(state), snapshotOf(next)) ? state : next;
}

function applyMeta(state: StoredState, op: MetaMergeOp): StoredState {
  const meta = mergedMeta(state.meta, op.meta);
  return isSameValue(state.meta, meta) ? state : state.with({ meta });
}

function reduced(state: StoredState, op: TranscriptOperation): Reduced {
  switch (op.op) {
    case 'reset': return { next: applyReset(state, op) };
    case 'turn.upsert': return { next: applyTurn(state, op) };
    case 'step.upsert': return { next: applyStep(state, op) };
    case 'frame.upsert': return { next: applyFrame(state, op) };
    case 'append': return applyAppend(state, op);
    case 'marker.upsert': case 'taskref.upsert': return { next: applyPlaced(state, op) };
    case 'interaction.upsert': return { next: applyInteraction(state, op.interaction) };
    case 'items.remove': return applyRemoval(state, op);
    case 'meta.merge': return { next: applyMeta(state, op) };
    default: return { next: applyEntity(state, op) };
  }
}

function applyEntity(state: StoredState, op: Extract<TranscriptOperation, { op: 'task.upsert' | 'attachment.upsert' | 'todo.upsert' | 'prompt.upsert' }>): StoredState {
  switch (op.op) {
    case 'task.upsert': return replaced(state, 'tasks', upserted(state.tasks, op.task.taskId, op.task));
    case 'attachment.upsert': return replaced(state, 'attachments', upserted(state.attachments, op.attachment.attachmentId, op.attachment));
    case 'todo.upsert': return replaced(state, 'todos', upserted(state.todos, op.todo.todoId, op.todo));
    case 'prompt.upsert': return replaced(state, 'prompts', upserted(state.prompts, op.prompt.promptId, op.prompt));
    // An operation of a peer that is newer than this code.
    default: return state;
  }
}

function replaced<Key extends 'tasks' | 'attachments' | 'todos' | 'prompts'>(state: StoredState, key: Key, map: StoredState[Key]): StoredState {
  return map === state[key] ? state : state.with({ [key]: map });
}

/**
 * The next state of an agent's transcript. Pure and total: the given state stays as it was, and nothing throws. An operation that says nothing new
 * (also a copy that came through JSON) answers the very same state with `changed: false`. O(log n) for any operation but `reset`.
 */
export function applyOperation(state: AgentState, op: TranscriptOperation): ApplyResult {
  const stored = storedStateOf(state);
  const { next, gap, removedInteractions } = reduced(stored, op);
  const changed = next !== stored;
  return { state: changed ? next : state, changed, ...(gap && { gap }), ...(removedInteractions?.length ? { removedInteractions } : {}) };
}
