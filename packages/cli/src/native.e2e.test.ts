import { createNativePlayer } from '@tapefold/dialects';
import { openTape } from '@tapefold/tapes';
import { RpcServer } from '@tapefold/testing';
import { threadSchema } from '@tapefold/threads';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { folder, samples, tapefold } from './built.suite.js';

const data = folder();
const home = join(data, 'tapes');
const named = ['--home', `native=${home}`];
let id = '';

beforeAll(async () => {
  const tape = await openTape({ home, createPlayer: createNativePlayer, agent: { name: 'counting-agent', version: '1.0' }, details: { cwd: '/home/sam/work', model: 'script-1', modelProvider: 'none' } });
  id = tape.threadId;
  const turn = tape.turn('Run the tests.');
  const step = turn.step();
  await step.message().complete({ text: 'I will run them.' });
  const call = step.call({ name: 'shell', callId: 'call-1', input: { command: 'npm test' }, body: { kind: 'command', command: 'npm test', source: 'agent', status: 'running', actions: [] } });
  await call.complete({ output: 'ok', exitCode: 0 });
  await turn.step().message().complete({ text: 'They pass.' });
  turn.end();
  tape.turn('Push it.').step().call({ name: 'shell', callId: 'call-2', input: { command: 'git push' }, body: { kind: 'command', command: 'git push', source: 'agent', status: 'running', actions: [] } });
  await tape.close();
});

const json = (text: string): unknown => JSON.parse(text) as unknown;

describe('[R-TAPE-7] native tapes on the command line', () => {
  test('are found in the home that is named, and in the data folder', { timeout: 60_000 }, () => {
    for (const { out, err } of [tapefold(['list', '--json', ...named]), tapefold(['list', '--json'], { env: { TAPEFOLD_HOME: data } }), tapefold(['list', '--json', '--agent', 'native', ...named, '--home', `codex=${samples}`])]) {
      expect(err).toBe('');
      expect(z.array(threadSchema).parse(json(out)).map((thread) => [thread.id, thread.preview, thread.source])).toEqual([[id, 'Run the tests.', 'cli']]);
    }
    expect(tapefold(['list', ...named]).out).toMatch(/ native .* Run the tests\./);
  });

  test('show what was said and done, and that a call may have run', { timeout: 60_000 }, () => {
    const { out } = tapefold(['show', 'last', ...named]);
    expect(out).toContain('- agent    native');
    expect(out).toContain('- ✓ `npm test` exited with 0');
    expect(out).toContain('`git push` outcome unknown: it may have run');
    expect(tapefold(['preview', id, ...named]).out).toContain('They pass.');
  });

  test('give facts, a ledger that adds up, and the request that the model gets next', { timeout: 60_000 }, () => {
    const facts = tapefold(['facts', id, ...named]).out.trim().split('\n').map(json);
    const [report] = z.array(z.looseObject({ facts: z.number(), addsUp: z.literal(true), threadId: z.literal(id) })).parse(json(tapefold(['doctor', id, '--json', ...named]).out));
    expect(report?.facts).toBe(facts.length);
    expect(tapefold(['doctor', join(home, id, 'tape.jsonl')]).out).toContain(id);
    const request = z.looseObject({ provider: z.literal('responses'), input: z.array(z.looseObject({ type: z.string() })) }).parse(json(tapefold(['context', id, '--json', ...named]).out));
    expect(request.input.map(({ type }) => type)).toEqual(['message', 'message', 'function_call', 'function_call_output', 'message', 'message', 'function_call', 'function_call_output']);
    expect(request.input.at(-1)).toMatchObject({ call_id: 'call-2', output: expect.stringContaining('unknown') as string });
    expect(tapefold(['why', id, ...named]).out).toMatch(/^✓ listed/);
  });

  test('[R-RPC-1] are served to clients of Codex', async () => {
    const server = new RpcServer(folder(), ['serve', ...named]);
    await server.initialize();
    const list = (await server.call('thread/list', {})).result as { data: { id: string }[] };
    expect(list.data.map((thread) => thread.id)).toEqual([id]);
    const read = (await server.call('thread/read', { threadId: id, includeTurns: true })).result as { thread: { turns: { id: string; status: string }[] } };
    expect(read.thread.turns).toMatchObject([{ id: 't0', status: 'completed' }, { id: 't1', status: 'interrupted' }]);
    expect(await server.end()).toBe(0);
  });
});
