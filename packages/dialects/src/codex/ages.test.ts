import { Buffer } from 'node:buffer';
import { checkFacts, enveloped, eventRecord, fileOf, lineOf, linesOf, messageRecord, metaRecord, responseRecord, said } from '@tapefold/testing';
import { describe, expect, it } from 'vitest';
import { createCodexNamesPlayer } from './names.js';
import { createCodexPlayer } from './player.js';
import { codexTailCheckpoint, codexTailSign, isCodexTailExact, isCodexTurnStart } from './tail.js';

const make = (checkpoint?: Parameters<typeof createCodexPlayer>[1]) => createCodexPlayer({ tape: 'codex/tape', namedThreadId: 'named', namedCreatedAt: '2025-06-01T10:00:00' }, checkpoint);
const play = (records: readonly unknown[]) => checkFacts(make, fileOf(records));
const facts = (...records: readonly unknown[]) => said(play(records).facts);
const message = (role: string, text: string) => ({ type: 'message', role, content: [{ type: role === 'user' ? 'input_text' : 'output_text', text }] });
const context = (...[turn, role, text, visibility = 'shown']: [turn: string | undefined, role: string, text: string, visibility?: string]) => ({ type: 'context.appended', ...(turn ? { turn } : {}), item: { kind: 'message', role, content: [{ kind: 'text', text }], visibility } });

describe('[D-6] files of 2025 without envelope', () => {
  const head = { id: 'bare', timestamp: '2025-06-01T00:00:00.000Z', instructions: 'be good', git: { commit_hash: 'abc' } };
  const told = [
    { type: 'thread.opened', threadId: 'bare', sessionId: 'bare', program: 'codex', createdAt: '2025-06-01T00:00:00.000Z', origin: { kind: 'vscode' }, historyMode: 'legacy', details: { git: { sha: 'abc' } } },
    context(undefined, 'user', 'hi'),
    { type: 'turn.started', id: 'rollout-1', isImplicit: true, replacesOlder: false },
    { type: 'input.received', turn: '#2', id: 'item-1', content: [{ kind: 'text', text: 'hi' }], visibility: 'shown', isAdded: false, context: '#1' },
    { type: 'input.placed', turn: '#2', input: '#3', as: 'opens' }, { type: 'thread.changed', details: { firstPrompt: 'hi' } },
    { type: 'context.appended', turn: '#2', call: 'c', item: { kind: 'call', callId: 'c', name: 'shell', input: '{"command":["ls"]}', form: 'json' } },
    { type: 'item.started', call: 'c', turn: '#2', id: 'c', body: { kind: 'command', command: ['ls'], source: 'agent', status: 'running', actions: [] }, visibility: 'shown', isAdded: true, context: '#6' },
    { type: 'context.appended', turn: '#2', call: 'c', item: { kind: 'result', callId: 'c', output: [{ kind: 'text', text: '{"output":"x","metadata":{"exit_code":0,"duration_seconds":0.1}}' }] }, shows: '#7' },
    { type: 'item.completed', call: 'c', turn: '#2', id: 'c', body: { kind: 'command', command: ['ls'], source: 'agent', status: 'completed', actions: [], output: 'x', exitCode: 0, durationMs: 100 }, visibility: 'shown', isAdded: true },
    context('#2', 'assistant', 'done'),
    { type: 'item.completed', turn: '#2', id: 'item-2', body: { kind: 'agentMessage', text: 'done' }, visibility: 'shown', isAdded: false, context: '#10' },
  ];
  const state = { record_type: 'state' };
  const rest = [
    message('user', 'hi'), state, { type: 'function_call', name: 'shell', arguments: '{"command":["ls"]}', call_id: 'c' },
    { type: 'function_call_output', call_id: 'c', output: '{"output":"x","metadata":{"exit_code":0,"duration_seconds":0.1}}' }, state, message('assistant', 'done'),
  ];

  it('are read: the first line opens the thread, bare items tell the rest, state records are left out by type', () => {
    const { facts: all, ledger } = play([head, state, ...rest]);
    expect(said(all)).toEqual(told);
    expect(ledger).toMatchObject({ linesPlayed: 5, linesIgnored: 3 });
    expect(ledger.types).toMatchObject({ 'bare/state': { ignored: 3 }, 'bare/session_meta': { played: 1 }, 'bare/message': { played: 2 } });
  });

  it('the lines of a session document are the same, though none ends with a newline', () => {
    const player = make();
    const lines = [head, ...rest].filter((record) => record !== state).map((record) => JSON.stringify(record));
    const told2 = lines.flatMap((text, i) => player.play({ offset: i * 1000, length: text.length, text, isTerminated: true, newlineBytes: 0 }).facts);
    expect(said(told2).map((fact) => (fact as { type: string }).type)).toEqual(told.map(({ type }) => type));
    expect(told2[0]?.line.length).toBe(lines[0]?.length);
  });

  it('a first line without an id, or a second one like it, is unknown', () => {
    expect(facts({ timestamp: 't' })).toEqual([{ type: 'record.unknown', recordType: '(no type)', why: 'shape', field: 'type' }]);
    expect(facts(head, { id: 'again' }).at(-1)).toEqual({ type: 'record.unknown', recordType: '(no type)', why: 'shape', field: 'type' });
  });
});

describe('legacy files that only the model\'s history tells', () => {
  it('[R-ONE-2] typed words wait, and open a turn when an answer follows and no event', () => {
    expect(facts(metaRecord(), messageRecord('user', '<environment_context>e'), messageRecord('user', 'hi'), messageRecord('assistant', 'ho')).slice(1, 4)).toEqual([
      context(undefined, 'user', '<environment_context>e', 'injected'), context(undefined, 'user', 'hi'),
      { type: 'input.received', id: expect.stringMatching(/^line@\d+\.0$/) as string, content: [{ kind: 'text', text: 'hi' }], visibility: 'shown', isAdded: true, context: '#2' },
    ]);
    const types = facts(metaRecord(), messageRecord('user', 'hi'), messageRecord('user', 'and'), messageRecord('assistant', 'ho')).map((fact) => [(fact as { type: string }).type, (fact as { id?: string }).id, (fact as { as?: string }).as].filter(Boolean).join(' '));
    expect(types.slice(0, 5)).toEqual(['thread.opened', 'context.appended', expect.stringMatching(/^input.received line@/), 'context.appended', expect.stringMatching(/^input.received line@/)]);
    expect(types.filter((type) => /turn|placed|completed/.test(type))).toEqual(['turn.started rollout-1', 'input.placed opens', 'turn.started rollout-2', 'input.placed opens', 'item.completed item-1']);
  });

  it('when an event comes after all, the words were its twin, and counting begins with it', () => {
    const told = facts(metaRecord(), messageRecord('user', 'hi'), eventRecord('user_message', { message: 'hi' }), eventRecord('agent_message', { message: 'a' }));
    expect(told.filter((fact) => (fact as { type: string }).type !== 'context.appended').slice(1)).toEqual([
      expect.objectContaining({ type: 'input.received', isAdded: true }), { type: 'input.placed', input: '#2', as: 'twin' }, { type: 'turn.started', id: 'rollout-2', isImplicit: true, replacesOlder: false },
      expect.objectContaining({ type: 'input.received', id: 'item-1', isAdded: false, context: '#1' }), { type: 'input.placed', turn: '#4', input: '#5', as: 'opens' }, { type: 'thread.changed', details: { firstPrompt: 'hi' } },
      expect.objectContaining({ type: 'item.completed', id: 'item-2' }),
    ]);
  });

  it('what was shown before the first event counts for nothing: ids and rollbacks are the original\'s', () => {
    const told = facts(metaRecord(), messageRecord('user', 'hi'), messageRecord('assistant', 'ho'), eventRecord('user_message', { message: 'next' }), eventRecord('thread_rolled_back', { num_turns: 5 }));
    expect(told.filter((fact) => /turn.started|superseded/.test((fact as { type: string }).type))).toEqual([
      expect.objectContaining({ id: 'rollout-1' }), expect.objectContaining({ id: 'rollout-3' }), expect.objectContaining({ type: 'history.superseded', turns: [expect.stringMatching(/^#\d+$/)] }),
    ]);
    expect(told.filter((fact) => (fact as { id?: string }).id === 'item-1')).toHaveLength(2);
  });
});

describe('the model\'s history', () => {
  it('every kind of item has its neutral form; what a person typed is told from what programs put in', () => {
    const kinds = facts(
      metaRecord(), eventRecord('task_started', { turn_id: 'T' }), messageRecord('developer', 'd'), messageRecord('user', '<turn_aborted>x'),
      responseRecord('reasoning', { summary: [{ type: 'summary_text', text: 's' }], content: null, encrypted_content: 'E' }), responseRecord('agent_message', { author: 'a', recipient: 'b', content: [{ type: 'input_text', text: 'x' }, { type: 'encrypted_content', encrypted_content: 'e' }] }),
      responseRecord('additional_tools', { role: 'developer', tools: [] }), responseRecord('compaction', { encrypted_content: 'e' }), responseRecord('context_compaction'), responseRecord('configuration_update', { reasoning: {} }), responseRecord('ghost_snapshot', { ghost_commit: {} }),
      responseRecord('tomorrow'),
    ).slice(2);
    const appended = (item: object) => ({ type: 'context.appended', turn: '#1', item });
    expect(kinds).toEqual([
      context('#1', 'developer', 'd', 'injected'), context('#1', 'user', '<turn_aborted>x', 'control'), appended({ kind: 'reasoning', summary: ['s'], content: [], isEncrypted: true }),
      appended({ kind: 'agentMessage', author: 'a', recipient: 'b', content: [{ kind: 'text', text: 'x' }, { kind: 'encrypted', data: 'e' }] }), appended({ kind: 'other', type: 'additional_tools' }), appended({ kind: 'compaction', isEncrypted: true }),
      appended({ kind: 'compaction', isEncrypted: false }), appended({ kind: 'other', type: 'configuration_update' }), { type: 'record.unknown', recordType: 'response_item/tomorrow', why: 'type' },
    ]);
  });

  it('[R-CTX-6] the record itself is kept, byte for byte what a provider understands', () => {
    const payload = { type: 'reasoning', summary: [], encrypted_content: 'E', id: 'rs_1', tomorrow: [1] };
    const [, fact] = play([metaRecord(), enveloped('response_item', payload)]).facts;
    expect(fact).toMatchObject({ item: { native: { dialect: 'codex', raw: payload } } });
  });

  it('a compaction replaces it: by the list that the record has', () => {
    const told = facts(metaRecord(), eventRecord('task_started', { turn_id: 'T' }), enveloped('compacted', { message: 's', replacement_history: [{ type: 'message', role: 'user', content: [{ type: 'input_text', text: 'k' }] }, 7] }));
    expect(told.at(-1)).toEqual({ type: 'context.compacted', turn: '#1', summary: 's', replacement: [{ kind: 'message', role: 'user', content: [{ kind: 'text', text: 'k' }], visibility: 'shown' }, { kind: 'other', type: '' }] });
  });
});

describe('names that people gave to threads (session_index.jsonl)', () => {
  const identity = { tape: 'codex/session_index' };
  const line = (id: unknown, name: unknown) => JSON.stringify({ id, thread_name: name, updated_at: '2026-01-01T00:00:00Z' });
  const bytes = fileOf([line('a', 'one'), '', line('b', 'two'), 'garbage', line('c', 3), `${line('d', 'x')}${line('e', 'y')}`, line('a', 'three')]);

  it('one fact a line, of the thread that it names; damage is accounted for', () => {
    const { facts: told, ledger } = checkFacts((checkpoint) => createCodexNamesPlayer(identity, checkpoint), bytes);
    expect(told.map((fact) => fact.type === 'thread.changed' && [fact.threadId, fact.details.name, fact.at])).toEqual([['a', 'one'], ['b', 'two'], ['d', 'x'], ['e', 'y'], ['a', 'three']].map((pair) => [...pair, '2026-01-01T00:00:00Z']));
    expect(ledger).toMatchObject({ linesPlayed: 4, linesUnknown: 1, linesDamaged: 1, linesBlank: 1 });
  });

  it('goes on from its checkpoint', () => {
    const lines = linesOf(bytes).map((each) => each.line);
    const first = createCodexNamesPlayer(identity);
    lines.slice(0, 4).forEach((each) => first.play(each));
    const second = createCodexNamesPlayer(identity, JSON.parse(JSON.stringify(first.checkpoint())) as string);
    expect(lines.slice(4).flatMap((each) => second.play(each).facts).map(({ ordinal }) => ordinal)).toEqual([2, 3, 4]);
    for (const bad of [null, 7, 'no key', {}]) expect(createCodexNamesPlayer(identity, bad).checkpoint()).toBe('codex/session_index#0');
  });
});

describe('the end of a file', () => {
  const sign = (record: unknown) => codexTailSign(typeof record === 'string' ? record : JSON.stringify(record));
  it.each<[unknown, string | undefined]>([
    [eventRecord('task_complete', { turn_id: 'T' }), 'completed'], [eventRecord('turn_complete', { turn_id: 'T' }), 'completed'], [eventRecord('task_complete', { turn_id: 'T', error: { message: 'm' } }), 'failed'],
    [eventRecord('turn_aborted', { reason: 'interrupted' }), 'interrupted'], [eventRecord('turn_aborted'), 'unclear'], [eventRecord('task_started', { turn_id: 'T' }), 'open'], [eventRecord('thread_rolled_back', { num_turns: 1 }), 'unclear'],
    [eventRecord('agent_message', { message: 'task_complete' }), undefined], [messageRecord('user', '"event_msg"'), undefined], ['{"type":"event_msg"', undefined], ['', undefined], ['[]', undefined], [{ type: 'event_msg', payload: 'x' }, undefined],
  ])('%j: %s', (record, expected) => expect(sign(record)).toBe(expected));
  it('of no text tells nothing', () => expect(codexTailSign(undefined)).toBeUndefined());

  it('[R-STO-3] play can begin at a turn: the same facts but for marked ids, and it says when a rollback reached further back', () => {
    const older = [metaRecord(), eventRecord('task_started', { turn_id: 'T1' }), eventRecord('user_message', { message: 'q1' }), eventRecord('task_complete', { turn_id: 'T1' })];
    const newer = [eventRecord('task_started', { turn_id: 'T2' }), eventRecord('user_message', { message: 'q2' }), eventRecord('agent_message', { message: 'a2' }), responseRecord('function_call', { name: 'f', arguments: '{}', call_id: 'c' }), `${JSON.stringify(eventRecord('agent_message', { message: 'glued' }))}x`];
    const whole = linesOf(fileOf([...older, ...newer])).map((each) => each.line);
    const tail = make(codexTailCheckpoint({ threadId: 'thread', historyMode: 'legacy' }));
    const shown = (list: readonly { type: string }[]) => list.filter(({ type }) => type !== 'thread.changed').map((fact) => [fact.type, (fact as { id?: string }).id?.replace(/^~item@.*$|^item-\d+$/, 'item')]);
    const all = make();
    const fromStart = whole.map((each) => all.play(each).facts).slice(older.length).flat();
    expect(shown(whole.slice(older.length).flatMap((each) => tail.play(each).facts))).toEqual(shown(fromStart));
    expect(isCodexTurnStart(whole[older.length]?.text)).toBe(true);
    expect(isCodexTurnStart(whole[0]?.text)).toBe(false);
    expect(isCodexTailExact(tail.checkpoint())).toBe(true);
    tail.play(lineOf(Buffer.from(`${JSON.stringify(eventRecord('thread_rolled_back', { num_turns: 2 }))}\n`), 9_000));
    expect(isCodexTailExact(tail.checkpoint())).toBe(false);
    expect(isCodexTailExact(null)).toBe(false);
  });
});
