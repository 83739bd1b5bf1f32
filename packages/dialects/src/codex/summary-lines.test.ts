import { enveloped, eventRecord, messageRecord, responseRecord } from '@tapefold/testing';
import { describe, expect, it } from 'vitest';
import { SUMMARY_HEAD_CHARS, canCodexSummarySkip } from './summary-lines.js';

const isSkipped = (record: unknown): boolean => canCodexSummarySkip(JSON.stringify(record).slice(0, SUMMARY_HEAD_CHARS));

describe('lines that summaries of turns can do without', () => {
  it('[R-STO-3] calls, outputs, thoughts and counts are passed over', () => {
    const quiet = [
      responseRecord('function_call', { name: 'shell', arguments: '{}', call_id: 'c' }), responseRecord('function_call_output', { call_id: 'c', output: 'o' }), responseRecord('reasoning', { summary: [] }), messageRecord('assistant', 'twin'),
      eventRecord('token_count', { info: null }), eventRecord('exec_command_end', { call_id: 'c' }), enveloped('turn_context', { cwd: '/w' }),
    ];
    expect(quiet.map(isSkipped)).toEqual(quiet.map(() => true));
  });

  it('[R-STO-3] what opens or ends a turn, says something, or has any other form is played', () => {
    const played = [
      ...['task_started', 'task_complete', 'turn_aborted', 'user_message', 'agent_message', 'agent_reasoning', 'thread_rolled_back', 'mcp_tool_call_end', 'patch_apply_end', 'item_completed', 'tomorrow'].map((type) => eventRecord(type, {})),
      messageRecord('user', '<hook_prompt hook_run_id="h">x</hook_prompt>'), enveloped('compacted', { message: '' }), enveloped('session_meta', {}), { type: 'event_msg', payload: { type: 'token_count' } },
      { timestamp: 't"', type: 'event_msg', payload: { type: 'token_count' } }, { timestamp: 't', type: 'event_msg', payload: { info: null, type: 'token_count' } },
    ];
    expect(played.map(isSkipped)).toEqual(played.map(() => false));
    expect(canCodexSummarySkip(` ${JSON.stringify(eventRecord('token_count', {}))}`)).toBe(false);
  });
});
