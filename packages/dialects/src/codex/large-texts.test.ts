import { Buffer } from 'node:buffer';
import { type Fact, type PieceReader, restoreLarge } from '@tapefold/facts';
import { checkFacts, eventRecord, fileOf, itemRecord, messageRecord, metaRecord, numberedRecords, responseRecord } from '@tapefold/testing';
import { describe, expect, it } from 'vitest';
import { valueInLine } from '../line-record.js';
import { createCodexPlayer } from './player.js';

const make = (checkpoint?: Parameters<typeof createCodexPlayer>[1]) => createCodexPlayer({ tape: 'codex/tape' }, checkpoint);
/** 200,000 characters that differ everywhere, with pairs and escapes in them. */
const long = (mark: string): string => Array.from({ length: 10_000 }, (_, i) => `${mark}${i} "\\\n😀 ${'x'.repeat(8)}`).join('').slice(0, 200_000);
const started = [metaRecord(), eventRecord('task_started', { turn_id: 'T' })];

function readerOf(bytes: Uint8Array): PieceReader {
  return ({ tape, line, record, path }) => {
    expect(tape).toBe('codex/tape');
    const value = valueInLine(Buffer.from(bytes.subarray(line.offset, line.offset + line.length)).toString('utf8'), record, path);
    return typeof value === 'string' ? value : undefined;
  };
}

/** Plays a file and puts every large text back. */
function restored(lines: readonly unknown[]): { small: Fact[]; whole: Fact[]; checkpoint: string } {
  const bytes = fileOf(lines);
  const { facts: small, player } = checkFacts(make, bytes);
  const read = readerOf(bytes);
  return { small, whole: small.map((fact) => restoreLarge(fact, { refs: fact.large ?? [], read })), checkpoint: JSON.stringify(player.checkpoint()) };
}

/** Every text of a fact over 32 KiB. */
const largeTexts = (fact: Fact): string[] => {
  const found: string[] = [];
  JSON.stringify(fact, (_key, value: unknown) => { if (typeof value === 'string' && value.length > 32_768) found.push(value); return value; });
  return found;
};

function expectCarried(lines: readonly unknown[], texts: readonly string[]): void {
  const { small, whole, checkpoint } = restored(lines);
  expect(JSON.stringify(small).length).toBeLessThan(100_000);
  expect(small.flatMap(largeTexts)).toEqual([]);
  expect(checkpoint.length).toBeLessThan(40_000);
  const back = whole.flatMap(largeTexts);
  for (const text of texts) expect(back.includes(text)).toBe(true);
}

describe('large texts are carried by reference and come back exactly', () => {
  const call = (args: string, name = 'f') => responseRecord('function_call', { name, arguments: args, call_id: 'c' });
  const output = (text: unknown) => responseRecord('function_call_output', { call_id: 'c', output: text });
  const text = long('a');

  it('[R-TAPE-8] an output, and the event of the same command', () => {
    expectCarried([...started, call('{"command":["ls"]}', 'shell'), output(text), eventRecord('exec_command_end', { call_id: 'd', turn_id: 'T', command: ['ls'], cwd: '/', parsed_cmd: [], aggregated_output: text, exit_code: 0 })], [text]);
  });
  it('an output behind a header', () => expectCarried([...started, call('{"command":["ls"]}', 'shell'), output(`Exit code: 0\nWall time: 1 seconds\nOutput:\n${text}`)], [text]));
  it('an output wrapped as JSON in a string', () => expectCarried([...started, call('{"command":["ls"]}', 'shell'), output(JSON.stringify({ output: text, metadata: { exit_code: 0, duration_seconds: 1 } }))], [text]));
  it('an output of several parts', () => expectCarried([...started, call('{"command":["ls"]}', 'shell'), output([{ type: 'input_text', text }, { type: 'input_text', text: 'small' }, { type: 'input_text', text: long('b') }])], [`${text}small${long('b')}`]));
  it('arguments of a call, which are JSON in a string', () => {
    expectCarried([...started, call(JSON.stringify({ path: 'p', deep: [{ content: text }] })), output('ok')], [text, JSON.stringify({ path: 'p', deep: [{ content: text }] })]);
  });
  it('a patch: what is made of it anew stays whole, nothing is lost', () => {
    const { whole } = restored([...started, responseRecord('custom_tool_call', { call_id: 'c', name: 'apply_patch', input: `*** Begin Patch\n*** Add File: e\n${text.split('\n').map((line) => `+${line}`).join('\n')}\n*** End Patch` })]);
    expect(whole.flatMap(largeTexts)).toContain(`${text}\n`);
  });
  it('words of both sides', () => {
    expectCarried([...started, messageRecord('user', text), eventRecord('user_message', { message: `  ${text}\n` }), eventRecord('agent_message', { message: long('b') }), messageRecord('assistant', long('b'))], [text, `  ${text}\n`, long('b')]);
  });
  it('words cut behind a heading for the list', () => {
    const { whole } = restored([...started, eventRecord('user_message', { message: `# Context\n\n## My request for Codex:\n${text}` })]);
    expect(whole.find(({ type }) => type === 'thread.changed')).toMatchObject({ details: { firstPrompt: text.trim() } });
  });
  it('items and messages of a paginated file', () => {
    expectCarried(numberedRecords([
      metaRecord({ history_mode: 'paginated' }), eventRecord('task_started', { turn_id: 'T' }), itemRecord('T', { type: 'UserMessage', id: 'u', content: [{ type: 'text', text }] }),
      itemRecord('T', { type: 'CommandExecution', id: 'c', command: ['ls'], cwd: 'file:///w', parsed_cmd: [], source: 'agent', status: 'completed', aggregated_output: long('c') }),
      itemRecord('T', { type: 'FileChange', id: 'f', changes: { a: { type: 'add', content: long('d') }, b: { type: 'add', content: long('e') } }, status: 'completed' }),
    ]), [text, long('c'), long('d'), long('e')]);
  });
  it('[R-TAPE-2] records glued on one line, each its own text', () => {
    const glued = [eventRecord('agent_message', { message: text }), eventRecord('agent_message', { message: long('b') }), call(JSON.stringify({ content: long('c') }))].map((record) => JSON.stringify(record)).join('');
    expectCarried([...started, glued, `${JSON.stringify(eventRecord('agent_message', { message: long('d') }))} garbage`], [text, long('b'), long('c'), long('d')]);
  });
  it('a long compaction stays in the file and is pointed at', () => {
    const { small } = restored([...started, { timestamp: 't', type: 'compacted', payload: { message: '', replacement_history: [{ type: 'message', role: 'user', content: [{ type: 'input_text', text }] }] } }]);
    expect(small.at(-1)).toMatchObject({ type: 'context.compacted', replacementAt: { record: 0, path: ['payload', 'replacement_history'], count: 1 } });
  });

  it('a background command that prints much, and then more', () => {
    const { whole, checkpoint } = restored([
      ...started, call('{"cmd":"srv"}', 'exec_command'), output(`Process running with session ID 7\nOutput:\n${text}`),
      responseRecord('function_call', { name: 'write_stdin', arguments: '{"session_id":7}', call_id: 'w' }), responseRecord('function_call_output', { call_id: 'w', output: 'Process exited with code 0\nOutput:\nthe end' }),
    ]);
    expect(whole.find((fact) => fact.type === 'item.completed' && fact.id === 'c')).toMatchObject({ body: { status: 'completed', output: `${text}the end` } });
    expect(checkpoint.length).toBeLessThan(20_000);
  });

  it('an old patch event takes the changes over from its call, with their references', () => {
    const patch = responseRecord('function_call', { name: 'apply_patch', arguments: JSON.stringify({ input: '*** Begin Patch\n*** Add File: e\n+1\n*** End Patch' }), call_id: 'c' });
    const { whole } = restored([...started, patch, eventRecord('patch_apply_end', { call_id: 'c', stdout: '', stderr: '', success: true })]);
    expect(whole.at(-1)).toMatchObject({ type: 'item.completed', body: { changes: [{ path: 'e', diff: '1\n' }] } });
  });

  it('a tape that was rewritten gives the stand-in, not other words', () => {
    const bytes = fileOf([...started, eventRecord('agent_message', { message: text })]);
    const { facts } = checkFacts(make, bytes);
    const fact = facts.at(-1) as Fact;
    const other = readerOf(Buffer.from(bytes.toString('utf8').replace('a5 ', 'b5 ')));
    expect(restoreLarge(fact, { refs: fact.large ?? [], read: other })).toEqual(fact);
    expect(restoreLarge(fact, { refs: fact.large ?? [], read: () => undefined })).toEqual(fact);
  });
});
