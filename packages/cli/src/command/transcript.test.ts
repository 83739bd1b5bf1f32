import { PassThrough } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { run } from '../run.js';

const fixtures = fileURLToPath(new URL('../../../../fixtures/', import.meta.url));
const claude = `claude=${fixtures}claude/recorded/2.1.197/permission-prompts/home`;

async function ran(args: readonly string[]): Promise<{ exitCode: number; out: string; said: string }> {
  const [out, said]: [Buffer[], Buffer[]] = [[], []];
  const output = new PassThrough().on('data', (chunk: Buffer) => out.push(chunk));
  const errors = new PassThrough().on('data', (chunk: Buffer) => said.push(chunk));
  const exitCode = await run(args, { output, errors, env: {}, cwd: '/', homeDir: '/nonexistent', nowMs: () => 0 });
  return { exitCode, out: Buffer.concat(out).toString('utf8'), said: Buffer.concat(said).toString('utf8') };
}

describe('transcript, user-messages and plan', () => {
  it('[R-REST-1] print on one line for programs, else indented, and the same', async () => {
    const [json, indented] = [await ran(['transcript', 'last', '--json', '--home', claude]), await ran(['transcript', 'last', '--home', claude])];
    expect(json.out.trim().split('\n')).toHaveLength(1);
    expect(JSON.parse(json.out)).toEqual(JSON.parse(indented.out));
    expect(JSON.parse(json.out)).toMatchObject({ agent_id: 'main', has_more: false, items: [{ turnId: 't0', steps: [{}, {}, {}, {}, {}, {}, {}] }, {}, {}, {}] });
  });

  it('[R-REST-1] plans of a Claude session are those that it asked about, with what was decided', async () => {
    const { out } = await ran(['plan', 'last', '--json', '--home', claude]);
    expect(JSON.parse(out)).toMatchObject({ agent_id: 'main', plans: [{ tool_call_id: 'toolu_mock_3_0', turn_id: 't0', review: { state: 'rejected' } }, { plan: '# Plan v2', review: { state: 'approved' } }] });
    expect(JSON.parse((await ran(['plan', 'last', '--tool-call', 'toolu_mock_4_0', '--json', '--home', claude])).out)).toMatchObject({ plans: [{ plan: '# Plan v2' }] });
    expect(await ran(['plan', 'last', '--tool-call', 'toolu_mock_0_0', '--home', claude])).toMatchObject({ exitCode: 1, said: expect.stringContaining('no call toolu_mock_0_0') as string });
  });

  it('[R-REST-1] messages of an agent alone', async () => {
    expect(JSON.parse((await ran(['user-messages', 'last', '--agent', 'main', '--json', '--home', claude])).out)).toMatchObject({ agents: [{ agent_id: 'main', messages: [{ turn_id: 't0', prompt: 'go' }] }] });
  });

  it.each([
    [['--page-size', '0'], '--page-size'], [['--page-size', '101'], 'at most 100'], [['--before-turn', 't1', '--after-turn', 't0'], 'exclude each other'], [['--agent', '../main'], '--agent takes the id of an agent'],
  ])('[R-RPC-3] refuses %j', async (options, words) => {
    expect(await ran(['transcript', 'last', ...options, '--home', claude])).toMatchObject({ exitCode: 2, out: '', said: expect.stringContaining(words) as string });
  });

  it('[R-RPC-3] says that there is no such session', async () => {
    expect(await ran(['transcript', 'ffffffff', '--home', claude])).toMatchObject({ exitCode: 1, out: '' });
  });

  it('[R-OPS-11] plan says which revisions are not what their records say', async () => {
    const [whole, handmade] = [await ran(['plan', 'last', '--home', `kimi=${fixtures}kimi/recorded/2.1.0/enter-plan-mode/home`]), await ran(['plan', 'session_00000000-0000-4000-8000-000000000001', '--home', `kimi=${fixtures}kimi/handmade/home`])];
    expect([whole.said, handmade.said]).toEqual(['', 'tapefold: plan plan-1, version 1 (plan/plan-1/v1.md): its file is not there.\n']);
  });
});
