import { type CodexRecordLine, enveloped, eventRecord, fileOf, itemRecord, messageRecord, metaRecord, playAll, responseRecord, said } from '@tapefold/testing';
import { describe, expect, it } from 'vitest';
import { createCodexPlayer } from './player.js';

const play = (records: readonly CodexRecordLine[]) => playAll(() => createCodexPlayer({ tape: 'codex/tape' }), fileOf(records));
/** Facts behind `thread.opened`. */
const facts = (...records: readonly CodexRecordLine[]) => said(play([metaRecord(), ...records]).facts).slice(1);
const started = eventRecord('task_started', { turn_id: 'T1' });
const T1 = { type: 'turn.started', id: 'T1', isImplicit: false, replacesOlder: false };
const item = (id: string, body: object, more: object = {}) => ({ type: 'item.completed', turn: '#1', id, body, visibility: 'shown', isAdded: false, ...more });
const named = (id: string, body: object, more: object = {}) => item(id, body, { call: id, ...more });

describe('event log, what each event says (codex-history §2.4, §3)', () => {
  it('a turn with everything that a person and the agent say', () => {
    expect(facts(
      eventRecord('task_started', { turn_id: 'T1', started_at: 5, root_turn_id: 'R' }), messageRecord('user', 'hi'),
      eventRecord('user_message', {
        message: 'hi', client_id: 'cl', images: ['data:x'], image_details: ['low'], local_images: ['/a.png'], audio: ['data:a'], local_audio: ['/b.wav'], text_elements: [{ byte_range: { start: 0, end: 2 }, placeholder: 'p' }],
      }),
      eventRecord('agent_reasoning', { text: 'r1' }), eventRecord('agent_reasoning', { text: 'r2' }), eventRecord('agent_reasoning_raw_content', { text: 'raw' }), eventRecord('agent_reasoning', { text: '' }),
      eventRecord('agent_message', { message: 'a', phase: 'final_answer', memory_citation: { entries: [{ path: 'p', lineStart: 1, lineEnd: 2, note: 'n' }], rolloutIds: ['x'] } }), eventRecord('agent_message', { message: '' }),
      messageRecord('assistant', 'a'), eventRecord('task_complete', { turn_id: 'T1', last_agent_message: 'a', completed_at: 9, duration_ms: 4000, time_to_first_token_ms: 12 }),
    )).toEqual([
      { ...T1, startedAt: 5, rootTurnId: 'R' },
      { type: 'context.appended', turn: '#1', item: { kind: 'message', role: 'user', content: [{ kind: 'text', text: 'hi' }], visibility: 'shown' } },
      {
        type: 'input.received', turn: '#1', id: 'item-1', clientId: 'cl', visibility: 'shown', isAdded: false, context: '#2',
        content: [
          { kind: 'text', text: 'hi', elements: [{ byteStart: 0, byteEnd: 2, placeholder: 'p' }] }, { kind: 'image', source: { url: 'data:x' }, detail: 'low' }, { kind: 'image', source: { path: '/a.png' } },
          { kind: 'audio', source: { url: 'data:a' } }, { kind: 'audio', source: { path: '/b.wav' } },
        ],
      },
      { type: 'input.placed', turn: '#1', input: '#3', as: 'opens' },
      { type: 'thread.changed', details: { firstPrompt: 'hi' } },
      item('item-2', { kind: 'reasoning', summary: ['r1'], content: [] }),
      { type: 'item.changed', turn: '#1', id: 'item-2', append: { summary: ['r2'] } },
      { type: 'item.changed', turn: '#1', id: 'item-2', append: { content: ['raw'] } },
      item('item-3', { kind: 'agentMessage', text: 'a', phase: 'finalAnswer', citation: { entries: [{ path: 'p', lineStart: 1, lineEnd: 2, note: 'n' }], threadIds: ['x'] } }),
      { type: 'context.appended', turn: '#1', item: { kind: 'message', role: 'assistant', content: [{ kind: 'text', text: 'a' }], visibility: 'shown' }, shows: '#9' },
      { type: 'turn.ended', turn: '#1', status: 'completed', completedAt: 9, durationMs: 4000, timeToFirstTokenMs: 12 },
    ]);
  });

  it('patches, tools, searches, images, agents, reviews, compactions, plans', () => {
    expect(facts(
      started,
      eventRecord('patch_apply_end', { call_id: 'p', turn_id: 'T1', stdout: '', stderr: '', success: true, status: 'completed', changes: { b: { type: 'delete', content: 'gone' }, a: { type: 'update', unified_diff: '@@', move_path: 'c' } } }),
      eventRecord('mcp_tool_call_end', { call_id: 'm', invocation: { server: 's', tool: 't', arguments: { a: 1 } }, duration: { secs: 1, nanos: 999_999 }, result: { Err: 'no' } }),
      eventRecord('mcp_tool_call_end', {
        call_id: 'm2', invocation: { server: 's', tool: 't' }, duration: { secs: 0, nanos: 5_000_000 }, result: { Ok: { content: [{ type: 'text', text: 'x' }], isError: true } }, connector_id: 'con', read_only_hint: true,
      }),
      eventRecord('web_search_end', { call_id: 'w', query: 'q', action: { type: 'find_in_page', url: 'u', pattern: 'p' } }), eventRecord('image_generation_end', { call_id: 'i', status: 'completed', revised_prompt: 'rp', result: 'b64', saved_path: '/s' }),
      eventRecord('sub_agent_activity', { event_id: 'e', occurred_at_ms: 77, agent_thread_id: 'A', agent_path: '/root/a', kind: 'interacted', model: 'm' }),
      eventRecord('entered_review_mode', { target: { type: 'uncommittedChanges' }, user_facing_hint: 'h' }),
      eventRecord('exited_review_mode', { review_output: { overall_explanation: 'e', findings: [{ title: 't', body: 'b', code_location: { absolute_file_path: '/f', line_range: { start: 1, end: 2 } } }] } }),
      eventRecord('context_compacted'), itemRecord('T1', { type: 'Plan', id: 'pl', text: 'plan' }), itemRecord('T1', { type: 'FunctionCallOutput', id: 'fo', name: 'n', output: 'o' }), itemRecord('T1', { type: 'Extension', kind: 'clock.sleep', id: 'sl', durationMs: 5 }),
      itemRecord('T1', { type: 'AgentMessage', id: 'no', content: [] }), eventRecord('turn_aborted', { reason: 'interrupted', completed_at: 8, duration_ms: 1 }),
    )).toEqual([
      T1,
      named('p', { kind: 'fileChange', changes: [{ path: 'b', kind: 'delete', diff: 'gone' }, { path: 'a', kind: 'update', movePath: 'c', diff: '@@' }], status: 'completed' }),
      named('m', { kind: 'mcpCall', server: 's', tool: 't', arguments: { a: 1 }, status: 'failed', durationMs: 1000, error: 'no' }),
      named('m2', {
        kind: 'mcpCall', server: 's', tool: 't', arguments: null, status: 'failed', durationMs: 5, result: { content: [{ type: 'text', text: 'x' }], structuredContent: null, meta: null }, isReadOnly: true, app: { connectorId: 'con' },
      }),
      named('w', { kind: 'webSearch', query: 'q', action: { kind: 'findInPage', url: 'u', pattern: 'p' }, status: 'completed' }),
      named('i', { kind: 'imageGeneration', status: 'completed', revisedPrompt: 'rp', result: 'b64', savedPath: '/s' }),
      named('e', { kind: 'agentActivity', activity: 'interacted', agentThreadId: 'A', agentPath: '/root/a', model: 'm' }, { completedAtMs: 77 }),
      item('item-1', { kind: 'reviewEntered', hint: 'h' }),
      item('item-2', { kind: 'reviewExited', explanation: 'e', findings: [{ title: 't', body: 'b', path: '/f', startLine: 1, endLine: 2 }] }),
      item('item-3', { kind: 'compaction' }),
      named('pl', { kind: 'plan', text: 'plan' }), named('fo', { kind: 'callOutput', name: 'n', output: 'o' }), named('sl', { kind: 'sleep', durationMs: 5 }),
      { type: 'turn.ended', turn: '#1', status: 'interrupted', reason: 'interrupted', completedAt: 8, durationMs: 1 },
    ]);
  });

  it('what concerns the thread and not a turn; what is left out says why', () => {
    const { facts: all, ledger } = play([
      metaRecord(),
      eventRecord('token_count', { info: { total_token_usage: { total_tokens: 9 }, last_token_usage: { input_tokens: 1, cached_input_tokens: 2, output_tokens: 3, reasoning_output_tokens: 4, total_tokens: 5 }, model_context_window: 100 }, rate_limits: null }),
      eventRecord('token_count', { info: null }), eventRecord('thread_goal_updated', { goal: { objective: 'o', status: 'active', tokens_used: 3 } }),
      eventRecord('thread_settings_applied', { thread_settings: { model: 'm2', collaboration_mode: { settings: { reasoning_effort: 'high' } } } }),
      enveloped('turn_context', { cwd: '/w', approval_policy: 'never', sandbox_policy: { type: 'read-only' }, model: 'm3', effort: 'low' }), enveloped('turn_context', { cwd: '/w', approval_policy: 'never', sandbox_policy: { type: 'read-only' }, model: 'm3', effort: 'low' }),
      enveloped('token_usage_record', { response_id: 'r', usage: { input_tokens: 1 }, thread_token_usage: { total_tokens: 2 } }), enveloped('inter_agent_communication', { author: 'a', recipient: 'b', content: 'c' }),
      eventRecord('warning', { message: 'w' }), eventRecord('error', { message: 'bad', codex_error_info: 'other' }), eventRecord('plan_update', { explanation: 'x', plan: [{ step: 's', status: 'in_progress' }] }), eventRecord('thread_name_updated', { thread_name: 'nm' }),
      enveloped('world_state', {}), eventRecord('turn_diff'), eventRecord('tomorrow'), enveloped('tomorrow', {}), eventRecord('agent_message', { message: 1 }), eventRecord('task_started'), { type: 'event_msg' }, metaRecord({ id: 'second' }),
    ]);
    const config = { type: 'context.configured', cwd: '/w', model: 'm3', effort: 'low', approvalPolicy: 'never', sandboxPolicy: { type: 'read-only' } };
    expect(said(all).slice(1)).toEqual([
      { type: 'usage.recorded', usage: { inputTokens: 1, cachedInputTokens: 2, outputTokens: 3, reasoningTokens: 4, totalTokens: 5 }, total: { totalTokens: 9 }, contextWindow: 100 },
      { type: 'goal.set', objective: 'o', status: 'active', budgetUsed: 3 }, { type: 'thread.changed', details: { goal: 'o' } },
      { type: 'thread.changed', details: { model: 'm2', effort: 'high' } },
      config, { type: 'thread.changed', details: { model: 'm3', effort: 'low' } }, config,
      { type: 'usage.recorded', responseId: 'r', usage: { inputTokens: 1 }, total: { totalTokens: 2 } },
      { type: 'context.appended', item: { kind: 'agentMessage', author: 'a', recipient: 'b', content: [{ kind: 'text', text: 'c' }] } },
      { type: 'notice.posted', level: 'warning', code: 'warning', text: 'w' }, { type: 'notice.posted', level: 'error', code: 'error', text: 'bad', details: 'other' },
      { type: 'todo.replaced', explanation: 'x', entries: [{ title: 's', status: 'inProgress' }] }, { type: 'thread.changed', details: { name: 'nm' } },
      { type: 'record.unknown', recordType: 'event_msg/tomorrow', why: 'type' }, { type: 'record.unknown', recordType: 'tomorrow', why: 'type' },
      { type: 'record.unknown', recordType: 'event_msg/agent_message', why: 'shape', field: 'message' }, { type: 'record.unknown', recordType: 'event_msg/task_started', why: 'shape', field: 'turn_id' },
      { type: 'record.unknown', recordType: 'event_msg', why: 'type', field: 'payload' },
    ]);
    expect(ledger).toMatchObject({ linesTotal: 21, linesPlayed: 13, linesIgnored: 3, linesUnknown: 5, linesDamaged: 0, linesBlank: 0 });
    expect(ledger.types).toMatchObject({ world_state: { ignored: 1 }, 'event_msg/turn_diff': { ignored: 1 }, session_meta: { played: 1, ignored: 1 }, tomorrow: { unknown: 1 } });
  });
});

describe('turns and rollbacks (§3, §5)', () => {
  const words = (n: number) => [messageRecord('user', `q${n}`), eventRecord('user_message', { message: `q${n}` }), eventRecord('agent_message', { message: `a${n}` })];
  const shape = (...records: readonly CodexRecordLine[]) => facts(...records).filter((fact) => !['context.appended', 'thread.changed', 'input.placed'].includes((fact as { type: string }).type)).map((fact) => {
    const { type, id, turn, turns, status } = fact as { type: string; id?: string; turn?: string; turns?: string[]; status?: string };
    return [type, ...[id, turn, turns?.join(), status].filter((part) => part !== undefined)].join(' ');
  });

  it('[R-DIA-1] a message without a turn opens rollout-<n>; ids are counted anew after a rollback', () => {
    expect(shape(...words(1), ...words(2), eventRecord('thread_rolled_back', { num_turns: 1 }), ...words(3))).toEqual([
      // The first message waits until an event tells that there are any, and then turns out to be its twin.
      'input.received line@262.0', 'turn.started rollout-2', 'input.received item-1 #4', 'item.completed item-2 #4', 'turn.started rollout-5', 'input.received item-3 #10', 'item.completed item-4 #10', 'history.superseded #10',
      'turn.started rollout-9', 'input.received item-3 #16', 'item.completed item-4 #16',
    ]);
  });

  it('[R-THR-4] screen and model lose different things: a turn without words, a steer', () => {
    expect(facts(started, ...words(1), eventRecord('task_started', { turn_id: 'T2' }), eventRecord('thread_rolled_back', { num_turns: 1 })).at(-1)).toEqual({ type: 'history.superseded', reason: 'rollback', turns: ['#7'], context: [{ from: 2, to: 8 }] });
    expect(facts(started, ...words(1), ...words(2), eventRecord('thread_rolled_back', { num_turns: 1 })).at(-1)).toEqual({ type: 'history.superseded', reason: 'rollback', turns: ['#1'], context: [{ from: 7, to: 11 }] });
  });

  it('more turns than there are: all; none: only closes', () => {
    expect(shape(started, ...words(1), eventRecord('thread_rolled_back', { num_turns: 99 }), ...words(2)).slice(-4)).toEqual(['history.superseded #1', 'turn.started rollout-7', 'input.received item-1 #9', 'item.completed item-2 #9']);
    expect(shape(started, ...words(1), eventRecord('thread_rolled_back', { num_turns: 0 }), eventRecord('agent_message', { message: 'x' })).slice(-2)).toEqual(['turn.started rollout-6', 'item.completed item-3 #7']);
  });

  it('an end names its turn, else means the open one; an interrupted turn stays interrupted; an error is kept', () => {
    expect(facts(started, eventRecord('turn_aborted', { turn_id: 'T1', reason: 'replaced' }), eventRecord('task_complete', { turn_id: 'T1' }), eventRecord('task_started', { turn_id: 'T2' }), eventRecord('task_complete', {
      turn_id: 'unknown', error: { message: 'm', codex_error_info: { http_connection_failed: { http_status_code: 500 } } },
    }))).toEqual([
      T1, { type: 'turn.ended', turn: '#1', status: 'interrupted', reason: 'replaced' }, { type: 'turn.ended', turn: '#1', status: 'interrupted' },
      { type: 'turn.started', id: 'T2', isImplicit: false, replacesOlder: false },
      { type: 'turn.ended', turn: '#4', status: 'failed', error: { message: 'm', kind: 'http_connection_failed', code: { http_connection_failed: { http_status_code: 500 } } } },
    ]);
  });

  it('a record of an older turn stands in it; one of an unknown turn nowhere', () => {
    const patch = (turn_id: string) => eventRecord('patch_apply_end', { call_id: 'p', turn_id, stdout: '', stderr: '', success: true, status: 'completed', changes: {} });
    expect(shape(started, eventRecord('task_complete', { turn_id: 'T1' }), eventRecord('task_started', { turn_id: 'T2' }), patch('T1'), patch('nowhere'))).toEqual([
      'turn.started T1', 'turn.ended #1 completed', 'turn.started T2', 'item.completed p #1',
    ]);
  });

  it('nothing links to what a rollback took: the same words asked again are new ones', () => {
    const again = facts(started, ...words(1), eventRecord('thread_rolled_back', { num_turns: 1 }), messageRecord('assistant', 'a1'), eventRecord('user_message', { message: 'q1' }));
    expect(again.at(-4)).not.toHaveProperty('shows');
    expect(again.at(-2)).not.toHaveProperty('context');
  });
});

describe('hook prompts', () => {
  const hook = (id?: string) => responseRecord('message', { role: 'user', content: [{ type: 'input_text', text: '<hook_prompt hook_run_id="h&quot;1">do &lt;b&gt; &amp; &#65;&#x42;</hook_prompt> <hook_prompt hook_run_id="h2">x</hook_prompt>' }], ...(id ? { id } : {}) });

  it('[D-10] have the same id at each reading, whatever else is read before; the message id where there is one', () => {
    const [prompt] = facts(started, hook()).slice(-1) as [{ id: string }];
    expect(prompt).toEqual(named(prompt.id, { kind: 'hookPrompt', fragments: [{ hookRunId: 'h"1', text: 'do <b> & AB' }, { hookRunId: 'h2', text: 'x' }] }, { context: '#2' }));
    expect(prompt.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(facts(started, hook()).at(-1)).toEqual(prompt);
    expect(facts(started, hook(), hook()).filter((fact) => (fact as { type: string }).type === 'item.completed').map((fact) => (fact as { id: string }).id)).toEqual([prompt.id, expect.not.stringMatching(prompt.id)]);
    expect(facts(started, hook('msg')).at(-1)).toMatchObject({ id: 'msg' });
  });

  it('take no number but count as an item', () => {
    expect(facts(started, hook('msg'), eventRecord('agent_message', { message: 'a' }), eventRecord('thread_rolled_back', { num_turns: 0 }), eventRecord('agent_message', { message: 'b' })).filter((fact) => (fact as { id?: string }).id?.startsWith('item-')).map((fact) => (fact as { id: string }).id)).toEqual(['item-1', 'item-3']);
  });
});
