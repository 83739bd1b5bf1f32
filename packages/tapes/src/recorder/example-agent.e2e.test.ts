import { createNativePlayer } from '@tapefold/dialects';
import { spawn } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../tape-bytes.suite.js';
import { liveWriterOf } from '../writer/tape-lock.js';
import { readBack, threadOf } from './recorded.suite.js';
import { openTape } from './open-tape.js';

const root = temporaryFolder();
const folder = fileURLToPath(new URL('../../../../examples/agent/', import.meta.url));

interface Run { readonly output: string; readonly signal: NodeJS.Signals | null; readonly pid: number }

/** Runs the agent; killed as soon as its output matches. */
function runAgent(args: readonly string[], killAt?: RegExp): Promise<Run> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [join(folder, 'agent.mjs'), ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
    let [output, errors] = ['', ''];
    child.stdout.on('data', (data) => {
      output += String(data);
      if (killAt?.test(output)) child.kill('SIGKILL');
    });
    child.stderr.on('data', (data) => (errors += String(data)));
    child.on('error', reject);
    child.on('close', (_, signal) => (errors === '' ? resolve({ output, signal, pid: child.pid ?? 0 }) : reject(new Error(errors))));
  });
}

const message = (role: string, text: string) => ({ type: 'message', role, content: [{ type: role === 'assistant' ? 'output_text' : 'input_text', text }] });
const call = (id: string, to: number) => ({ type: 'function_call', call_id: id, name: 'count', arguments: JSON.stringify({ to }) });
const result = (id: string, output: string) => ({ type: 'function_call_output', call_id: id, output });
const requestsIn = (file: string): unknown[] => readFileSync(file, 'utf8').trim().split('\n').map((line) => JSON.parse(line) as unknown);

describe('[R-TAPE-7] the example agent', () => {
  it('is killed in the middle of a call, resumes from its tape, and its model gets the right context', { timeout: 60_000 }, async () => {
    const home = join(root, 'home');
    const [before, after] = [join(root, 'before.jsonl'), join(root, 'after.jsonl')];
    const killed = await runAgent(['--home', home, '--requests', before, '--delay', '100', 'Count to 4.'], /1 2 /);
    expect(killed.signal).toBe('SIGKILL');
    const [threadId = ''] = readdirSync(home);
    expect(liveWriterOf(join(home, threadId))).toBeUndefined();
    const spoken = [message('developer', 'You count. Use the tool.'), message('user', 'Count to 4.')];
    expect(requestsIn(before)).toEqual([spoken]);

    const resumed = await runAgent(['--home', home, '--thread', threadId, '--requests', after, '--delay', '0', 'Go on.']);
    expect(resumed.output).toContain(`going on with ${threadId}`);
    expect(resumed.output).toContain('I counted: 1 2 3 4.');
    const known = [...spoken, message('assistant', 'I will count to 4. '), call('count-1', 4), result('count-1', 'The outcome of this call is unknown: no result was recorded.'), message('user', 'Go on.')];
    expect(requestsIn(after)).toEqual([known, [...known, message('assistant', 'The last count was cut off, so I begin again. '), call('count-2', 4), result('count-2', '1 2 3 4')]]);

    // Whoever reads the tape sees the same story, and nothing of what only streamed.
    const path = join(home, threadId, 'tape.jsonl');
    expect(threadOf(readBack(path))).toEqual(['t0 interrupted: t0.u0=userMessage t0.1.f1=agentMessage count-1=dynamicToolCall', 't1 completed: t1.u0=userMessage t1.1.f1=agentMessage count-2=dynamicToolCall t1.2.f1=agentMessage']);
    expect(readFileSync(path, 'utf8')).not.toContain('1 2 "');
    const tape = await openTape({ home, threadId, createPlayer: createNativePlayer, agent: { name: 'x' } });
    expect(tape.isNew).toBe(false);
    await tape.close();
  });

  it('is what the tutorial shows, word for word', () => {
    const program = readFileSync(join(folder, 'agent.mjs'), 'utf8');
    const tutorial = readFileSync(join(folder, '../../docs/tutorial.md'), 'utf8');
    const blocks = [...tutorial.matchAll(/```js\n([\s\S]*?)```/g)].map(([, code = '']) => code.trim());
    expect(blocks.length).toBeGreaterThan(4);
    expect(blocks.filter((code) => !program.includes(code))).toEqual([]);
  });
});
