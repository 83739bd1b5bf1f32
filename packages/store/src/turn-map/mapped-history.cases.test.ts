import { type CodexRecordLine, THREAD_ID, enveloped, eventRecord, itemRecord, metaRecord, responseRecord, testFolder } from '@tapefold/testing';
import { Buffer } from 'node:buffer';
import { describe, expect, it } from 'vitest';
import { newStore, put } from '../indexing/grown-home.suite.js';
import { compareMap, mappableThreads } from './mapped-home.suite.js';
import { spoil, spoiledBytes } from './spoiled-lines.suite.js';

const lineOf = ({ timestamp, ...rest }: CodexRecordLine, ordinal: number): string => JSON.stringify({ timestamp, ordinal, ...rest });
const linesOf = (records: readonly CodexRecordLine[]): string[] => [metaRecord({ history_mode: 'paginated' }), ...records].map(lineOf);

const begin = (turn: string): CodexRecordLine => eventRecord('task_started', { turn_id: turn });
const end = (turn: string): CodexRecordLine => eventRecord('task_complete', { turn_id: turn });
const call = (callId: string, turn?: string): CodexRecordLine => responseRecord('function_call', { name: 'exec_command', arguments: '{"cmd":"ls"}', call_id: callId, ...(turn === undefined ? {} : { internal_chat_message_metadata_passthrough: { turn_id: turn } }) });
const output = (callId: string, more: object = { output: 'done' }): CodexRecordLine => responseRecord('function_call_output', { call_id: callId, ...more });
const configured = (first: object, last: object): CodexRecordLine => enveloped('turn_context', { turn_id: 'a', ...first, cwd: '/w', approval_policy: 'never', sandbox_policy: { type: 'read-only' }, ...last });
const context = (model: string): CodexRecordLine => configured({}, { model });
const settings = (model: string): CodexRecordLine => eventRecord('thread_settings_applied', { thread_settings: { model } });
const command = (turn: string, id: string): CodexRecordLine => itemRecord(turn, { type: 'CommandExecution', id, cwd: 'file:///w', command: ['ls'], parsed_cmd: [], source: 'agent', status: 'completed', aggregated_output: '', exit_code: 0 });

const LONG = 'call_0123456789abcdef01234567';

/** Lines whose first characters tell less than all. `turns`, `stretches`: what the map has; undefined: there is none. */
const cases: Readonly<Record<string, { readonly lines: readonly string[]; readonly stretches: number | undefined }>> = {
  'the model goes back to what a context said before, by way of settings': { lines: linesOf([begin('a'), context('one'), end('a'), settings('two'), begin('b'), context('one'), end('b'), settings('two'), begin('c'), context('one')]), stretches: 3 },
  'the model stands before the folder of a context': { lines: linesOf([begin('a'), configured({ model: 'one' }, {}), begin('b'), configured({ model: 'two' }, {})]), stretches: 2 },
  'a context that cannot be read says the same as the next one': { lines: linesOf([begin('a'), context('one'), begin('b'), context('one')]).map((line, i) => (i === 2 ? line.replace('"turn_id":"a"', '"turn_id":"\\ud800"') : line)), stretches: 2 },
  'a call that an item ended is made again, of an older turn': { lines: linesOf([begin('a'), begin('b'), call(LONG), command('b', LONG), begin('c'), call(LONG, 'a'), begin('d')]), stretches: 2 },
  'words of a person come under the id of an open call': { lines: linesOf([begin('a'), call('c'), itemRecord('a', { type: 'UserMessage', id: 'c', content: [] }), begin('b'), output('c'), begin('c')]), stretches: 2 },
  'an output that cannot be read ends no call': { lines: linesOf([begin('a'), call('c'), output('c', {}), begin('b'), output('c'), begin('c')]), stretches: 2 },
  'an output under another key ends no call': { lines: linesOf([begin('a'), call('c'), responseRecord('function_call_output', { id: 'c', output: 'done' }), begin('b'), output('c'), begin('c')]), stretches: 2 },
  'an output with half a character ends no call': { lines: linesOf([begin('a'), call('c'), output('c'), begin('b'), output('c'), begin('c')]).map((line, i) => (i === 3 ? spoil(line, 12) : line)), stretches: 2 },
  'an output with a byte that is no text ends no call': { lines: linesOf([begin('a'), call('c'), output('c'), begin('b'), output('c'), begin('c')]).map((line, i) => (i === 3 ? spoil(line, 11) : line)), stretches: 2 },
  'an output that is damaged within ends no call': { lines: linesOf([begin('a'), call('c'), output('c'), begin('b'), output('c'), begin('c')]).map((line, i) => (i === 3 ? line.replace('"done"', '"done",') : line)), stretches: 2 },
  'a call of which a nested object says another id': { lines: linesOf([begin('a'), responseRecord('tool_search_call', { id: 'x', execution: 'client', arguments: { call_id: 'y' } }), begin('b'), responseRecord('tool_search_output', { call_id: 'x', status: 'completed', execution: 'client', tools: [] }), begin('c')]), stretches: 2 },
  'a call names its turn in another form': { lines: linesOf([begin('a'), begin('b'), call('c', 'a'), begin('c')]).map((line) => line.replace('"turn_id":"a"}}', '"turn_id": "a"}}')), stretches: 2 },
  'a key of a call is escaped': { lines: linesOf([begin('a'), begin('b'), call('c', 'a'), begin('c')]).map((line) => line.replace('"turn_id":"a"}}', '"turn\\u005fid":"a"}}')), stretches: 2 },
  'a turn begins in a record without a time': { lines: linesOf([begin('a'), begin('b'), call('c'), begin('c')]).map((line, i) => (i === 2 ? spoil(line, 10) : line)), stretches: undefined },
  'a turn begins in a line that is no text': { lines: linesOf([begin('a'), begin('b'), call('c'), begin('c')]).map((line, i) => (i === 2 ? spoil(line, 11) : line)), stretches: undefined },
  'a record of an odd form is glued on another one': { lines: linesOf([begin('a'), call('c'), begin('b'), end('b')]).map((line, i) => (i === 4 ? `${line}{"type":"function_call_output","call_id":"c","output":"done"}` : line)), stretches: undefined },
  'what looks like a second record is within one': { lines: linesOf([begin('a'), itemRecord('a', { type: 'McpToolCall', id: 'm', server: 's', tool: 't', arguments: { in: [{ timestamp: '}{' }] }, status: 'completed' }), begin('b')]).map((line) => line.replace('"in":[{', '"in":[{}, {')), stretches: 2 },
  'the thread is named behind other records': { lines: [lineOf(enveloped('world_state', {}), 0), ...[metaRecord({ history_mode: 'paginated' }), begin('a'), begin('b')].map((record, i) => lineOf(record, 1 + i))], stretches: undefined },
};

describe('[R-STO-3] the map of a rollout in which', () => {
  const compared = async (content: Buffer) => {
    const home = testFolder();
    put(`${home}/sessions/2026/01/02/rollout-2026-01-02T03-04-05-${THREAD_ID}.jsonl`, content, Date.UTC(2026, 0, 3));
    const [thread] = await mappableThreads({ program: 'codex', path: home });
    const store = await newStore();
    const found = thread && await compareMap(store, thread);
    await store.close();
    return found;
  };

  it.each(Object.entries(cases))('%s', async (_name, { lines, stretches }) => {
    const found = await compared(spoiledBytes(lines.map((line) => `${line}\n`).join('')));
    expect([found?.difference, found?.stretches]).toEqual([undefined, stretches]);
  });
});
