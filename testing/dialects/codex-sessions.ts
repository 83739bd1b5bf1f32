import fc from 'fast-check';
import { type CodexRecordLine, enveloped, eventRecord, itemRecord, messageRecord, metaRecord, numberedRecords, responseRecord } from './codex-records.js';

type Records = fc.Arbitrary<CodexRecordLine>;

const turnId = fc.constantFrom('T1', 'T2', 'T3', 'constructor');
const callId = fc.constantFrom('c1', 'c2', 'c3', '__proto__');
const text = fc.constantFrom('hi', 'again', 'hi', '', ' ', 'two\nlines', '日本 😀', '<environment_context>x</environment_context>');
const shownText = fc.constantFrom('hi', 'again', 'one more', '日本 😀');
const optional = (field: string, value: fc.Arbitrary<unknown>): fc.Arbitrary<Record<string, unknown>> => fc.option(value, { nil: undefined }).map((given) => (given === undefined ? {} : { [field]: given }));
const of = (type: string, fields: fc.Arbitrary<Record<string, unknown>> = fc.constant({})): Records => fields.map((given) => eventRecord(type, given));
const merged = (...parts: fc.Arbitrary<Record<string, unknown>>[]): fc.Arbitrary<Record<string, unknown>> => fc.tuple(...parts).map((given) => Object.assign({}, ...given) as Record<string, unknown>);

const patchEnd: Records = merged(callId.map((call_id) => ({ call_id })), optional('turn_id', turnId)).map((given) => eventRecord('patch_apply_end', {
  stdout: '', stderr: '', success: true, status: 'completed', changes: { 'a.txt': { type: 'add', content: 'x' } }, ...given,
}));
const mcpEnd: Records = merged(callId.map((call_id) => ({ call_id })), optional('turn_id', turnId)).map((given) => eventRecord('mcp_tool_call_end', {
  invocation: { server: 's', tool: 't' }, duration: { secs: 0, nanos: 1 }, result: { Ok: { content: [] } }, ...given,
}));
const plan: Records = turnId.chain((turn) => callId.map((id) => itemRecord(turn, { type: 'Plan', id, text: 'p' })));

/** Events that the original program keeps in a legacy file. */
const keptEvents: readonly Records[] = [
  of('task_started', turnId.map((turn_id) => ({ turn_id, started_at: 7 }))), of('task_started', turnId.map((turn_id) => ({ turn_id }))), of('turn_started', turnId.map((turn_id) => ({ turn_id }))),
  of('task_complete', turnId.map((turn_id) => ({ turn_id, last_agent_message: null }))), of('turn_aborted', merged(fc.constant({ reason: 'interrupted' }), optional('turn_id', turnId))),
  of('user_message', text.map((message) => ({ message }))), of('user_message', text.map((message) => ({ message, images: [], local_images: [], text_elements: [] }))),
  of('agent_message', text.map((message) => ({ message }))), of('agent_message', text.map((message) => ({ message, phase: 'commentary' }))),
  of('agent_reasoning', text.map((words) => ({ text: words }))), of('agent_reasoning_raw_content', text.map((words) => ({ text: words }))),
  of('context_compacted'), of('entered_review_mode', fc.constant({ target: { type: 'uncommittedChanges' } })), of('exited_review_mode', fc.constant({ review_output: null })),
  patchEnd, mcpEnd, plan,
  of('web_search_end', callId.map((call_id) => ({ call_id, query: 'q', action: { type: 'search', query: 'q' } }))),
  of('image_generation_end', callId.map((call_id) => ({ call_id, status: 'completed', result: 'aGk=' }))),
  of('sub_agent_activity', callId.map((event_id) => ({ event_id, agent_thread_id: 'a', agent_path: '/root/a', kind: 'started' }))),
];
const rollback: Records = of('thread_rolled_back', fc.integer({ min: 0, max: 4 }).map((num_turns) => ({ num_turns })));

/** Records that count but show nothing, or are left out. */
const quiet: readonly Records[] = [
  of('token_count', fc.constant({ info: null })), of('thread_settings_applied', fc.constant({ thread_settings: { model: 'm' } })), fc.constant(enveloped('turn_context', { cwd: '/w', model: 'm', approval_policy: 'never', sandbox_policy: { type: 'read-only' } })),
  fc.constant(enveloped('compacted', { message: 'summary' })), fc.constant(enveloped('compacted', { message: 's', replacement_history: [{ type: 'message', role: 'user', content: [{ type: 'input_text', text: 'kept' }] }] })),
  fc.constant(enveloped('world_state', { full: true, state: {} })), fc.constant(enveloped('tomorrow', { type: 'x' })), of('tomorrow'), of('turn_diff', fc.constant({ unified_diff: '' })), of('warning', fc.constant({ message: 'careful' })),
  of('plan_update', fc.constant({ plan: [{ step: 's', status: 'pending' }] })), of('agent_message', fc.constant({ message: 1 })), of('agent_message', fc.constant({ message: 'x', phase: 'weird' })),
  of('thread_goal_updated', fc.constant({ goal: { objective: 'o' } })), of('thread_name_updated', fc.constant({ thread_name: 'n' })), fc.constant(enveloped('inter_agent_communication', { author: 'a', recipient: 'b', content: 'c', trigger_turn: true })),
  turnId.map((turn) => itemRecord(turn, { type: 'AgentMessage', id: 'm', content: [{ type: 'Text', text: 'twin' }] })), fc.constant(metaRecord({ id: 'another' })),
];

/** Items of the model's history that are no calls. */
const words: readonly Records[] = [
  text.map((said) => messageRecord('user', said)), text.map((said) => messageRecord('assistant', said)), fc.constant(messageRecord('developer', 'rules')),
  fc.constant(messageRecord('user', '<hook_prompt hook_run_id="h1">do &lt;this&gt;</hook_prompt>')), shownText.map((said) => responseRecord('reasoning', { summary: [{ type: 'summary_text', text: said }] })),
];

/** Calls of the model and events of commands: what we show and the original does not. */
export const addedRecords: Records = fc.oneof(
  callId.map((call_id) => responseRecord('function_call', { name: 'shell', arguments: '{"command":["ls"]}', call_id })),
  callId.map((call_id) => responseRecord('custom_tool_call', { name: 'apply_patch', input: '*** Begin Patch\n*** Add File: a\n+x\n*** End Patch', call_id })),
  fc.tuple(callId, fc.constantFrom('ok', 'aborted by user after 3s', '{"output":"o","metadata":{"exit_code":1,"duration_seconds":0.5}}', 'Process running with session ID 7\nOutput:\n')).map(([call_id, output]) => responseRecord('function_call_output', { call_id, output })),
  callId.map((call_id) => eventRecord('exec_command_begin', { call_id, turn_id: 'T1', command: ['ls'], cwd: '/w', parsed_cmd: [] })),
  fc.tuple(callId, turnId).map(([call_id, turn_id]) => eventRecord('exec_command_end', { call_id, turn_id, command: ['ls'], cwd: '/w', parsed_cmd: [], exit_code: 0, aggregated_output: 'o', duration: { secs: 1, nanos: 0 } })),
  callId.map((call_id) => eventRecord('view_image_tool_call', { call_id, path: '/p.png' })),
  callId.map((call_id) => eventRecord('mcp_tool_call_begin', { call_id, invocation: { server: 's', tool: 't' } })),
);

const mostly = (records: readonly Records[], others: readonly Records[]): Records => fc.oneof({ weight: 5, arbitrary: fc.oneof(...records) }, { weight: 2, arbitrary: fc.oneof(...others) });

/** Records of a legacy file behind its first one, in any order: also orders that no program writes. */
export const legacyRecords = fc.array(fc.oneof({ weight: 8, arbitrary: mostly(keptEvents, quiet) }, { weight: 2, arbitrary: rollback }, { weight: 2, arbitrary: fc.oneof(...words) }, { weight: 3, arbitrary: addedRecords }), { maxLength: 30 });

/** The same without what we add. */
export const countedRecords = fc.array(fc.oneof({ weight: 8, arbitrary: mostly(keptEvents, quiet) }, { weight: 2, arbitrary: rollback }, { weight: 1, arbitrary: fc.oneof(...words.slice(0, 3)) }), { maxLength: 30 });

const item = fc.oneof(
  shownText.map((said) => ({ type: 'UserMessage', id: `u-${said}`, content: [{ type: 'text', text: said }] })), text.map((said) => ({ type: 'AgentMessage', id: `m-${said}`, content: [{ type: 'Text', text: said }] })),
  callId.map((id) => ({ type: 'CommandExecution', id, command: ['ls'], cwd: 'file:///w', parsed_cmd: [], source: 'agent', status: 'completed', aggregated_output: 'o', exit_code: 0 })),
  callId.map((id) => ({ type: 'FileChange', id, changes: { a: { type: 'add', content: 'x' } }, status: 'completed' })), fc.constant({ type: 'Reasoning', id: 'r', summary_text: ['s'], raw_content: [] }),
  fc.constant({ type: 'Tomorrow', id: 'x' }), fc.constant({ type: 'ContextCompaction', id: 'cc' }),
);
const paginatedRecord: Records = fc.oneof(
  { weight: 6, arbitrary: fc.tuple(turnId, item).map(([turn, what]) => itemRecord(turn, what)) }, { weight: 3, arbitrary: fc.oneof(...keptEvents.slice(0, 5)) }, { weight: 2, arbitrary: addedRecords }, { weight: 2, arbitrary: fc.oneof(...words) },
  { weight: 1, arbitrary: fc.oneof(...quiet) }, { weight: 1, arbitrary: rollback },
);
const bareRecord: Records = fc.oneof(fc.oneof(...words), addedRecords).map((record) => (record['type'] === 'response_item' ? record['payload'] as CodexRecordLine : { record_type: 'state' }));

const legacySession = legacyRecords.map((records) => [metaRecord(), ...records]);
const paginatedSession = fc.array(fc.tuple(paginatedRecord, fc.integer({ min: 0, max: 9 })), { maxLength: 30 }).map((given) => {
  const numbered = numberedRecords([metaRecord({ history_mode: 'paginated' }), ...given.map(([record]) => record)]);
  return numbered.map((record, i) => (given[i - 1]?.[1] === 0 ? { ...record, ordinal: Math.max(0, i - 2) } : record));
});
const bareSession = fc.array(bareRecord, { maxLength: 20 }).map((records): CodexRecordLine[] => [{ id: 'bare', timestamp: '2025-06-01T00:00:00.000Z', instructions: null }, ...records]);
const responsesSession = fc.array(fc.oneof(...words, addedRecords), { maxLength: 20 }).map((records) => [metaRecord(), ...records]);
const headless = legacyRecords;

/** Sessions of every age, in any order of records. */
export const codexSessions: fc.Arbitrary<readonly CodexRecordLine[]> = fc.oneof({ weight: 4, arbitrary: legacySession }, { weight: 3, arbitrary: paginatedSession }, { weight: 1, arbitrary: bareSession }, { weight: 1, arbitrary: responsesSession }, { weight: 1, arbitrary: headless });

/** What stands between two records of a file: mostly a newline; else what programs and crashes leave there. */
const ending = fc.oneof({ weight: 12, arbitrary: fc.constant('\n') }, { weight: 2, arbitrary: fc.constantFrom('\r\n', '', '\n\n', '\0\0\n', 'x\n', '{"type":\n', '\n\ufeff', '\n\0\0', '   \n', '\n[]\n') });

/** A file of a generated session, with the damage that occurs. */
export const codexFiles: fc.Arbitrary<Uint8Array> = codexSessions.chain((records) => fc.array(ending, { minLength: records.length, maxLength: records.length }).map((endings) =>
  new TextEncoder().encode(records.map((record, i) => `${JSON.stringify(record)}${endings[i] ?? ''}`).join(''))));
