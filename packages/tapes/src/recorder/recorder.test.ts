import type { FactDraft, JsonValue } from '@tapefold/facts';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { temporaryFolder } from '../tape-bytes.suite.js';
import { readBlob } from '../writer/blobs.js';
import { readBack, requestOf, threadOf, watched } from './recorded.suite.js';

const home = temporaryFolder();
const refused = (call: () => unknown): unknown => { try { call(); return 'done'; } catch (error) { return (error as { code?: unknown }).code; } };

describe('[R-TAPE-7] a recorder', () => {
  it('records a turn as facts that every reader reads the same', async () => {
    const { tape, facts } = await watched(home, { details: { cwd: '/work', model: 'm1' } });
    const turn = tape.turn('Fix the test.');
    const step = turn.step({ model: 'm1' });
    const thinking = step.reasoning();
    thinking.delta('Let me look.');
    await thinking.complete({ summary: ['Looking'] });
    const message = step.message();
    message.delta('I will run ');
    message.delta('it.');
    await message.complete({ phase: 'commentary' });
    const call = step.call({ name: 'shell', input: { command: 'npm test' }, callId: 'call-1', body: { kind: 'command', command: 'npm test', source: 'agent', status: 'running', actions: [] } });
    const asked = turn.interaction({ kind: 'approval', request: { command: 'npm test' }, call: 'call-1' });
    asked.resolve('approved');
    call.delta('ok\n');
    await call.complete({ output: 'ok\n', exitCode: 0 });
    step.end({ finishReason: 'tool_use', usage: { inputTokens: 10, outputTokens: 5 } });
    await turn.step().message().complete({ text: 'It passes.' });
    turn.end();
    await tape.close();

    expect(facts).toEqual(readBack(tape.path));
    expect(facts.map(({ type }) => type)).toEqual([
      'thread.opened', 'thread.changed', 'turn.started', 'context.appended', 'input.received', 'input.placed', 'step.started', 'item.completed', 'context.appended', 'item.completed', 'context.appended',
      'context.appended', 'item.started', 'interaction.requested', 'interaction.resolved', 'item.completed', 'context.appended', 'usage.recorded', 'step.ended', 'step.started', 'item.completed', 'context.appended', 'step.ended', 'turn.ended',
    ]);
    expect(threadOf(facts)).toEqual(['t0 completed: t0.u0=userMessage t0.1.f1=reasoning t0.1.f2=agentMessage call-1=commandExecution t0.2.f1=agentMessage']);
    expect(facts[0]).toMatchObject({ type: 'thread.opened', threadId: tape.threadId, program: 'native', programVersion: '1.2', originator: 'test-agent', origin: { kind: 'custom', name: 'test-agent' }, details: { cwd: '/work', model: 'm1' } });
    expect(facts[1]).toMatchObject({ details: { firstPrompt: 'Fix the test.' } });
    expect(facts[15]).toMatchObject({ id: 'call-1', call: 'call-1', body: { kind: 'command', status: 'completed', output: 'ok\n', exitCode: 0 }, tool: { name: 'shell', output: 'ok\n' } });
  });

  it('has a call on the tape before it can run', async () => {
    const { tape } = await watched(home);
    tape.turn('go').step().call({ name: 'rm', input: { path: '/' } });
    expect(readFileSync(tape.path, 'utf8')).toContain('"type":"item.started"');
    expect(threadOf(readBack(tape.path))).toEqual(['t0 interrupted: t0.u0=userMessage t0.1.f1=dynamicToolCall']);
    await tape.close();
  });

  it('[R-LIVE-1] streams deltas with UTF-16 offsets, and puts none of them on the tape', async () => {
    const { tape, deltas, dropped } = await watched(home);
    const turn = tape.turn('go');
    const step = turn.step();
    const message = step.message();
    for (const text of ['😀', '', 'é', 'end']) message.delta(text);
    const thinking = step.reasoning();
    thinking.delta('a', { field: 'summary', index: 1 });
    thinking.delta('b');
    thinking.delta('c', { field: 'summary', index: 1 });
    const before = tape.factCount;
    expect(deltas.map(({ item, field, index, offset, text }) => [item, field, index, offset, text])).toEqual([
      ['t0.1.f1', 'text', undefined, 0, '😀'], ['t0.1.f1', 'text', undefined, 2, ''], ['t0.1.f1', 'text', undefined, 2, 'é'], ['t0.1.f1', 'text', undefined, 3, 'end'],
      ['t0.1.f2', 'summary', 1, 0, 'a'], ['t0.1.f2', 'content', 0, 0, 'b'], ['t0.1.f2', 'summary', 1, 1, 'c'],
    ]);
    expect(readFileSync(tape.path, 'utf8')).not.toContain('😀');
    await message.complete();
    thinking.drop();
    expect([tape.factCount - before, dropped]).toEqual([2, [{ turn: turn.key, item: 't0.1.f2' }]]);
    expect(readBack(tape.path).at(-2)).toMatchObject({ id: 't0.1.f1', body: { kind: 'agentMessage', text: '😀éend' } });
    await tape.close();
  });

  it('[R-LIVE-1] tells a completion with a barrier, and all behind it, only when it is on the disk, in order', async () => {
    const { tape, facts } = await watched(home);
    const turn = tape.turn('go');
    const told = facts.length;
    const through = turn.step().message().complete({ text: 'done', barrier: true });
    turn.end();
    expect([facts.length - told, tape.factCount]).toEqual([1, facts.length + 4]);
    await through;
    expect(facts.map(({ ordinal }) => ordinal)).toEqual(facts.map((_, i) => i));
    expect(facts.length).toBe(tape.factCount);
    await tape.close();
  });

  it('refuses what is out of order, and what no reader could read, and goes on', async () => {
    const { tape } = await watched(home);
    const turn = tape.turn('go');
    const step = turn.step();
    const message = step.message();
    await message.complete({ text: 'x' });
    let deep: JsonValue = null;
    for (let i = 0; i < 600; i += 1) deep = [deep];
    const count = tape.factCount;
    expect([
      refused(() => tape.turn('again')), refused(() => tape.undo()), refused(() => message.delta('x')), refused(() => step.call({ name: 'x', input: deep })), refused(() => step.call({ name: 'x', input: Number.NaN })),
      refused(() => tape.append({ type: 'turn.changed', turn: 'no key' })), refused(() => tape.append({ type: 'tomorrow' } as unknown as FactDraft)),
    ]).toEqual(['outOfOrder', 'outOfOrder', 'outOfOrder', 'badFact', 'badFact', 'badFact', 'badFact']);
    await expect(message.complete({ text: 'y' })).rejects.toThrow('item t0.1.f1 is complete already, so nothing was written');
    turn.end();
    expect([refused(() => turn.end()), refused(() => step.message()), refused(() => step.end()), refused(() => turn.steer('x'))]).toEqual(['outOfOrder', 'outOfOrder', 'outOfOrder', 'outOfOrder']);
    expect(tape.factCount).toBe(count + 2);
    await tape.close();
    expect(refused(() => tape.turn('x'))).toBe('closed');
    readBack(tape.path);
  });

  it('a sink that throws harms neither tape nor agent', async () => {
    const errors: unknown[] = [];
    const { tape } = await watched(home, { onFact: () => { throw new Error('mine'); }, onSinkError: (error) => void errors.push(error) });
    tape.turn('go').end();
    expect(errors.length).toBe(tape.factCount);
    await tape.close();
    const warned = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
    const other = await watched(home, { onFact: () => { throw new Error('mine'); } });
    expect(warned).toHaveBeenCalledTimes(1);
    warned.mockRestore();
    await other.tape.close();
  });

  it('[R-TAPE-8] texts over 32 KiB are told as readers get them and read back whole; documents lie beside the tape', async () => {
    const { tape, facts, context } = await watched(home);
    const long = '日'.repeat(40_000);
    const turn = tape.turn(long);
    expect(facts).toEqual(readBack(tape.path));
    expect(facts.every((fact) => JSON.stringify(fact).length < 30_000)).toBe(true);
    expect(requestOf({ tape, context })).toEqual([`user: ${long}`]);
    expect(tape.value({ tape: 'native/other', line: { offset: 0, length: 5 }, record: 0, path: [] })).toBeUndefined();
    expect(tape.value({ tape: tape.tape, line: { offset: 7, length: 5 }, record: 0, path: [] })).toBeUndefined();
    const plan = await tape.plan(long, { version: 1 });
    const output = await tape.document(new Uint8Array(50_000), { mediaType: 'application/octet-stream' });
    expect((await readBlob(dirname(tape.path), plan)).toString()).toBe(long);
    expect(readBack(tape.path).slice(-2)).toMatchObject([
      { type: 'plan.revised', ...plan, planId: 'plan', version: 1 }, { type: 'media.referenced', ...output, mediaType: 'application/octet-stream', ownerTape: tape.tape },
    ]);
    turn.end();
    await tape.close();
  });

  it('records what else an agent does', async () => {
    const { tape } = await watched(home, { parent: { threadId: '0199aaaa-0000-7000-8000-000000000000', depth: 2, call: 'call-9' }, details: { agentRole: 'explorer', agentNickname: 'Ada' } });
    const turn = tape.turn([{ kind: 'text', text: 'look' }, { kind: 'image', source: { url: 'data:image/png;base64,AA==' } }], { clientId: 'c', origin: { kind: 'agent' } });
    turn.steer('faster');
    turn.notify('task is done', { origin: { kind: 'task', taskId: 'x' }, visibility: 'injected' });
    const step = turn.step();
    await step.item({ kind: 'plan', text: 'first' });
    await turn.item({ kind: 'reviewEntered' });
    const call = step.call({ name: 'spawn', input: 'text', form: 'text' });
    call.progress({ kind: 'progress', percent: 50 });
    const task = tape.task({ kind: 'shell', description: 'server', call: call.callId });
    task.change({ outputTail: 'up' });
    task.end({ status: 'completed', summary: 'done' });
    await call.complete({ output: 'no', status: 'declined' });
    tape.todos([{ title: 'a', status: 'pending' }], 'why');
    tape.configure({ model: 'm2', cwd: '/there' });
    tape.inject({ role: 'developer', content: 'be brief' });
    tape.usage({ inputTokens: 1 }, { model: 'm2' });
    tape.notice('warning', 'slow', 'The provider is slow.');
    tape.describe({ name: 'A name', isArchived: true });
    turn.end({ status: 'failed', error: { message: 'it broke' } });
    expect([refused(() => task.end({ status: 'lost' })), refused(() => call.drop())]).toEqual(['outOfOrder', 'outOfOrder']);
    await tape.close();
    const facts = readBack(tape.path);
    expect(facts.slice(0, 3)).toMatchObject([
      { type: 'thread.opened', sessionId: '0199aaaa-0000-7000-8000-000000000000', origin: { kind: 'subAgent', role: 'threadSpawn', spawn: { depth: 2, nickname: 'Ada', agentRole: 'explorer' } } }, { type: 'thread.linked', relation: 'parent' }, { type: 'agent.described', kind: 'sub', parentCall: 'call-9' },
    ]);
    expect(threadOf(facts)).toEqual(['t0 failed: t0.u0=userMessage t0.u1=userMessage t0.1.f1=plan t0.0.f1=enteredReviewMode t0.1.f2=dynamicToolCall']);
  });
});

describe('[R-TAPE-7] a tape that is opened again', () => {
  it('goes on with the ids, the context and the thread where the dead run stopped', async () => {
    const first = await watched(home, { threadId: 'my-thread' });
    const turn = first.tape.turn('one');
    await turn.step().message().complete({ text: 'first answer' });
    turn.end();
    first.tape.turn('two').step().call({ name: 'sleep', input: { seconds: 60 } });
    // The process dies here: the tape is left, and its last line torn.
    await first.tape.close();
    writeFileSync(first.tape.path, `${readFileSync(first.tape.path, 'utf8')}{"ordinal":${first.tape.factCount},"type":"item.comp`);

    const second = await watched(home, { threadId: 'my-thread' });
    expect([second.tape.isNew, second.tape.factCount, second.tape.threadId]).toEqual([false, first.tape.factCount, 'my-thread']);
    expect(second.facts).toEqual(first.facts);
    expect(JSON.stringify(second.context())).toBe(JSON.stringify(first.context()));
    expect(requestOf(second)).toEqual(['user: one', 'assistant: first answer', 'user: two', 'function_call "{\\"seconds\\":60}"', 'function_call_output "The outcome of this call is unknown: no result was recorded."']);
    const third = second.tape.turn('three');
    expect(third.id).toBe('t2');
    third.end();
    await second.tape.close();
    expect(second.facts).toEqual(readBack(second.tape.path));
    expect(threadOf(second.facts)).toEqual(['t0 completed: t0.u0=userMessage t0.1.f1=agentMessage', 't1 interrupted: t1.u0=userMessage t1.1.f1=dynamicToolCall', 't2 completed: t2.u0=userMessage']);
    expect(second.facts.filter(({ type }) => type === 'thread.opened').length).toBe(1);
  });

  it('ids that lead out of the home are none', async () => {
    for (const threadId of ['../x', 'a/b', '', '.', '..', 'x'.repeat(200), 'a\0']) await expect(watched(home, { threadId }), threadId).rejects.toMatchObject({ code: 'badName' });
    const { tape } = await watched(home);
    expect(tape.threadId).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(tape.path).toBe(join(home, tape.threadId, 'tape.jsonl'));
    await tape.close();
  });
});

describe('[R-TAPE-7] what is taken back', () => {
  const spoken = async () => {
    const all = await watched(home);
    for (const words of ['one', 'two', 'three']) {
      const turn = all.tape.turn(words);
      await turn.step().message().complete({ text: `re: ${words}` });
      turn.end();
    }
    return all;
  };

  it('undo, rollback and redo are facts; nothing is removed, and a resumed recorder knows them', async () => {
    const { tape, facts, context } = await spoken();
    expect(tape.undo().length).toBe(1);
    expect(requestOf({ tape, context })).toEqual(['user: one', 'assistant: re: one', 'user: two', 'assistant: re: two']);
    expect(tape.redo().length).toBe(1);
    expect(tape.redo()).toEqual([]);
    expect(requestOf({ tape, context }).length).toBe(6);
    tape.undo();
    await tape.close();
    const again = await watched(home, { threadId: tape.threadId });
    expect(again.tape.rollback(99).length).toBe(2);
    expect(requestOf(again)).toEqual([]);
    // Only what the last one took comes back.
    expect(again.tape.redo().length).toBe(2);
    expect(requestOf(again)).toEqual(['user: one', 'assistant: re: one', 'user: two', 'assistant: re: two']);
    const next = again.tape.turn('four');
    expect(next.id).toBe('t3');
    next.end();
    expect(again.tape.redo()).toEqual([]);
    await again.tape.close();
    expect(facts).toEqual(again.facts.slice(0, facts.length));
    expect(threadOf(readBack(tape.path)).map((turn) => turn.split(' ')[0])).toEqual(['t0', 't1', 't3']);
    expect(again.tape.threadId).toBe(tape.threadId);
  });

  it('a compaction of the turns that are taken back never happened', async () => {
    const { tape, context } = await spoken();
    tape.compact({ summary: 'They said three things.', keepTurns: 1, trigger: 'auto', tokensBefore: 100 });
    expect(requestOf({ tape, context })).toEqual(['user: They said three things.', 'user: three', 'assistant: re: three']);
    tape.turn('four').end();
    expect(requestOf({ tape, context })).toEqual(['user: They said three things.', 'user: three', 'assistant: re: three', 'user: four']);
    tape.undo();
    expect(requestOf({ tape, context })).toEqual(['user: They said three things.', 'user: three', 'assistant: re: three']);
    tape.undo();
    expect(requestOf({ tape, context })).toEqual(['user: one', 'assistant: re: one', 'user: two', 'assistant: re: two']);
    tape.clearContext();
    expect(requestOf({ tape, context })).toEqual([]);
    await tape.close();
    expect(threadOf(readBack(tape.path))[1]).toMatch(/^t1 completed: /);
  });

  it('a failed attempt takes back what it put on the tape, and the step goes on', async () => {
    const { tape, facts, context } = await watched(home);
    const turn = tape.turn('go');
    const step = turn.step();
    await step.message().complete({ text: 'half an ans' });
    const lost = step.message();
    lost.delta('wer');
    lost.drop();
    step.retry({ message: 'overloaded', statusCode: 529, failedAttempt: 1 });
    await step.message().complete({ text: 'an answer' });
    step.retry();
    step.retry();
    await step.message().complete({ text: 'the answer' });
    step.end();
    turn.end();
    expect(requestOf({ tape, context })).toEqual(['user: go', 'assistant: the answer']);
    expect(threadOf(facts)).toEqual(['t0 completed: t0.u0=userMessage t0.1.f4=agentMessage']);
    expect(facts).toEqual(readBack(tape.path));
    await tape.close();
  });
});
