import fc from 'fast-check';
import type { AgentTranscriptSnapshot, TranscriptFrame, TranscriptMetaMerge, TranscriptOperation } from '../index.js';
import { applyPlainly, emptyPlainState } from './plain-reducer.suite.js';

const nat = (max: number) => fc.nat({ max });
/** Some letters out of a few, so that overlaps often agree and often do not. */
const text = fc.string({ unit: fc.constantFrom('a', 'b', '\u{1F600}'), maxLength: 6 });
/** Open payloads: whatever JSON carries, deep and with awkward keys too. */
const open = fc.jsonValue({ maxDepth: 3 });
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });

const turnIds = nat(7).map((n) => `t${n}`);
const stepIds = (turnId: string) => nat(3).map((n) => `${turnId}.${n + 1}`);
const callIds = nat(4).map((n) => `call_${n}`);
const interactionIds = nat(4).map((n) => `i${n}`);
const taskIds = nat(3).map((n) => `task-${n}`);

const frames = (stepId: string): fc.Arbitrary<TranscriptFrame> => fc.oneof(
  fc.record({ kind: fc.constant('text' as const), frameId: nat(2).map((n) => `${stepId}.f${n + 1}`), role: fc.constant('assistant' as const), text }),
  fc.record({ kind: fc.constant('text' as const), frameId: nat(2).map((n) => `${stepId}.f${n + 1}`), role: fc.constant('user' as const), text, promptIds: maybe(fc.array(fc.constant('p'))), origin: maybe(fc.constant({ kind: 'user' as const })) }),
  fc.record({ kind: fc.constant('thinking' as const), frameId: nat(2).map((n) => `${stepId}.f${n + 1}`), text }),
  callIds.chain((toolCallId) => fc.record({
    kind: fc.constant('tool' as const), frameId: fc.constant(`${stepId}.${toolCallId}`), toolCallId: fc.constant(toolCallId), name: fc.constantFrom('Bash', 'Read'), state: fc.constantFrom('running' as const, 'done' as const, 'error' as const),
    input: open, output: maybe(open), agentRefs: maybe(fc.array(fc.record({ agentId: fc.constant('agent-0'), role: maybe(fc.constant('child' as const)) }), { maxLength: 2 })),
  })),
);

const turnHeaders = nat(7).chain((n) => fc.record({
  kind: fc.constant('turn' as const), turnId: fc.constant(`t${n}`), ordinal: fc.oneof({ weight: 6, arbitrary: fc.constant(n) }, { weight: 1, arbitrary: nat(9) }), state: fc.constantFrom('running' as const, 'completed' as const, 'failed' as const),
  origin: fc.oneof(fc.constant({ kind: 'user' as const }), open.map((payload) => ({ kind: 'other' as const, payload }))), prompt: maybe(text), attachmentIds: maybe(fc.array(fc.constant('att_1'), { maxLength: 2 })), durationMs: maybe(nat(9)),
}));
const stepHeaders = turnIds.chain((turnId) => nat(3).chain((n) => fc.record({
  kind: fc.constant('step' as const), turnId: fc.constant(turnId), stepId: fc.constant(`${turnId}.${n + 1}`), ordinal: fc.constant(n + 1), state: fc.constantFrom('running' as const, 'completed' as const),
  llmTiming: maybe(fc.record({ llmFirstTokenLatencyMs: nat(3) })), usage: maybe(fc.constant({ inputOther: 1, output: 2, inputCacheRead: 3, inputCacheCreation: 4 })),
})));
const markers = nat(4).chain((n) => fc.record({ kind: fc.constant('marker' as const), markerId: fc.constant(`m${n}`), marker: fc.constantFrom('goal', 'notice'), payload: maybe(open) }));
const taskRefs = taskIds.map((taskId) => ({ kind: 'taskref' as const, refId: `ref-${taskId}`, taskId }));
const tasks = fc.record({ taskId: taskIds, kind: fc.constantFrom('shell' as const, 'subagent' as const), state: fc.constantFrom('running' as const, 'completed' as const), detached: fc.boolean(), outputTail: text, model: maybe(fc.constantFrom('k2', 'k3')) });
const interactions = fc.record({ interactionId: interactionIds, interactionKind: fc.constantFrom('approval' as const, 'question' as const), toolCallId: maybe(callIds), state: fc.constantFrom('pending' as const, 'approved' as const, 'answered' as const), request: open });
const prompts = fc.record({ promptId: nat(2).map((n) => `p${n}`), status: fc.constantFrom('queued' as const, 'running' as const, 'completed' as const), createdAt: fc.constant('2026-01-01T00:00:00.000Z'), clientMetadata: maybe(fc.array(fc.constant({ a: 1 }), { maxLength: 2 })) });
const todos = fc.record({ todoId: fc.constant('todo'), items: fc.array(fc.record({ title: text, status: fc.constantFrom('pending' as const, 'done' as const) }), { maxLength: 3 }) });
const metas: fc.Arbitrary<TranscriptMetaMerge> = fc.record({
  goal: fc.option(fc.record({ objective: text, status: fc.constantFrom('active' as const, 'complete' as const) }), { nil: null }),
  modes: fc.record({ plan: fc.option(fc.record({ version: nat(3) }), { nil: null }), swarm: fc.option(fc.constant({}), { nil: null }), tower: fc.option(fc.constant({}), { nil: null }) }, { requiredKeys: [] }),
  activity: fc.constantFrom('idle' as const, 'turn' as const), agent: fc.record({ model: fc.constantFrom('k2', 'k3'), contextTokens: nat(5) }, { requiredKeys: [] }),
}, { requiredKeys: [] });

const appends: fc.Arbitrary<TranscriptOperation> = fc.record({
  op: fc.constant('append' as const), offset: nat(8), text,
  target: fc.oneof(taskIds.map((taskId) => ({ type: 'task' as const, taskId })), turnIds.chain((turnId) => stepIds(turnId).chain((stepId) => nat(2).map((n) => ({ type: 'frame' as const, turnId, stepId, frameId: `${stepId}.f${n + 1}` }))))),
});

/** Any operation but `reset`, over a few ids, so that operations meet; parents may be missing, offsets wrong, ordinals moved. */
export const anyChange: fc.Arbitrary<TranscriptOperation> = fc.oneof(
  { weight: 4, arbitrary: turnHeaders.map((turn) => ({ op: 'turn.upsert' as const, turn })) },
  { weight: 4, arbitrary: stepHeaders.map((step) => ({ op: 'step.upsert' as const, turnId: step.turnId, step })) },
  { weight: 6, arbitrary: turnIds.chain((turnId) => stepIds(turnId).chain((stepId) => frames(stepId).map((frame) => ({ op: 'frame.upsert' as const, turnId, stepId, frame })))) },
  { weight: 8, arbitrary: appends },
  { weight: 3, arbitrary: fc.record({ op: fc.constant('marker.upsert' as const), item: markers, beforeTurn: maybe(nat(8)) }) },
  { weight: 2, arbitrary: fc.record({ op: fc.constant('taskref.upsert' as const), item: taskRefs, beforeTurn: maybe(nat(8)) }) },
  { weight: 2, arbitrary: tasks.map((task) => ({ op: 'task.upsert' as const, task })) },
  { weight: 3, arbitrary: interactions.map((interaction) => ({ op: 'interaction.upsert' as const, interaction })) },
  { weight: 1, arbitrary: fc.record({ attachmentId: fc.constantFrom('att_1', 'att_2'), mediaType: fc.constantFrom('image/png', 'image/*') }).map((attachment) => ({ op: 'attachment.upsert' as const, attachment })) },
  { weight: 1, arbitrary: todos.map((todo) => ({ op: 'todo.upsert' as const, todo })) },
  { weight: 1, arbitrary: prompts.map((prompt) => ({ op: 'prompt.upsert' as const, prompt })) },
  { weight: 2, arbitrary: metas.map((meta) => ({ op: 'meta.merge' as const, meta })) },
  { weight: 2, arbitrary: fc.array(fc.oneof(turnIds, nat(4).map((n) => `m${n}`), taskIds.map((id) => `ref-${id}`)), { maxLength: 2 }).map((ids) => ({ op: 'items.remove' as const, ids })) },
);

/** A snapshot: what some changes come to. */
export const anySnapshot: fc.Arbitrary<AgentTranscriptSnapshot> = fc.array(anyChange, { maxLength: 25 }).map((ops) => ops.reduce(applyPlainly, emptyPlainState));

/** Any operation. */
export const anyOperation: fc.Arbitrary<TranscriptOperation> = fc.oneof({ weight: 30, arbitrary: anyChange }, { weight: 1, arbitrary: anySnapshot.map((snapshot) => ({ op: 'reset' as const, agentId: 'main', snapshot })) });

export const anyOperations = fc.array(anyOperation, { maxLength: 60, size: 'max' });

/** A copy as it arrives over a wire. */
export const overTheWire = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;
