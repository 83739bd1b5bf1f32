import { type CodexRecordLine, checkFacts, eventRecord, fileOf, metaRecord, playAll, responseRecord } from '@tapefold/testing';
import { describe, expect, it } from 'vitest';
import { createCodexPlayer } from './player.js';

const make = (checkpoint?: Parameters<typeof createCodexPlayer>[1]) => createCodexPlayer({ tape: 'codex/tape' }, checkpoint);
const started = eventRecord('task_started', { turn_id: 'T' });
const call = (cmd: string): CodexRecordLine => responseRecord('function_call', { name: 'exec_command', arguments: JSON.stringify({ cmd }), call_id: 'call_0' });
const output = (text: string): CodexRecordLine => responseRecord('function_call_output', { call_id: 'call_0', output: text });
const factsOf = (...records: CodexRecordLine[]) => checkFacts(make, fileOf([metaRecord(), ...records])).facts;

describe('records that repeat', () => {
  it('[R-DIA-8] a call id used again in a turn names a second item, under an id of its own', () => {
    const items = factsOf(started, call('ls'), output('a'), call('pwd'), output('b')).filter((fact) => fact.type === 'item.completed');
    expect(items.map((fact) => [fact.body.kind === 'command' && fact.body.command, fact.body.kind === 'command' && fact.body.output])).toEqual([['ls', 'a'], ['pwd', 'b']]);
    expect(items[0]?.id).toBe('call_0');
    expect(items[1]?.id).toMatch(/^line@\d+\.0$/);
    expect(items.map((fact) => fact.call)).toEqual(['call_0', 'call_0']);
  });

  it('[R-DIA-8] an event that tells the call before its output makes no second item', () => {
    const event = eventRecord('exec_command_end', { call_id: 'call_0', turn_id: 'T', command: ['ls'], cwd: '/w', parsed_cmd: [], aggregated_output: 'a', exit_code: 0, stdout: '', stderr: '', duration: { secs: 0, nanos: 0 } });
    const ids = factsOf(started, call('ls'), event, output('a')).flatMap((fact) => (fact.type === 'item.started' || fact.type === 'item.completed' ? [fact.id] : []));
    expect(new Set(ids)).toEqual(new Set(['call_0']));
    const late = factsOf(started, event, call('ls'), output('a')).flatMap((fact) => (fact.type === 'item.started' || fact.type === 'item.completed' ? [fact.id] : []));
    expect(new Set(late)).toEqual(new Set(['call_0']));
  });

  it('[R-DIA-6] a token count told again counts no second response', () => {
    const count = (total: number): CodexRecordLine => eventRecord('token_count', { info: { last_token_usage: { input_tokens: 5 }, total_token_usage: { input_tokens: total } } });
    const usages = factsOf(started, count(5), count(5), count(10)).filter((fact) => fact.type === 'usage.recorded');
    expect(usages.map((fact) => [fact.usage?.inputTokens, fact.total?.inputTokens])).toEqual([[5, 5], [undefined, 5], [5, 10]]);
  });

  it('[R-CTX-7] a thought that is added to a reasoning is linked with its entry in the model\'s history', () => {
    const thought = (text: string): CodexRecordLine[] => [eventRecord('agent_reasoning', { text }), responseRecord('reasoning', { summary: [{ type: 'summary_text', text }] })];
    const facts = factsOf(started, ...thought('one'), ...thought('two'));
    const item = facts.find((fact) => fact.type === 'item.completed');
    const shows = facts.flatMap((fact) => (fact.type === 'context.appended' ? [fact.shows] : []));
    expect(shows).toEqual([`codex/tape#${item?.ordinal}`, `codex/tape#${item?.ordinal}`]);
  });

  it.each([1.5, -1, 1e300])('[R-DIA-5] a rollback of %d turns is a record that the original cannot read', (num_turns) => {
    const { facts, ledger } = playAll(make, fileOf([metaRecord(), started, eventRecord('thread_rolled_back', { num_turns })]));
    expect(facts.some((fact) => fact.type === 'history.superseded')).toBe(false);
    expect(ledger.linesUnknown).toBe(1);
  });
});
