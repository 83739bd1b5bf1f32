import type { Fact, FactOf, JsonObject, JsonValue } from '@tapefold/facts';
import { ledgerAddsUp } from '@tapefold/facts';
import { checkLinksAreAlive, fileOf, playAll, said } from '@tapefold/testing';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fixturesFolder, kimiLogs, makePlayer, realFolder, sharedFolder } from '../corpus.suite.js';

const metadata = { type: 'metadata', protocol_version: '1.5', created_at: 1_760_000_000_000 };
const message = (id: string, words: string, origin: JsonObject | null = { kind: 'user' }): JsonObject => ({
  type: 'context.append_message', message: { role: 'user', content: [{ type: 'text', text: words }], toolCalls: [], id, ...(origin ? { origin } : {}) },
});
const prompt = (id: string, turnId: number): JsonObject[] => [{ type: 'turn.prompt', input: [{ type: 'text', text: id }], origin: { kind: 'user' }, promptId: id, turnId }, message(id, id)];
const loop = (event: JsonObject): JsonObject => ({ type: 'context.append_loop_event', event });
const begin = (uuid: string): JsonObject => loop({ type: 'step.begin', uuid });
const text = (stepUuid: string, words: string): JsonObject => loop({ type: 'content.part', stepUuid, part: { type: 'text', text: words } });
const args: JsonValue = { command: 'ls', path: 'f', content: 'x', query: 'q', url: 'u' };
const call = (stepUuid: string, toolCallId: string, name = 'Bash'): JsonObject => loop({ type: 'tool.call', stepUuid, toolCallId, name, args });
const result = (toolCallId: string, output: string, isError = false): JsonObject => loop({ type: 'tool.result', toolCallId, result: { output, ...(isError ? { isError } : {}) } });
const end = (uuid: string, finishReason = 'end_turn'): JsonObject => loop({ type: 'step.end', uuid, finishReason });
const ended = (turnId: number, reason = 'completed'): JsonObject => ({ type: 'turn.ended', turnId, reason });
const answer = (uuid: string, words: string): JsonObject[] => [begin(uuid), text(uuid, words), end(uuid)];

const play = (...records: (JsonObject | JsonObject[])[]): Fact[] => playAll(makePlayer('test'), fileOf([metadata, ...records.flat()])).facts;
const only = <T extends Fact['type']>(facts: readonly Fact[], ...types: T[]): FactOf<T>[] => facts.filter((fact): fact is FactOf<T> => (types as string[]).includes(fact.type));
const keys = (facts: readonly Fact[], type: Fact['type']): string[] => only(facts, type).map(({ tape, ordinal }) => `${tape}#${ordinal}`);

describe('[R-THR-4] an undo', () => {
  it('takes the turns behind so many words of a person, and stops at a compaction', () => {
    const read = (name: string) => only(playAll(makePlayer('case'), readFileSync(join(fixturesFolder, 'cases', name, 'wire.jsonl'))).facts, 'history.superseded', 'turn.started');
    const undone = read('undo_one');
    expect(undone.map((fact) => (fact.type === 'turn.started' ? fact.id : fact.reason))).toEqual(['t0', 't1', 'undo', 't1']);
    const stopped = read('undo_past_compaction');
    expect(stopped.map((fact) => (fact.type === 'turn.started' ? fact.id : fact.turns.length))).toEqual(['t0', 't1', 1, 't1']);
  });

  it('leaves injections, but for those that were made for the prompt', () => {
    const facts = play(prompt('p1', 0), message('i1', 'kept', { kind: 'injection' }), message('i2', 'gone', { kind: 'injection', ownerPromptId: 'p2' }), prompt('p2', 1), message('i3', 'kept too', { kind: 'injection' }), answer('s', 'a'), { type: 'context.undo', count: 1 });
    const [undo] = only(facts, 'history.superseded');
    const gone = only(facts, 'context.appended').filter(({ ordinal }) => undo?.context.some(({ from, to }) => ordinal >= from && ordinal < to)).map(({ item }) => (item.kind === 'message' && item.content[0]?.kind === 'text' ? item.content[0].text : item.kind));
    expect(gone).toEqual(['gone', 'p2', 'a']);
  });

  it('of words said into a turn takes a part of the turn', () => {
    const steer: JsonObject = { type: 'turn.steer', input: [], origin: { kind: 'user' }, messageId: 'm', promptIds: ['q'] };
    const facts = play(prompt('p', 0), answer('s1', 'a'), steer, message('m', 'more'), answer('s2', 'b'), { type: 'context.undo', count: 1 });
    const [undo] = only(facts, 'history.superseded');
    expect(undo).toMatchObject({ reason: 'undo', turns: [], steps: [keys(facts, 'step.started')[1]], inputs: [keys(facts, 'input.received')[1]] });
  });
});

describe('[R-THR-4] a switch of branches', () => {
  const turns = [...prompt('a', 0), ...answer('s1', 'ra'), ended(0), ...prompt('b', 1), ...answer('s2', 'rb'), ended(1)];
  const away: JsonObject = { type: 'agent.switched', branch: 'b1', base: { branch: 'main', line: 8 }, legacyUndoLine: 15 };
  const undo: JsonObject[] = [{ type: 'context.undo', count: 1 }, { type: 'context.undone', turns: 1, fromTurnId: 1 }];

  it('is told once, by the first of its three records, and a branch that is taken up again comes back', () => {
    const back: JsonObject = { type: 'agent.switched', branch: 'b2', base: { branch: 'main', line: 13 } };
    const facts = play(turns, away, undo, prompt('c', 2), answer('s3', 'rc'), ended(2), back);
    const [a, b, c] = keys(facts, 'turn.started');
    const history = only(facts, 'history.superseded', 'history.restored').map(({ type, turns: named, reason }) => [type, reason, named]);
    expect(history).toEqual([['history.superseded', 'branch', [b]], ['history.superseded', 'branch', [c]], ['history.restored', 'branch', [b]]]);
    expect(a).toBeDefined();
    expect(only(facts, 'turn.started').map(({ id }) => id)).toEqual(['t0', 't1', 't1']);
  });

  it('takes along what else the branch said', () => {
    const facts = play(turns, { type: 'tools.update_store', key: 'todo', value: [{ title: 'x', status: 'pending' }] }, { type: 'goal.create', objective: 'g' }, { ...away, base: { branch: 'main', line: 8 } });
    const [off] = only(facts, 'history.superseded');
    const gone = facts.filter(({ ordinal, type }) => /^(todo|goal|turn\.ended)/.test(type) && off?.facts?.some(({ from, to }) => ordinal >= from && ordinal < to)).map(({ type }) => type);
    expect(gone).toEqual(['turn.ended', 'todo.replaced', 'goal.set']);
  });

  it('to nowhere is not known', () => {
    const { ledger, facts } = playAll(makePlayer('test'), fileOf([metadata, ...turns, { type: 'agent.switched', branch: 'x', base: { branch: 'nowhere', line: 3 } }, { type: 'agent.switched', branch: 'x' }]));
    expect(ledger.linesUnknown).toBe(2);
    expect(said(only(facts, 'record.unknown'))).toEqual([{ type: 'record.unknown', recordType: 'agent.switched', why: 'shape' }, { type: 'record.unknown', recordType: 'agent.switched', why: 'shape' }]);
  });
});

describe('[R-DIA-2] steps and calls', () => {
  it('words stand before the calls of their step, also where they come behind', () => {
    const facts = play(prompt('p', 0), begin('s'), call('s', 'c1'), result('c1', 'out'), text('s', 'late'), end('s'));
    const [step] = keys(facts, 'step.started');
    expect(only(facts, 'item.completed').map(({ id, place }) => [id, place])).toEqual([['c1', undefined], ['t0.1.f1', { after: step }]]);
  });

  it('a step that came to nothing goes, and what it began with waits again', () => {
    const steer: JsonObject = { type: 'turn.steer', input: [], origin: { kind: 'user' }, messageId: 'm', promptIds: [] };
    const facts = play(prompt('p', 0), answer('s1', 'a'), steer, message('m', 'more'), begin('s2'), end('s2', 'error'), answer('s3', 'b'));
    const [, empty, full] = keys(facts, 'step.started');
    expect(only(facts, 'history.superseded').map(({ reason, steps }) => [reason, steps])).toEqual([['retracted', [empty]]]);
    expect(only(facts, 'input.placed').slice(1).map(({ as, step }) => [as, step])).toEqual([['deferred', undefined], ['steers', empty], ['steers', full]]);
    expect(only(facts, 'item.completed').map(({ id }) => id)).toEqual(['t0.1.f1', 't0.2.f2']);
  });

  it('a call whose id the turn has already is another item', () => {
    const facts = play(prompt('p', 0), begin('s1'), call('s1', 'c'), result('c', '1'), end('s1'), begin('s2'), call('s2', 'c'), call('s2', 'c'), result('c', '2'), end('s2'), prompt('q', 1), begin('s3'), call('s3', 'c'));
    expect(only(facts, 'item.started').map(({ id, turn }) => [id, turn])).toEqual([['c', keys(facts, 'turn.started')[0]], ['t0.2.c', keys(facts, 'turn.started')[0]], ['t0.2.c.2', keys(facts, 'turn.started')[0]], ['c', keys(facts, 'turn.started')[1]]]);
  });

  it('[R-DIA-7] a refused call is declined, one that was stopped is interrupted, one without a result stays open', () => {
    const ask: JsonObject = { type: 'interaction.request', id: 'q', kind: 'approval', toolCallId: 'c1', request: {} };
    const no: JsonObject = { type: 'interaction.resolved', id: 'q', response: { decision: 'rejected' } };
    const facts = play(prompt('p', 0), begin('s'), call('s', 'c1'), ask, no, result('c1', 'refused', true), call('s', 'c2'), { type: 'turn.cancel', turnId: 0, target: 'active', reason: 'user_cancelled' }, result('c2', 'stopped', true), call('s', 'c3'), end('s', 'interrupted'), ended(0, 'cancelled'));
    expect(only(facts, 'item.completed').map(({ id, body }) => [id, 'status' in body ? body.status : null])).toEqual([['c1', 'declined'], ['c2', 'interrupted']]);
    expect(only(facts, 'notice.posted').map(({ code, details }) => [code, details])).toEqual([['interruption', { turnId: 0, target: 'active', reason: 'user_cancelled' }]]);
    expect(only(facts, 'step.ended', 'turn.ended').map(({ status }) => status)).toEqual(['interrupted', 'interrupted']);
  });

  it('[R-THR-1] tools are mapped to the nearest item', () => {
    const names = ['Bash', 'Write', 'Edit', 'WebSearch', 'FetchURL', 'Agent', 'ExitPlanMode', 'mcp__srv__do_it', 'Read', 'constructor'];
    const facts = play(prompt('p', 0), begin('s'), names.map((name, i) => call('s', `c${i}`, name)), names.map((_, i) => result(`c${i}`, 'done')));
    expect(only(facts, 'item.completed').map(({ body }) => body.kind)).toEqual(['command', 'fileChange', 'fileChange', 'webSearch', 'webSearch', 'agentCall', 'plan', 'mcpCall', 'toolCall', 'toolCall']);
    expect(only(facts, 'item.completed').map(({ tool }) => tool?.name)).toEqual(names);
  });
});

describe('[R-DIA-7] turns without an end', () => {
  it('count as completed in a file that has none, and as cut off from the first end on (D-11)', () => {
    const without = play(prompt('p', 0), answer('s', 'a'), prompt('q', 1));
    expect(only(without, 'turn.started').map(({ settlesAs }) => settlesAs)).toEqual(['completed', 'completed']);
    const facts = play(prompt('p', 0), answer('s', 'a'), prompt('q', 1), answer('s2', 'b'), ended(1), prompt('r', 2));
    expect(only(facts, 'turn.started').map(({ settlesAs }) => settlesAs)).toEqual(['completed', 'completed', undefined]);
    expect(said(only(facts, 'turn.changed', 'turn.ended')).map((fact) => (fact as JsonObject)['type'])).toEqual(['turn.changed', 'turn.ended']);
    expect(only(facts, 'turn.changed')[0]).toMatchObject({ turn: keys(facts, 'turn.started')[0], settlesAs: 'interrupted' });
  });
});

describe('[R-DIA-2] older schemas and damage', () => {
  it('schema 1.4: prompts without ids, answers as messages, compaction by count', () => {
    const facts = play(
      { type: 'turn.prompt', input: [], origin: { kind: 'user' } }, message('', 'hi', null), { type: 'context.append_message', message: { role: 'assistant', content: [{ type: 'think', think: 'hm' }, { type: 'text', text: 'yes' }], toolCalls: [{ type: 'function', id: 'c', name: 'Read', arguments: '{"path":"f"}' }] } },
      { type: 'context.append_message', message: { role: 'tool', content: [{ type: 'text', text: 'f is' }], toolCallId: 'c' } }, { type: 'context.apply_compaction', summary: 'S', compactedCount: 2, tokensBefore: 9, tokensAfter: 3 },
    );
    expect(only(facts, 'item.started', 'item.completed').map(({ id, body }) => [id, body.kind])).toEqual([['t0.1.f1', 'reasoning'], ['t0.1.f2', 'agentMessage'], ['c', 'toolCall'], ['c', 'toolCall'], ['compaction-6', 'compaction']]);
    const [compacted] = only(facts, 'context.compacted');
    expect(compacted?.replacement?.map((part) => part.kind)).toEqual(['message', 'kept']);
    expect(compacted).toMatchObject({ summary: 'S', tokensBefore: 9, tokensAfter: 3, payload: { text: 'S', origin: { kind: 'compaction_summary' } } });
  });

  it('[R-DIA-5] a type of tomorrow is counted and kept, and a broken line costs itself (D-5)', () => {
    const { facts, ledger } = playAll(makePlayer('test'), fileOf([metadata, { type: 'context.tomorrow' }, '{"type":', loop({ type: 'step.dream' }), ...prompt('p', 0)]));
    expect(ledger).toMatchObject({ linesUnknown: 2, linesDamaged: 1, linesPlayed: 3 });
    expect(only(facts, 'record.unknown').map(({ recordType, why }) => [recordType, why])).toEqual([['context.tomorrow', 'type'], ['context.append_loop_event/step.dream', 'type']]);
    expect(only(facts, 'turn.started')).toHaveLength(1);
  });
});

describe('[R-DIA-2] every log of kimi-code', () => {
  const logs = [fixturesFolder, sharedFolder, realFolder].flatMap((folder) => kimiLogs(folder, 'code'));
  it('plays without anything unknown, its ledger adds up, and its links point to what counts', () => {
    expect(logs.length).toBeGreaterThan(70);
    const odd = logs.flatMap(({ name, bytes }) => {
      const { ledger, facts } = playAll(makePlayer(name), bytes);
      checkLinksAreAlive(facts);
      return ledgerAddsUp(ledger) && ledger.linesUnknown === 0 ? [] : [`${name}: ${JSON.stringify(ledger.types)}`];
    });
    expect(odd).toEqual([]);
  });
});
