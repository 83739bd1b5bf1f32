import type { ContentPart, JsonValue, ModelItem } from '@tapefold/facts';
import { describe, expect, it } from 'vitest';
import { estimateHistoryTokens, estimateImageTokens, estimateItemTokens } from './estimate.js';
import { UNKNOWN_OUTCOME, plainProfile } from './normalise/profile.js';
import { claudeProfile } from './profiles/claude.js';
import { codexProfile } from './profiles/codex.js';
import { appended, call, historyAfter, result, said } from './sketch.suite.js';
import { type DerivedRequest, deriveRequest } from './request.js';
import type { RequestProfile } from './normalise/profile.js';
import type { ContextReader } from './resolve.js';

const nothing: ContextReader = { value: () => undefined };
const request = (items: readonly ModelItem[], profile: RequestProfile, reader = nothing): DerivedRequest => deriveRequest(historyAfter(items.map((item) => appended(item))), { profile, reader });
const bodyOf = (items: readonly ModelItem[], profile: RequestProfile): DerivedRequest['body'] => request(items, profile).body;
const text = (words: string): ContentPart => ({ kind: 'text', text: words });
const image: ContentPart = { kind: 'image', source: { url: 'data:image/png;base64,aGk=' } };

describe('[R-CTX-4] every call has its result', () => {
  const dangling = [said('user', 'go'), call('c1'), call('c2'), result('c2', 'ok'), said('user', 'on')];
  it('a missing one is made up directly behind its call, the same each time', () => {
    expect(bodyOf(dangling, plainProfile('responses'))).toEqual({ input: [
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'go' }] }, { type: 'function_call', call_id: 'c1', name: 'shell', arguments: '{}' },
      { type: 'function_call_output', call_id: 'c1', output: UNKNOWN_OUTCOME }, { type: 'function_call', call_id: 'c2', name: 'shell', arguments: '{}' },
      { type: 'function_call_output', call_id: 'c2', output: 'ok' }, { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'on' }] },
    ] });
  });
  it('the program decides what it says, or that the call goes', () => {
    expect(JSON.stringify(bodyOf(dangling, codexProfile('responses')))).toContain('"call_id":"c1","output":"aborted"');
    expect(request(dangling, claudeProfile('anthropic')).leftOut.map(({ entry, reason }) => [entry.key, reason])).toEqual([['a#1', 'unansweredCall']]);
  });
  it('a result without its call goes', () => {
    const { items, leftOut } = request([result('x', 'late'), said('user', 'q')], plainProfile('chat'));
    expect(items).toHaveLength(1);
    expect(leftOut.map(({ entry, reason }) => [entry.key, reason])).toEqual([['a#0', 'orphanResult']]);
  });
  it('a search for tools gets an empty list', () => {
    const search: ModelItem = { kind: 'call', callId: 't', name: 'tool_search', input: '{}', form: 'json', native: { dialect: 'codex', raw: { type: 'tool_search_call', call_id: 't', execution: 'client', arguments: {} } } };
    expect(bodyOf([search], codexProfile('responses'))).toEqual({ input: [
      { type: 'tool_search_call', call_id: 't', execution: 'client', arguments: {} }, { type: 'tool_search_output', call_id: 't', status: 'completed', execution: 'client', tools: [] },
    ] });
  });
});

describe('[R-CTX-4] media and outputs', () => {
  it('what the model does not read becomes a text that says so', () => {
    const profile: RequestProfile = { ...plainProfile('responses'), accepts: { image: false, audio: false, video: false, file: false } };
    expect(bodyOf([{ kind: 'media', content: [image, { kind: 'audio', source: {} }] }], profile)).toEqual({ input: [{ type: 'message', role: 'user', content: [
      { type: 'input_text', text: 'image content omitted because you do not support image input' }, { type: 'input_text', text: 'audio content omitted because you do not support audio input' },
    ] }] });
  });
  it('keeps a native record around what was changed in it', () => {
    const native = { dialect: 'codex', raw: { type: 'function_call_output', id: 'fco_1', call_id: 'c1', output: [{ type: 'input_image', image_url: 'data:x' }] } as JsonValue };
    const answered: ModelItem = { kind: 'result', callId: 'c1', output: [image], native };
    const profile: RequestProfile = { ...codexProfile('responses'), accepts: { image: false, audio: false, video: false, file: false } };
    const { input } = bodyOf([call('c1'), answered], profile) as { input: unknown[] };
    expect(input[1]).toEqual({ type: 'function_call_output', id: 'fco_1', call_id: 'c1', output: 'image content omitted because you do not support image input' });
  });
  it('a native record is sent as it is, without what the program keeps for itself', () => {
    const raw = { type: 'message', id: 'm', role: 'user', content: [{ type: 'input_text', text: 'q', extra: 1 }], internal_chat_message_metadata_passthrough: { turn_id: 't' } };
    const { internal_chat_message_metadata_passthrough: _, ...sent } = raw;
    expect(bodyOf([{ ...said('user', 'q'), native: { dialect: 'codex', raw } } as ModelItem], codexProfile('responses'))).toEqual({ input: [sent] });
  });
  it('is read from where it stands, where the fact only points to it', () => {
    const span = { tape: 'a', line: { offset: 0, length: 9 }, record: 0, path: ['payload'] };
    const reader: ContextReader = { value: (place) => (place.path[0] === 'payload' ? { type: 'message', role: 'user', content: [] } : undefined) };
    expect(request([{ ...said('user', 'q'), native: { dialect: 'codex', span } } as ModelItem], codexProfile('responses'), reader).body).toEqual({ input: [{ type: 'message', role: 'user', content: [] }] });
  });
  it('cuts outputs by the policy of the profile', () => {
    const { input } = bodyOf([call('c1'), result('c1', 'abcdefghij')], { ...plainProfile('responses'), output: { unit: 'bytes', limit: 4 } }) as { input: { output?: string }[] };
    expect(input[1]?.output).toBe('Warning: truncated output (original token count: 3)\nTotal output lines: 1\n\nab…6 chars truncated…ij');
  });
});

describe('[R-CTX-6] three wires', () => {
  const thinking: ModelItem = { kind: 'reasoning', summary: ['hm'], content: [], isEncrypted: true, native: { dialect: 'codex', raw: { type: 'reasoning', summary: [], encrypted_content: 'x' } } };
  const history = [
    said('developer', 'rules', 'injected'), said('user', 'go'), thinking, said('assistant', 'I look.'), call('c1'), call('c1', 'apply_patch'), result('c1', 'one'), result('c1', 'two'),
    { kind: 'message' as const, role: 'user' as const, content: [text('see '), image], visibility: 'shown' as const }, said('assistant', 'done'),
  ];
  it('Anthropic: turns, results first, unique ids, system in front', () => {
    expect(bodyOf(history, plainProfile('anthropic'))).toEqual({
      system: [{ type: 'text', text: 'rules' }],
      messages: [
        { role: 'user', content: [{ type: 'text', text: 'go' }] },
        { role: 'assistant', content: [{ type: 'text', text: 'I look.' }, { type: 'tool_use', id: 'c1', name: 'shell', input: {} }, { type: 'tool_use', id: 'c1-2', name: 'apply_patch', input: {} }] },
        { role: 'user', content: [
          { type: 'tool_result', tool_use_id: 'c1', content: [{ type: 'text', text: 'one' }] }, { type: 'tool_result', tool_use_id: 'c1-2', content: [{ type: 'text', text: 'two' }] },
          { type: 'text', text: 'see ' }, { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'aGk=' } },
        ] },
        { role: 'assistant', content: [{ type: 'text', text: 'done' }] },
      ],
    });
  });
  it('Chat Completions: one message an answer, results at once behind it', () => {
    const calls = [{ id: 'c1', type: 'function', function: { name: 'shell', arguments: '{}' } }, { id: 'c1-2', type: 'function', function: { name: 'apply_patch', arguments: '{}' } }];
    expect(bodyOf(history, plainProfile('chat'))).toEqual({ messages: [
      { role: 'system', content: 'rules' }, { role: 'user', content: 'go' }, { role: 'assistant', content: 'I look.', tool_calls: calls }, { role: 'tool', tool_call_id: 'c1', content: 'one' },
      { role: 'tool', tool_call_id: 'c1-2', content: 'two' }, { role: 'user', content: [{ type: 'text', text: 'see ' }, { type: 'image_url', image_url: { url: 'data:image/png;base64,aGk=' } }] }, { role: 'assistant', content: 'done' },
    ] });
  });
  it('what only another provider reads is left out and says so', () => {
    const other: ModelItem = { kind: 'other', type: 'new', native: { dialect: 'codex', raw: { type: 'new' } } };
    expect(request([thinking, other], plainProfile('anthropic')).leftOut.map(({ reason }) => reason)).toEqual(['otherProvider', 'otherProvider']);
    expect(bodyOf([thinking, other], codexProfile('responses'))).toEqual({ input: [{ type: 'reasoning', summary: [], encrypted_content: 'x' }, { type: 'new' }] });
    expect(request([{ kind: 'other', type: 'ghost_snapshot', native: { dialect: 'codex', raw: { type: 'ghost_snapshot' } } }], codexProfile('responses')).leftOut[0]?.reason).toBe('neverSent');
  });
  it('a result that comes after the next answer still stands behind its call', () => {
    const late = [said('user', 'go'), call('c1'), said('assistant', 'meanwhile'), said('user', 'and?'), result('c1', 'late')];
    expect(bodyOf(late, plainProfile('anthropic'))).toMatchObject({ messages: [{ role: 'user' }, { role: 'assistant' }, { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1' }, { type: 'text', text: 'and?' }] }] });
  });
  it('begins with a user, and an empty history is empty', () => {
    expect(bodyOf([said('assistant', 'hello')], plainProfile('anthropic'))).toMatchObject({ messages: [{ role: 'user' }, { role: 'assistant' }] });
    expect(bodyOf([], plainProfile('anthropic'))).toEqual({ system: [], messages: [] });
  });
});

describe('[R-CTX-4] token estimates', () => {
  const encrypted: ModelItem = { kind: 'reasoning', summary: [], content: [], isEncrypted: true, native: { dialect: 'codex', raw: { encrypted_content: 'x'.repeat(4_000) } } };
  it('of items: text, pictures, encrypted thinking', () => {
    expect([said('user', 'abcde'), { kind: 'media' as const, content: [image] }, encrypted, call('c')].map(estimateItemTokens)).toEqual([2, Math.ceil(7_373 / 4), Math.ceil((3_000 - 650) / 4), 2]);
    expect(estimateImageTokens({ widthPx: 1_024, heightPx: 33 })).toBe(64);
    expect(estimateImageTokens({ widthPx: 99_999, heightPx: 99_999 })).toBe(10_000);
  });
  it('of a history: what the server counted, and what came since', () => {
    const history = [encrypted, said('user', 'abcd'), said('assistant', 'efgh'), said('user', 'ijkl')];
    expect(estimateHistoryTokens(history)).toBe(588 + 3);
    expect(estimateHistoryTokens(history, { usage: { totalTokens: 100 }, hasReasoning: true })).toBe(101);
    expect(estimateHistoryTokens(history, { usage: { inputTokens: 80, outputTokens: 20 }, hasReasoning: false })).toBe(101 + 588);
  });
});
