import { type ContentPart, type Fact, type FactDraft, type ModelItem, factKey, factSchema } from '@tapefold/facts';
import fc from 'fast-check';

/** What a draft may refer to: the facts made so far on each tape. */
interface Told { readonly tape: string; readonly counts: Readonly<Record<string, number>> }
type Sentence = (told: Told) => FactDraft;

const text = fc.constantFrom('hi', '', ' ', 'a longer text '.repeat(30), '日本 😀', '<environment_context>x</environment_context>');
const callId = fc.constantFrom('c1', 'c2', 'c3', 'c 4', '__proto__');

const part: fc.Arbitrary<ContentPart> = fc.oneof(
  { weight: 5, arbitrary: text.map((words): ContentPart => ({ kind: 'text', text: words })) },
  fc.constantFrom<ContentPart>(
    { kind: 'image', source: { url: 'data:image/png;base64,aGk=' } }, { kind: 'image', source: { path: '/p.png' }, name: 'p' }, { kind: 'audio', source: { url: 'data:audio/wav;base64,aGk=' } },
    { kind: 'file', source: { fileId: 'f' } }, { kind: 'video', source: {} }, { kind: 'skill', name: 's', path: '/s' }, { kind: 'mention', name: 'm', path: '/m' }, { kind: 'encrypted', data: 'xx' }, { kind: 'other', raw: { type: 'new' } },
  ),
);
const parts = fc.array(part, { maxLength: 3 });
const native = fc.constantFrom<ModelItem['native']>(
  undefined, undefined, undefined, { dialect: 'codex', raw: { type: 'message', role: 'user', content: [] } }, { dialect: 'codex', raw: { type: 'function_call_output', call_id: 'c1', output: 'x' } },
  { dialect: 'claude', raw: { type: 'thinking', thinking: 't', signature: 's' } }, { dialect: 'codex', span: { tape: 'a', line: { offset: 0, length: 9 }, record: 0, path: ['x'] } }, { dialect: 'kimi', raw: 7 },
  { dialect: 'claude', raw: { type: 'tool_use', id: 'c1', name: 'n', input: {} } }, { dialect: 'claude', raw: { type: 'tool_result', tool_use_id: 'c1', content: 'x' } }, { dialect: 'claude', raw: { type: 'server_tool_use', id: 's' } },
  { dialect: 'codex', raw: { type: 'custom_tool_call', call_id: 'c2', name: 'n', input: 'x' } }, { dialect: 'codex', raw: { type: 'tool_search_call', call_id: 'c1', execution: 'client', arguments: {} } },
  { dialect: 'codex', raw: { type: 'tool_search_output', execution: 'server', tools: [] } },
);

/** Some entry of a history, whatever stands around it. */
export const modelItems: fc.Arbitrary<ModelItem> = fc.tuple(fc.oneof<fc.Arbitrary<ModelItem>[]>(
  fc.record({ kind: fc.constant('message' as const), role: fc.constantFrom('system' as const, 'developer' as const, 'user' as const, 'assistant' as const), content: parts, visibility: fc.constantFrom('shown' as const, 'injected' as const, 'control' as const, 'metering' as const) }),
  fc.record({ kind: fc.constant('agentMessage' as const), author: fc.constant('x'), recipient: fc.constant('y'), content: parts }),
  fc.record({ kind: fc.constant('reasoning' as const), summary: fc.array(text, { maxLength: 2 }), content: fc.array(text, { maxLength: 1 }), isEncrypted: fc.boolean() }),
  fc.record({ kind: fc.constant('call' as const), callId, name: fc.constantFrom('shell', 'apply_patch', 'a tool!', ''), input: fc.constantFrom('{"a":1}', '', '[1]', 'free text'), form: fc.constantFrom('json' as const, 'text' as const, 'server' as const) }),
  fc.record({ kind: fc.constant('call' as const), name: fc.constant('no_id'), input: fc.constant('{}'), form: fc.constantFrom('json' as const, 'server' as const) }),
  fc.record({ kind: fc.constant('result' as const), callId, output: parts }), fc.record({ kind: fc.constant('result' as const), output: parts, isError: fc.boolean() }),
  fc.record({ kind: fc.constant('media' as const), content: parts }), fc.record({ kind: fc.constant('summary' as const), text }),
  fc.record({ kind: fc.constant('compaction' as const), isEncrypted: fc.boolean() }), fc.record({ kind: fc.constant('other' as const), type: fc.constantFrom('ghost_snapshot', 'new', '') }),
), native).map(([item, own]) => (own ? { ...item, native: own } : item));

const range = fc.record({ tape: fc.constantFrom('a', 'a', 'b', 'ghost'), from: fc.nat({ max: 12 }), to: fc.nat({ max: 40 }) });
const ranges = fc.array(range, { minLength: 1, maxLength: 3 });
const key = ({ tape, counts }: Told, n: number): string => (n === 0 ? 'ghost#7' : factKey(tape, (counts[tape] ?? 0) - (n % ((counts[tape] ?? 0) + 1))));
const maybe = fc.option(fc.nat({ max: 12 }), { nil: undefined, freq: 3 });

const appended: fc.Arbitrary<Sentence> = fc.tuple(modelItems, maybe, maybe).map(([item, after, step]): Sentence => (told) => ({
  type: 'context.appended', item, ...(after === undefined ? {} : { after: key(told, after) }), ...(step === undefined ? {} : { step: key(told, step) }),
}));
const compacted: fc.Arbitrary<Sentence> = fc.tuple(fc.array(fc.oneof<fc.Arbitrary<ModelItem | { kind: 'kept'; entries: { tape: string; from: number; to: number } }>[]>(
  modelItems, range.map((entries) => ({ kind: 'kept' as const, entries })),
), { maxLength: 4 }), fc.constantFrom('list', 'away', 'none')).map(([replacement, form]): Sentence => () => ({
  type: 'context.compacted', summary: 's', ...(form === 'list' ? { replacement } : {}), ...(form === 'away' ? { replacementAt: { record: 0, path: ['l'], count: 2 } } : {}),
}));
const body = { kind: 'agentMessage' as const, text: 'hi' };
const sentences: fc.Arbitrary<Sentence> = fc.oneof(
  { weight: 12, arbitrary: appended },
  { weight: 2, arbitrary: compacted },
  { weight: 1, arbitrary: fc.constant<Sentence>(() => ({ type: 'context.cleared' })) },
  { weight: 1, arbitrary: fc.constantFrom('m1', 'm2').map((model): Sentence => () => ({ type: 'context.configured', model, cwd: '/w' })) },
  { weight: 3, arbitrary: ranges.map((context): Sentence => () => ({ type: 'history.superseded', reason: 'rollback', turns: [], context })) },
  { weight: 2, arbitrary: ranges.map((context): Sentence => () => ({ type: 'history.restored', reason: 'branch', turns: [], context })) },
  { weight: 2, arbitrary: maybe.map((n): Sentence => (told) => ({ type: 'item.completed', id: 'i1', body, visibility: 'shown', isAdded: false, ...(n === undefined ? {} : { context: key(told, n) }) })) },
  { weight: 1, arbitrary: maybe.map((n): Sentence => (told) => ({ type: 'input.received', id: 'u1', content: [{ kind: 'text', text: 'hi' }], visibility: 'shown', isAdded: false, ...(n === undefined ? {} : { context: key(told, n) }) })) },
);

/** Facts of a thread over two tapes, the second after the first; some are another agent's. All of them pass the schema. */
export const contextFacts: fc.Arbitrary<Fact[]> = fc.tuple(fc.array(fc.tuple(sentences, fc.nat({ max: 12 })), { maxLength: 40, size: 'max' }), fc.nat({ max: 40 })).map(([said, cut]) => {
  const counts: Record<string, number> = { a: 0, b: 0 };
  return said.map(([sentence, n], i): Fact => {
    const tape = i < cut ? 'a' : 'b';
    const ordinal = counts[tape] ?? 0;
    const fact = { ...sentence({ tape, counts }), tape, ordinal, line: { offset: ordinal * 10, length: 9 }, ...(n === 0 ? { agent: 'other' } : {}) };
    counts[tape] = ordinal + 1;
    return factSchema.parse(fact);
  });
});
