import { threadSchema } from '@tapefold/threads';
import { RpcServer } from '@tapefold/testing';
import { chmodSync, cpSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { folder, kimiCliSamples, kimiSamples, samples, tapefold } from './built.suite.js';

const labels = '7d2f9b61-0c84-4e3a-b5d7-3f61a8c2e904';
const killed = 'b90c47de-52a1-4f6e-8c3d-16e0f7a9d204';
const archived = '2ae6d5f0-9b1c-4d07-a3e8-c40b7f915d04';
const sub = '7d0ab8c9-f79f-51f0-a54a-79c1d04fcd89';
const recipes = '4f8c1d92-7b3e-4a60-9d15-e2c6b0a73f04';
const oldest = '9b6e2f40-51d8-4c37-a0e9-7f15c3d28b04';
const cliSub = 'd849bebb-51d3-5ff7-93b8-7cd418793045';
const workspace = 'sessions/wd_label-printer_7759e3e70ead';
const bucket = 'sessions/049f70c0347a9190682800dfd290ccb2';
const both = ['--home', `kimi=${kimiSamples}`, '--home', `kimi=${kimiCliSamples}`];
const recorded = fileURLToPath(new URL('../../../fixtures/kimi/recorded/2.1.0', import.meta.url));

const json = (text: string): unknown => JSON.parse(text) as unknown;
const threadsOf = (text: string): z.infer<typeof threadSchema>[] => z.array(threadSchema).parse(json(text));
const idsOf = (text: string): Set<string> => new Set(threadsOf(text).map(({ id }) => id));

describe('list', () => {
  test('[R-TAPE-6] shows the sessions of both programs of that name, each home told by its content', () => {
    expect(idsOf(tapefold(['list', '--json', ...both]).out)).toEqual(new Set([labels, killed, recipes, oldest]));
    expect(idsOf(tapefold(['list', '--json', '--home', `kimi=${kimiCliSamples}`]).out)).toEqual(new Set([recipes, oldest]));
    expect(idsOf(tapefold(['list', '--json', '--all', '--archived', ...both]).out)).toEqual(new Set([labels, killed, archived, sub, recipes, oldest, cliSub]));
    const { out, err } = tapefold(['list', '--all', '--archived', ...both]);
    expect(err).toBe('');
    expect(out).toMatch(/7d2f9b61-0c84 .* kimi {3}Labels printed twice .* 2 {2}✓ completed\n7d0ab8c9-f79f .* ↳ Find callers of sendJob /);
    expect(out).toMatch(/4f8c1d92-7b3e .* Cups to grams .*\/home\/sam\/projects\/recipes .* 3 {2}■ interrupted\nd849bebb-51d3 .* ↳ Weights of a cup /);
    expect(out).toMatch(/b90c47de-52a1 .* ■ interrupted\n/);
    expect(out).toMatch(/2ae6d5f0-9b1c .* \[archived\] Paper sizes /);
  });

  test('--agent and --preview speak Kimi', () => {
    const all = [...both, '--home', `codex=${samples}`];
    expect(threadsOf(tapefold(['list', '--json', '--agent', 'kimi', ...all]).out)).toHaveLength(4);
    const { out } = tapefold(['list', '--preview', '--agent', 'kimi', ...all]);
    expect(out).toContain('The slow printer prints each label once');
    expect(out).toContain('The bread: 18 hours.');
    expect(out).not.toContain('Raise the timeout');
  });
});

describe('show', () => {
  test('is the transcript: tools by what they do, the sub-agent, the refusal, and not the turn that was undone', () => {
    const { out } = tapefold(['show', labels.slice(0, 8), ...both]);
    expect(out).toContain('- agent    kimi\n- model    kimi-k2 (on) by moonshot\n');
    expect(out).toContain('    [~] Find the retry\n');
    expect(out).toContain(`Sub-agent \`${sub}\` was started\n`);
    expect(out).toContain('`Read src/client.ts` completed');
    expect(out).toContain('- ✗ `npm test -- client` exited with 1 · 3.1 s');
    expect(out).toContain('- ⊘ `git push` was declined');
    expect(out).not.toContain('Raise the timeout');
    expect(tapefold(['show', killed, ...both]).out).toContain('- ◌ `npm run test-page -- --printer door` outcome unknown: it may have run');
  });

  test('of kimi-cli: arguments that came in pieces, the sub-agent inside, the compaction, the rejected command', () => {
    const { out } = tapefold(['show', recipes, ...both]);
    expect(out).toContain('- ✓ `ReadFile pancakes.md` completed');
    expect(out).toContain(`    \`${cliSub}\` completed: Flour 120 g, milk 240 g (notes.txt).`);
    expect(out).toContain('── ≡ Context was compacted');
    expect(out).toContain('- ⊘ `rm *.bak` was declined');
    expect(out).toMatch(/## Turn 3 .* ■ was interrupted/);
    expect(tapefold(['show', cliSub, ...both]).out).toContain('`Grep cup in notes.txt` completed');
    expect(tapefold(['show', oldest, ...both]).out).toContain('- ✓ `Grep min|hour in .` completed');
  });

  test.each([labels, `session_${labels}`, 'session_7d2f', labels.toUpperCase()])('[R-THR-1] takes %s for the session', (id) => {
    expect(tapefold(['show', id, ...both]).out).toContain(`- id       ${labels}\n`);
  });

  test.each([sub, sub.slice(0, 13), 'agent-0'])('[R-THR-1] takes %s for the sub-agent', (id) => {
    expect(tapefold(['show', id, ...both]).out).toContain(`- id       ${sub}\n`);
  });

  test('--json is a Thread object', () => {
    const { thread } = z.strictObject({ thread: threadSchema }).parse(json(tapefold(['show', labels, '--json', ...both]).out));
    expect(thread.turns.map(({ id, status }) => [id, status])).toEqual([['t0', 'completed'], ['t1', 'completed']]);
    expect(thread).toMatchObject({ source: 'cli', modelProvider: 'moonshot', name: 'Labels printed twice' });
  });
});

describe('facts, doctor, why, preview, context', () => {
  test('[R-TAPE-2] every ledger adds up, and facts are as many as it says', () => {
    const { out, code } = tapefold(['doctor', ...both]);
    expect([code, out.includes('✓ Every ledger adds up.'), out.includes(' 0 unknown, 0 damaged')]).toEqual([0, true, true]);
    const [report] = z.array(z.looseObject({ facts: z.number(), addsUp: z.literal(true), threadId: z.literal(recipes) })).parse(json(tapefold(['doctor', recipes, '--json', ...both]).out));
    expect(tapefold(['facts', recipes, ...both]).out.split('\n')).toHaveLength((report?.facts ?? 0) + 1);
    const path = join(kimiSamples, workspace, `session_${labels}`, 'agents/agent-0/wire.jsonl');
    expect(tapefold(['doctor', path, '--json', '--home', `codex=${samples}`]).out).toContain(`"threadId":"${sub}"`);
  });

  test('[R-TAPE-6] why names what is no session, too', () => {
    const why = (what: string, cwd = kimiSamples): string => tapefold(['why', what, ...both], { cwd }).out;
    expect(why(labels)).toMatch(/^✓ listed/);
    expect(why(sub)).toMatch(/^✗ not listed · .*\n.*tapefold list --all/);
    expect(why(archived)).toMatch(/^✗ not listed · .*\n.*tapefold list --archived/);
    expect(why(`${workspace}/session_${labels}/state.json`)).toMatch(/what sessions are called/);
    expect(why(`${bucket}/${recipes}/context.jsonl`, kimiCliSamples)).toMatch(/as the model read it, kept beside the log/);
  }, 120_000);

  test('preview is of what still counts', () => {
    const { out } = tapefold(['preview', labels, ...both]);
    expect(out).toContain('The slow printer prints each label once');
    expect(out).not.toContain('A minute would only hide it');
  });

  test('context is what the model reads next', () => {
    const { out, err, code } = tapefold(['context', labels, '--json', ...both]);
    expect([err, code]).toEqual(['', 0]);
    expect(out).toContain('Write the test with the slow printer.');
    expect(out).not.toContain('Raise the timeout');
    const cli = tapefold(['context', recipes, '--json', ...both]);
    expect(cli.code).toBe(0);
    expect(cli.out).toContain('Now delete the backups.');
    expect(cli.out).not.toContain('"/compact"');
  });
});

describe('homes', () => {
  test('KIMI_CODE_HOME or ~/.kimi-code, and KIMI_SHARE_DIR or ~/.kimi', () => {
    const user = folder();
    symlinkSync(kimiSamples, join(user, '.kimi-code'));
    expect(idsOf(tapefold(['list', '--json'], { env: { HOME: user } }).out)).toEqual(new Set([labels, killed]));
    symlinkSync(kimiCliSamples, join(user, '.kimi'));
    expect(idsOf(tapefold(['list', '--json'], { env: { HOME: user } }).out)).toEqual(new Set([labels, killed, recipes, oldest]));
    expect(idsOf(tapefold(['list', '--json'], { env: { KIMI_SHARE_DIR: kimiCliSamples } }).out)).toEqual(new Set([recipes, oldest]));
    expect(idsOf(tapefold(['list', '--json'], { env: { KIMI_CODE_HOME: kimiSamples, KIMI_SHARE_DIR: '/nowhere' } }).out)).toEqual(new Set([labels, killed]));
  });

  test('[R-TAPE-6] what cannot be read is said, the rest is shown, and nothing of a home is touched', () => {
    const own = folder();
    cpSync(join(recorded, 'fork-cli/home'), own, { recursive: true });
    const [place = ''] = readdirSync(join(own, 'sessions')).filter((name) => name.startsWith('wd_'));
    const [first = '', second = ''] = readdirSync(join(own, 'sessions', place));
    writeFileSync(join(own, 'sessions', place, first, 'state.json'), '{"title": "cut of');
    mkdirSync(join(own, 'sessions', place, second, 'agents/agent-7/wire.jsonl'), { recursive: true });
    chmodSync(join(own, 'sessions', place, second, 'state.json'), 0o444);
    const seen = (): unknown => readdirSync(own, { recursive: true, encoding: 'utf8' }).sort().map((name) => [name, statSync(join(own, name)).mtimeMs]);
    const before = seen();
    const { out, err, code } = tapefold(['list', '--home', `kimi=${own}`]);
    expect(code).toBe(0);
    expect(out).toContain('its state.json is no JSON object');
    expect(out.match(/ kimi /g)).toHaveLength(2);
    expect(err).toMatch(/agent-7\/wire\.jsonl is a folder where a session file should be\.\n$/);
    for (const command of ['show', 'doctor']) expect(tapefold([command, first, '--home', `kimi=${own}`]).code).toBe(0);
    expect(seen()).toEqual(before);
  }, 120_000);
});

describe('serve', () => {
  interface Listed { readonly data: readonly { readonly id: string; readonly source: unknown; readonly modelProvider: string }[] }

  test('[R-THR-1] lists sessions of Kimi as a Codex client shows them, beside those of Codex, and reads them', async () => {
    const server = new RpcServer(samples, ['serve', ...both, '--home', `codex=${samples}`]);
    await server.initialize();
    const listed = (await server.call('thread/list', { limit: 50 })).result as Listed;
    expect(new Map(listed.data.filter(({ modelProvider }) => modelProvider === 'moonshot').map(({ id, source }) => [id, source]))).toEqual(new Map([[labels, 'cli'], [killed, 'cli'], [recipes, 'cli'], [oldest, 'cli']]));
    expect(listed.data.some(({ modelProvider }) => modelProvider === 'openai')).toBe(true);
    const archive = (await server.call('thread/list', { archived: true })).result as Listed;
    expect(archive.data.map(({ id }) => id)).toContain(archived);
    const subAgents = (await server.call('thread/list', { sourceKinds: ['subAgent'], modelProviders: [] })).result as Listed;
    expect(subAgents.data.map(({ id }) => id)).toEqual(expect.arrayContaining([sub, cliSub]));
    const { thread } = (await server.call('thread/read', { threadId: sub, includeTurns: true })).result as { thread: unknown };
    expect(threadSchema.parse(thread)).toMatchObject({ id: sub, parentThreadId: labels, agentRole: 'explore', turns: [{ status: 'completed' }] });
    const turns = (await server.call('thread/turns/list', { threadId: labels, limit: 1 })).result as { data: readonly { readonly id: string }[]; nextCursor: string | null };
    expect([turns.data.map(({ id }) => id), turns.nextCursor === null]).toEqual([['t1'], false]);
    const found = (await server.call('thread/search', { searchTerm: 'queue gives up after two seconds' })).result as { data: readonly { readonly thread: { readonly id: string } }[] };
    expect(found.data.map((hit) => hit.thread.id)).toEqual([labels]);
    expect(await server.end()).toBe(0);
  });
});
