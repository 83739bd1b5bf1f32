import { type AgentTranscriptSnapshot, type AppendTarget, type TranscriptFrame, type TranscriptItem, type TranscriptOperation, type TranscriptStep, type TranscriptTurn, appendAtOffset, itemId, stepOrdinal, turnOrdinal } from '../index.js';

/** A reducer of the plainest kind, as the protocol says it: whole arrays, looked through from the front. What ours is held against. */
export type PlainState = { -readonly [Key in keyof AgentTranscriptSnapshot]-?: AgentTranscriptSnapshot[Key] };

export const emptyPlainState: PlainState = { items: [], tasks: [], interactions: [], attachments: [], todos: [], prompts: [], meta: {}, hasMoreOlder: false };

const upserted = <T>(all: readonly T[], entry: T, idOf: (entry: T) => string): T[] => {
  const at = all.findIndex((other) => idOf(other) === idOf(entry));
  return at < 0 ? [...all, entry] : all.map((other, index) => (index === at ? entry : other));
};

function placed(items: readonly TranscriptItem[], item: TranscriptItem, isBehind: (turn: TranscriptTurn) => boolean): TranscriptItem[] {
  if (items.some((other) => itemId(other) === itemId(item))) return upserted(items, item, itemId);
  const at = items.findIndex((other) => other.kind === 'turn' && isBehind(other));
  return at < 0 ? [...items, item] : [...items.slice(0, at), item, ...items.slice(at)];
}

const turnOf = (state: PlainState, turnId: string): TranscriptTurn | undefined => state.items.find((item): item is TranscriptTurn => item.kind === 'turn' && item.turnId === turnId);
const skeleton = (turnId: string): TranscriptTurn => ({ kind: 'turn', turnId, ordinal: turnOrdinal(turnId), state: 'running', origin: { kind: 'other' }, steps: [] });
const withTurn = (state: PlainState, turn: TranscriptTurn): PlainState => ({ ...state, items: placed(state.items, turn, ({ ordinal }) => ordinal > turn.ordinal) });

function withStep(turn: TranscriptTurn, step: TranscriptStep): TranscriptTurn {
  return { ...turn, steps: upserted(turn.steps, step, ({ stepId }) => stepId).sort((a, b) => a.ordinal - b.ordinal) };
}

function withFrame(state: PlainState, { turnId, stepId }: { turnId: string; stepId: string }, frame: TranscriptFrame): PlainState {
  const turn = turnOf(state, turnId) ?? skeleton(turnId);
  const step = turn.steps.find((one) => one.stepId === stepId) ?? { kind: 'step' as const, turnId, stepId, ordinal: stepOrdinal(turnId, stepId), state: 'running' as const, frames: [] };
  return withTurn(state, withStep(turn, { ...step, frames: upserted(step.frames, frame, ({ frameId }) => frameId) }));
}

function appended(state: PlainState, target: AppendTarget, op: { offset: number; text: string }): PlainState {
  if (target.type === 'task') {
    const known = state.tasks.find(({ taskId }) => taskId === target.taskId);
    const { text, changed } = appendAtOffset(known?.outputTail ?? '', op.offset, op.text);
    const task = known ?? { taskId: target.taskId, kind: 'other' as const, state: 'running' as const, detached: false, outputTail: '' };
    return changed ? { ...state, tasks: upserted(state.tasks, { ...task, outputTail: text }, ({ taskId }) => taskId) } : state;
  }
  const frame = turnOf(state, target.turnId)?.steps.find(({ stepId }) => stepId === target.stepId)?.frames.find(({ frameId }) => frameId === target.frameId);
  if (frame?.kind !== 'text' && frame?.kind !== 'thinking') return state;
  return withFrame(state, target, { ...frame, text: appendAtOffset(frame.text, op.offset, op.text).text });
}

function removed(state: PlainState, op: Extract<TranscriptOperation, { op: 'items.remove' }>): PlainState {
  const gone = state.items.filter((item) => op.ids.includes(itemId(item)));
  const calls = new Set(gone.flatMap((item) => (item.kind === 'turn' ? item.steps : [])).flatMap(({ frames }) => frames).flatMap((frame) => (frame.kind === 'tool' ? [frame.toolCallId] : [])));
  const isGone = ({ interactionId, toolCallId }: { interactionId: string; toolCallId?: string | undefined }) => (toolCallId !== undefined && calls.has(toolCallId)) || op.interactionIds?.includes(interactionId);
  return { ...state, items: state.items.filter((item) => !gone.includes(item)), interactions: state.interactions.filter((one) => !isGone(one)) };
}

function merged(state: PlainState, { meta }: Extract<TranscriptOperation, { op: 'meta.merge' }>): PlainState {
  const { goal, modes, activity, agent } = state.meta;
  const pick = <T>(old: T | undefined, next: T | null | undefined) => (next === null ? undefined : (next ?? old));
  const all = meta.modes && { plan: pick(modes?.plan, meta.modes.plan), swarm: pick(modes?.swarm, meta.modes.swarm), tower: pick(modes?.tower, meta.modes.tower) };
  const nextModes = all ? (Object.values(all).some(Boolean) ? all : undefined) : modes;
  return { ...state, meta: { goal: pick(goal, meta.goal), modes: nextModes, activity: meta.activity ?? activity, agent: meta.agent ? { ...agent, ...meta.agent } : agent } };
}

/** The next state, by the words of the protocol. */
export function applyPlainly(state: PlainState, op: TranscriptOperation): PlainState {
  switch (op.op) {
    case 'reset': return { ...emptyPlainState, ...op.snapshot, hasMoreOlder: op.snapshot.hasMoreOlder ?? false };
    case 'turn.upsert': return withTurn(state, { ...op.turn, steps: turnOf(state, op.turn.turnId)?.steps ?? [] });
    case 'step.upsert': {
      const turn = turnOf(state, op.turnId) ?? skeleton(op.turnId);
      return withTurn(state, withStep(turn, { ...op.step, frames: turn.steps.find(({ stepId }) => stepId === op.step.stepId)?.frames ?? [] }));
    }
    case 'frame.upsert': return withFrame(state, op, op.frame);
    case 'append': return appended(state, op.target, op);
    case 'marker.upsert': case 'taskref.upsert': {
      const { beforeTurn } = op;
      return { ...state, items: placed(state.items, op.item, ({ ordinal }) => beforeTurn !== undefined && ordinal >= beforeTurn) };
    }
    case 'task.upsert': return { ...state, tasks: upserted(state.tasks, op.task, ({ taskId }) => taskId) };
    case 'interaction.upsert': return { ...state, interactions: upserted(state.interactions, op.interaction, ({ interactionId }) => interactionId) };
    case 'attachment.upsert': return { ...state, attachments: upserted(state.attachments, op.attachment, ({ attachmentId }) => attachmentId) };
    case 'todo.upsert': return { ...state, todos: upserted(state.todos, op.todo, ({ todoId }) => todoId) };
    case 'prompt.upsert': return { ...state, prompts: upserted(state.prompts, op.prompt, ({ promptId }) => promptId) };
    case 'meta.merge': return merged(state, op);
    case 'items.remove': return removed(state, op);
  }
}
