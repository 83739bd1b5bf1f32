import { enveloped, eventRecord, messageRecord, responseRecord } from '@tapefold/testing';
import { describe, expect, it } from 'vitest';
import { CodexSummaryFilter, SUMMARY_HEAD_CHARS } from './summary-lines.js';

const line = (text: string) => ({ head: text.slice(0, SUMMARY_HEAD_CHARS), isOneRecord: () => text.indexOf('"timestamp"', 11) < 0, text: () => text });
/** Which of these lines, one after the other, are passed over. */
function skipped(records: readonly unknown[]): boolean[] {
  const filter = new CodexSummaryFilter();
  return records.map((record) => filter.skips(line(typeof record === 'string' ? record : JSON.stringify(record))));
}
const event = (type: string, fields: object = {}): unknown => eventRecord(type, { ...fields });
const started = event('task_started', { turn_id: 't' });
const thought = event('agent_reasoning', { text: 'x' });

describe('lines that summaries of turns can do without', () => {
  it('[R-STO-3] calls, outputs, thoughts for the model and counts are passed over anywhere', () => {
    const quiet = [
      responseRecord('function_call', { name: 'shell', arguments: '{}', call_id: 'c' }), responseRecord('function_call_output', { call_id: 'c', output: 'o' }), responseRecord('reasoning', { summary: [] }), messageRecord('assistant', 'twin'),
      responseRecord('message', { id: 'msg_1', role: 'assistant', content: [] }), event('token_count', { info: null }), event('exec_command_end', { call_id: 'c' }), enveloped('turn_context', { cwd: '/w' }),
    ];
    expect(skipped(quiet)).toEqual(quiet.map(() => true));
  });

  it('[R-STO-3] what opens or ends a turn, says something, or has any other form is played', () => {
    const played = [
      ...['task_started', 'task_complete', 'turn_aborted', 'user_message', 'agent_message', 'agent_reasoning', 'thread_rolled_back', 'mcp_tool_call_end', 'patch_apply_end', 'item_completed', 'tomorrow'].map((type) => event(type)),
      messageRecord('user', '<hook_prompt hook_run_id="h">x</hook_prompt>'), enveloped('compacted', { message: '' }), enveloped('session_meta', {}), { type: 'event_msg', payload: { type: 'token_count' } },
      { timestamp: 't"', type: 'event_msg', payload: { type: 'token_count' } }, { timestamp: 't', type: 'event_msg', payload: { info: null, type: 'token_count' } }, ` ${JSON.stringify(event('token_count'))}`,
      JSON.stringify(event('token_count')) + JSON.stringify(event('task_complete')),
    ];
    expect(skipped(played)).toEqual(played.map(() => false));
  });

  it('[R-STO-3] items that would open a turn are passed over where one surely is open, and only there', () => {
    expect(skipped([thought, started, event('user_message', { message: 'q' }), thought, event('token_count'), messageRecord('user', 'q'), event('mcp_tool_call_end'), event('agent_message', { message: 'a' }), event('patch_apply_end')]))
      .toEqual([false, false, false, true, true, false, true, false, true]);
    for (const end of [event('task_complete', { turn_id: 'other' }), event('turn_aborted'), event('thread_rolled_back', { num_turns: 0 }), enveloped('compacted', {}), event('tomorrow'), 'garbage', '', `${JSON.stringify(event('token_count'))}${JSON.stringify(event('x'))}`]) {
      expect(skipped([started, thought, end, thought]), JSON.stringify(end)).toEqual([false, true, false, false]);
    }
    for (const start of [event('task_started'), '{"timestamp":"t","type":"event_msg","payload":{"type":"task_started","turn_id":"t"', event('task_started', { turn_id: '\ud800' })]) expect(skipped([start, thought]), JSON.stringify(start)).toEqual([false, false]);
  });
});
