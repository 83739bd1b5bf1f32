import { type ContentPart, type Fact, type FactDraft, type FactKey, type ItemBody, type ItemStatus, factKey, factSchema } from '@tapefold/facts';
import fc from 'fast-check';

/** What a draft may refer to when it becomes a fact: keys of facts made so far, by what they are. */
interface Told {
  readonly turns: FactKey[];
  readonly inputs: FactKey[];
  readonly items: FactKey[];
  readonly steps: FactKey[];
}
type Sentence = (told: Told) => FactDraft;

const pick = (keys: readonly FactKey[], n: number): FactKey => keys[n % (keys.length + 1)] ?? 'ghost#7';
const ref = fc.nat({ max: 9 });
const turnId = fc.constantFrom('T1', 'T2', 'T3');
const itemId = fc.constantFrom('i1', 'i2', 'i3', 'i4');
const text = fc.constantFrom('', 'hello', 'two\nlines', '日本', '__proto__');
const optional = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> => fc.option(arbitrary, { nil: undefined });
const json = fc.jsonValue({ maxDepth: 1 }) as fc.Arbitrary<null>;
const status: fc.Arbitrary<ItemStatus> = fc.constantFrom('running', 'completed', 'failed', 'declined', 'interrupted', 'timedOut', 'cancelled');
const visibility = fc.constantFrom('shown', 'shown', 'shown', 'injected', 'control', 'metering');

const part: fc.Arbitrary<ContentPart> = fc.oneof(
  text.map((value): ContentPart => ({ kind: 'text', text: value })),
  fc.record({ kind: fc.constantFrom('image', 'audio', 'file', 'video'), source: fc.record({ url: optional(text), path: optional(text), fileId: optional(text) }) }) as fc.Arbitrary<ContentPart>,
  fc.constant<ContentPart>({ kind: 'other', raw: 1 }),
);

const body = fc.oneof(
  fc.record({ kind: fc.constant('agentMessage' as const), text, phase: optional(fc.constantFrom('commentary', 'finalAnswer')) }),
  fc.record({ kind: fc.constant('reasoning' as const), summary: fc.array(text, { maxLength: 2 }), content: fc.array(text, { maxLength: 2 }) }),
  fc.record({ kind: fc.constant('command' as const), command: fc.oneof(text, fc.array(text, { maxLength: 3 })), source: fc.constant('agent' as const), status, actions: fc.constant([]), output: optional(text) }),
  fc.record({ kind: fc.constant('fileChange' as const), changes: fc.array(fc.record({ path: text, kind: fc.constant('add' as const), diff: text }), { maxLength: 2 }), status }),
  fc.record({ kind: fc.constant('mcpCall' as const), server: text, tool: text, arguments: json, status }),
  fc.record({ kind: fc.constant('toolCall' as const), tool: text, arguments: json, status, output: optional(fc.array(part, { maxLength: 2 })) }),
  fc.record({ kind: fc.constant('agentCall' as const), tool: fc.constant('wait' as const), status, senderThreadId: text, receiverThreadIds: fc.array(text), agents: fc.constant({}) }),
  fc.record({ kind: fc.constant('webSearch' as const), query: text, status }),
  fc.record({ kind: fc.constant('imageGeneration' as const), status: text, extras: json }),
  fc.record({ kind: fc.constant('callOutput' as const), name: text, output: json }),
  fc.record({ kind: fc.constant('reviewExited' as const), explanation: optional(text), findings: fc.constant([]) }),
  fc.constantFrom<ItemBody>({ kind: 'compaction' }, { kind: 'plan', text: 'p' }, { kind: 'sleep', durationMs: 3 }, { kind: 'reviewEntered' }, { kind: 'imageView', path: '/p' }, { kind: 'hookPrompt', fragments: [] }),
) as fc.Arbitrary<ItemBody>;

const place = (told: Told, n: number | undefined): { place?: 'here' | { after: FactKey } } => (n === undefined ? {} : n === 0 ? { place: 'here' } : { place: { after: pick([...told.items, ...told.inputs], n) } });

/** An item, addressed by a turn's key, by a turn's id or not at all. */
const itemFact = fc.tuple(fc.constantFrom('item.started', 'item.completed'), itemId, body, visibility, fc.tuple(ref, fc.constantFrom('key', 'key', 'key', 'id', 'none'), turnId, optional(ref))).map(
  ([type, id, itemBody, visible, [n, address, nativeId, after]]): Sentence => (told) => ({
    type, id, body: itemBody, visibility: visible, isAdded: n === 0, ...place(told, after), ...(address === 'key' ? { turn: pick(told.turns, n) } : {}), ...(n % 3 === 0 ? { step: pick(told.steps, n) } : {}), ...(address === 'id' ? { turnId: nativeId } : {}),
  }) as FactDraft,
);
const itemChanged = fc.tuple(itemId, ref, fc.array(text, { maxLength: 2 }), optional(text), optional(visibility), optional(status)).map(
  ([id, n, texts, output, visible, newStatus]): Sentence => (told) => ({
    type: 'item.changed', id, turn: pick(told.turns, n), append: { summary: texts, content: texts, ...(output === undefined ? {} : { output, text: output, input: output }) }, visibility: visible, status: newStatus,
  }) as FactDraft,
);
const turnStarted = fc.tuple(turnId, fc.boolean(), fc.boolean()).map(([id, isImplicit, replacesOlder]): Sentence => () => ({ type: 'turn.started', id, isImplicit, replacesOlder, startedAt: 7 }));
const turnChanged = fc.tuple(ref, optional(fc.constantFrom('completed', 'failed'))).map(
  ([n, settlesAs]): Sentence => (told) => ({ type: 'turn.changed', turn: pick(told.turns, n), settlesAs, error: { message: 'perhaps' } }) as FactDraft,
);
const turnEnded = fc.tuple(ref, fc.constantFrom('completed', 'interrupted', 'failed')).map(
  ([n, ended]): Sentence => (told) => ({ type: 'turn.ended', ...(n === 9 ? { turnId: 'T1' } : { turn: pick(told.turns, n) }), status: ended, ...(ended === 'failed' ? { error: { message: 'no', code: 'other' } } : {}) }) as FactDraft,
);
const received = fc.tuple(itemId, fc.array(part, { maxLength: 2 }), visibility, fc.option(turnId, { nil: undefined, freq: 5 })).map(
  ([id, content, visible, nativeId]): Sentence => () => ({ type: 'input.received', id, content, visibility: visible, isAdded: false, ...(nativeId === undefined ? {} : { turnId: nativeId }) }),
);
const placed = fc.tuple(ref, ref, fc.constantFrom('opens', 'opens', 'steers', 'notifies', 'deferred', 'deferred', 'dropped', 'twin'), optional(ref)).map(
  ([n, m, as, after]): Sentence => (told) => ({
    type: 'input.placed', input: pick(told.inputs, n), as, ...(m === 9 ? {} : { turn: pick(told.turns, m) }), ...(as === 'deferred' ? { otherwise: m % 2 === 0 ? 'steers' : 'opens' } : {}),
    ...(after === undefined ? {} : { after: pick(told.items, after) }),
  }) as FactDraft,
);
const history = fc.tuple(fc.boolean(), fc.array(ref, { maxLength: 2 }), fc.array(ref, { maxLength: 1 }), optional(fc.tuple(fc.constantFrom('a', 'b'), ref, fc.nat({ max: 20 })))).map(
  ([isBack, turns, inputs, range]): Sentence => (told) => ({
    ...(isBack ? { type: 'history.restored', reason: 'branch' } : { type: 'history.superseded', reason: 'rollback' }), turns: turns.map((n) => pick(told.turns, n)),
    inputs: inputs.map((n) => pick(told.inputs, n)), items: inputs.map((n) => pick(told.items, n + 1)), steps: turns.slice(1).map((n) => pick(told.steps, n)), context: [],
    ...(range ? { facts: [{ tape: range[0], from: range[1], to: range[1] + range[2] }] } : {}),
  }) as FactDraft,
);
const task = { taskId: 't', kind: 'shell' as const };
const stepFact = fc.tuple(ref, ref, fc.constantFrom('start', 'start', 'end', 'retry'), fc.constantFrom('completed', 'interrupted', 'failed')).map(
  ([n, m, what, ended]): Sentence => (told) => (what === 'start' ? { type: 'step.started', turn: pick(told.turns, n) } : what === 'end'
    ? { type: 'step.ended', step: pick(told.steps, m), status: ended, ...(m % 2 === 0 ? { usage: { inputTokens: 9, cachedInputTokens: 2, outputTokens: m } } : {}) } : { type: 'step.retried', step: pick(told.steps, m), message: 'again' }) as FactDraft,
);
const callId = fc.constantFrom('i1', 'i2', 'c9');
const workFact = fc.tuple(ref, callId, fc.constantFrom('t', 'u'), fc.nat({ max: 11 })).map(([n, call, taskId, what]): Sentence => (told) => {
  const turn = pick(told.turns, n);
  const isEven = n % 2 === 0;
  const drafts: readonly FactDraft[] = [
    { type: 'interaction.requested', call, id: `a-${call}`, kind: isEven ? 'approval' : 'question', request: { questions: [{ question: 'Which?', options: [{ label: 'A' }] }] }, turn, at: '2026-01-01T00:00:00.000Z' },
    { type: 'interaction.resolved', call, id: `a-${call}`, outcome: isEven ? 'approved' : 'timedOut', turn },
    { type: 'task.started', task: { taskId, kind: 'subagent', startedAtMs: n, agentId: call }, ...(isEven ? { adopts: 'v' } : {}) }, { type: 'task.changed', task: { taskId: isEven ? 'v' : taskId, kind: 'other' }, outputTail: 'tail' },
    { type: 'task.ended', task: { taskId, kind: 'shell', endedAtMs: n }, status: isEven ? 'completed' : 'timedOut' }, { type: 'agent.described', agentId: taskId, parentCall: call, ...(isEven ? { swarmIndex: n } : {}) },
    { type: 'todo.replaced', call, entries: [{ title: `${n}`, status: isEven ? 'inProgress' : 'completed' }] }, { type: isEven ? 'mode.entered' : 'mode.exited', mode: n % 3 === 0 ? 'swarm' : 'plan' },
    { type: 'plan.revised', planId: 'p', version: n, key: `plan/p/v${n}.md` }, { type: 'notice.posted', level: 'info', code: isEven ? 'skill' : 'interruption', text: '', details: { n }, turn },
    { type: 'context.appended', turn, call, item: isEven ? { kind: 'call', callId: call, name: 'tool', input: '{"a":1}', form: 'json' } : { kind: 'result', callId: call, output: [] }, ...(n % 3 === 0 ? { shows: pick(told.items, n) } : {}) },
    { type: 'prompt.taken', promptId: taskId, how: isEven ? 'turn' : 'steer', ...(n % 3 === 0 ? { turn } : {}) },
  ];
  return drafts[what] as FactDraft;
});
const others = fc.tuple(ref, fc.constantFrom<(turn: FactKey) => FactDraft>(
  () => ({ type: 'thread.opened', threadId: 'thread', sessionId: 'thread', program: 'codex', origin: { kind: 'cli' }, historyMode: 'legacy', details: { cwd: '/w' } }),
  () => ({ type: 'thread.opened', threadId: 'fork', sessionId: 'fork', program: 'kimi', origin: { kind: 'subAgent', role: 'other' }, historyMode: 'paginated', details: { firstPrompt: 'b' } }),
  () => ({ type: 'thread.changed', details: { name: 'n', firstPrompt: 'first' } }), () => ({ type: 'thread.linked', relation: 'forkOf', threadId: 'x' }),
  () => ({ type: 'thread.based', base: { tape: 'a' }, reason: 'fork' }), () => ({ type: 'agent.described', agentId: 'a' }), () => ({ type: 'agent.disposed', agentId: 'a' }),
  (turn) => ({ type: 'turn.replaced', turn, by: turn }), (turn) => ({ type: 'step.started', turn }), (turn) => ({ type: 'step.ended', step: turn, status: 'completed' }), (turn) => ({ type: 'step.retried', step: turn }),
  () => ({ type: 'interaction.requested', id: '__proto__', kind: 'approval', request: null }), () => ({ type: 'interaction.resolved', id: '__proto__', outcome: 'approved' }),
  () => ({ type: 'task.started', task }), () => ({ type: 'task.changed', task }), () => ({ type: 'task.ended', task, status: 'lost' }), () => ({ type: 'todo.replaced', entries: [] }),
  () => ({ type: 'plan.revised', planId: 'p' }), () => ({ type: 'goal.set', objective: 'g' }), () => ({ type: 'goal.cleared' }), () => ({ type: 'mode.entered', mode: 'm' }), () => ({ type: 'mode.exited', mode: 'm' }),
  () => ({ type: 'prompt.queued', promptId: 'p' }), () => ({ type: 'prompt.taken', promptId: 'p', how: 'turn' }), () => ({ type: 'prompt.ended', promptId: 'p', status: 'dropped' }),
  (turn) => ({ type: 'usage.recorded', turn, usage: { inputTokens: 3 } }), () => ({ type: 'media.referenced', key: 'k' }), () => ({ type: 'context.appended', item: { kind: 'summary', text: 's' } }),
  (turn) => ({ type: 'context.compacted', turn, summary: 's' }), () => ({ type: 'context.cleared' }), () => ({ type: 'context.configured' }),
  () => ({ type: 'realtime.recorded', id: 'r', kind: 'frame', raw: null }), () => ({ type: 'notice.posted', level: 'info', code: 'c', text: 't' }), () => ({ type: 'record.unknown', recordType: 'x', why: 'type' }),
  () => ({ type: 'record.damaged', reason: 'invalidJson', excerpt: '' }), () => ({ type: 'record.repaired', repairs: [] }),
)).map(([n, make]): Sentence => (told) => make(pick(told.turns, n)));

const sentence = fc.oneof(
  { weight: 3, arbitrary: turnStarted }, { weight: 2, arbitrary: turnEnded }, { weight: 1, arbitrary: turnChanged }, { weight: 6, arbitrary: itemFact }, { weight: 3, arbitrary: itemChanged }, { weight: 3, arbitrary: received },
  { weight: 3, arbitrary: placed }, { weight: 2, arbitrary: history }, { weight: 5, arbitrary: others }, { weight: 2, arbitrary: stepFact }, { weight: 4, arbitrary: workFact },
);

function remember(told: Told, fact: Fact): void {
  const key = factKey(fact.tape, fact.ordinal);
  if (fact.type === 'turn.started') told.turns.unshift(key);
  if (fact.type === 'step.started') told.steps.unshift(key);
  if (fact.type === 'input.received') told.inputs.unshift(key);
  if (fact.type === 'item.started' || fact.type === 'item.completed') told.items.unshift(key);
}

/** Schema-valid facts of one thread: the first `cut` on tape `a`, the rest on tape `b`, which goes on from it. Every family occurs; references point at what was told, or at nothing. */
export const threadFacts: fc.Arbitrary<readonly Fact[]> = fc.tuple(fc.array(sentence, { maxLength: 40 }), fc.nat({ max: 40 })).map(([sentences, cut]) => {
  const told: Told = { turns: [], inputs: [], items: [], steps: [] };
  return sentences.map((say, i) => {
    const isBase = i < cut;
    const fact = factSchema.parse(JSON.parse(JSON.stringify({ ...say(told), tape: isBase ? 'a' : 'b', ordinal: isBase ? i : i - cut, line: { offset: i, length: 1 } })));
    remember(told, fact);
    return fact;
  });
});
