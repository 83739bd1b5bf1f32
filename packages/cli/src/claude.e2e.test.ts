import { threadSchema } from '@tapefold/threads';
import { RpcServer } from '@tapefold/testing';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { claudeSamples, folder, samples, shell, tapefold } from './built.suite.js';

const csv = '5b1f7c3e-8a42-4d0b-9f63-2c7de1a4b508';
const map = 'c8e4d910-37fb-4a6c-b1d5-90af26e3b508';
const sub = 'b260ca3e-078b-5ef0-86eb-a23a8d416032';
const aborted = '1d0c5a7e-64b2-4f19-8e3a-7b90c2f1b508';
const agent = 'a3f09c2d1b7e84655';
const home = `claude=${claudeSamples}`;
const both = ['--home', home, '--home', `codex=${samples}`];

const json = (text: string): unknown => JSON.parse(text) as unknown;
const threadsOf = (text: string): z.infer<typeof threadSchema>[] => z.array(threadSchema).parse(json(text));
const idsOf = (text: string): Set<string> => new Set(threadsOf(text).map(({ id }) => id));

describe('list', () => {
  test('shows the sessions of Claude Code, sub-agents below them when asked, and nothing that is no session', () => {
    expect(idsOf(tapefold(['list', '--json', '--home', home]).out)).toEqual(new Set([csv, map]));
    expect(idsOf(tapefold(['list', '--json', '--all', '--home', home]).out)).toEqual(new Set([csv, map, sub]));
    const { out, err } = tapefold(['list', '--all', '--home', home]);
    expect(err).toBe('');
    expect(out).toMatch(/5b1f7c3e-8a42 .* claude {2}CSV export in UTC .* 2 {2}✓ completed\nb260ca3e-078b .* ↳ Find date formatting /);
    expect(out).toMatch(/c8e4d910-37fb .* Why does the map take five seconds to open\? .* 3 {2}✓ completed/);
  });

  test('is one list over the homes of both agents, or of one of them', () => {
    expect(threadsOf(tapefold(['list', '--json', ...both]).out)).toHaveLength(5);
    expect(idsOf(tapefold(['list', '--json', '--agent', 'claude', ...both]).out)).toEqual(new Set([csv, map]));
    expect(threadsOf(tapefold(['list', '--json', '--agent', 'codex', ...both]).out)).toHaveLength(3);
    expect(tapefold(['list', '--agent', 'gemini', ...both]).code).toBe(2);
  });

  test('--preview says the newest words', () => {
    expect(tapefold(['list', '--preview', '--agent', 'claude', ...both]).out).toContain('› Put "seen (UTC)" into the header line');
  });
});

describe('show', () => {
  test('is the transcript: tools by what they do, the sub-agent, the refusal, and not the prompt that was taken back', () => {
    const { out, err, code } = tapefold(['show', 'agent-x', '--home', home]);
    expect([out, err.includes('no thread has the id'), code]).toEqual(['', true, 1]);
    const shown = tapefold(['show', csv.slice(0, 8), '--home', home]).out;
    expect(shown).toContain('- agent    claude 2.1.197\n- model    claude-sonnet-4-5 by anthropic\n');
    expect(shown).toContain('- ✓ List of 3 tasks was written\n    [~] Find where dates are written\n');
    expect(shown).toContain(`- ✓ Sub-agent \`${sub}\` was started\n`);
    expect(shown).toContain('- ✓ `Read src/csv.ts` completed\n');
    expect(shown).toContain('    … 892 lines hidden …\n');
    expect(shown).toContain('- ⊘ `git push origin csv-export` was declined\n');
    expect(shown).not.toContain('Europe/Berlin');
    expect(tapefold(['show', map, '--home', home]).out).toContain('── ≡ Context was compacted');
  });

  test('--full has outputs whole that the session file has not', () => {
    expect(tapefold(['show', csv, '--full', '--home', home]).out.match(/case-\d+\.test\.ts/g)).toHaveLength(900);
    const { thread } = z.strictObject({ thread: threadSchema }).parse(json(tapefold(['show', csv, '--json', '--home', home]).out));
    expect(thread.turns.map(({ items }) => items.length)).toEqual([10, 7]);
    expect(thread).toMatchObject({ source: 'cli', originator: 'cli', modelProvider: 'anthropic' });
  });

  test.each([sub, sub.slice(0, 13), agent, `agent-${agent}`, 'a3f0'])('[R-THR-1] takes %s for the sub-agent', (id) => {
    expect(tapefold(['show', id, '--home', home]).out).toContain(`- id       ${sub}\n`);
  });
});

describe('facts, doctor, why, preview, context', () => {
  test('[R-TAPE-2] every ledger adds up, and facts are as many as it says', () => {
    const { out, code } = tapefold(['doctor', '--home', home]);
    expect([code, out.includes('✓ Every ledger adds up.')]).toEqual([0, true]);
    const [report] = z.array(z.looseObject({ facts: z.number(), addsUp: z.literal(true), threadId: z.literal(csv) })).parse(json(tapefold(['doctor', csv, '--json', '--home', home]).out));
    expect(tapefold(['facts', csv, '--home', home]).out.split('\n')).toHaveLength((report?.facts ?? 0) + 1);
    const path = join(claudeSamples, 'projects/-home-sam-projects-parcel-tracker', csv, 'subagents', `agent-${agent}.jsonl`);
    expect(tapefold(['doctor', path, '--json', '--home', `codex=${samples}`]).out).toContain(`"threadId":"${sub}"`);
  });

  test('[R-TAPE-6] why names what is no session, too', () => {
    const why = (what: string): string => tapefold(['why', what, '--home', home], { cwd: claudeSamples }).out;
    const project = 'projects/-home-sam-projects-parcel-tracker';
    expect(why(csv)).toMatch(/^✓ listed/);
    expect(why(aborted)).toMatch(/^✗ not listed · .*\nIt holds nothing that anybody said/);
    expect(why(agent)).toMatch(/^✗ not listed · .*\n.*tapefold list --all/);
    expect(why('history.jsonl')).toMatch(/prompt recall/);
    expect(why(`${project}/${csv}/tool-results/b7k2m9qxe.txt`)).toMatch(/too long for its session file/);
    expect(why(`${project}/${csv}/subagents/agent-${agent}.meta.json`)).toMatch(/started a sub-agent/);
  });

  test('preview is of the branch that counts', () => {
    const { out } = tapefold(['preview', csv, '--home', home]);
    expect(out).toContain('The header says UTC, its test too. Nothing was pushed.');
    expect(out).not.toContain('Europe/Berlin');
  });

  test('context is what the model reads next: the summary, and nothing from before it', () => {
    const { out, err, code } = tapefold(['context', map, '--json', '--home', home]);
    expect([err, code]).toEqual(['', 0]);
    expect(out).toContain('This session is being continued');
    expect(out).not.toContain('npm run profile -- --page map"');
  });
});

describe('homes', () => {
  test('the default is every home that exists: CODEX_HOME or ~/.codex, CLAUDE_CONFIG_DIR or ~/.claude', () => {
    const user = folder();
    symlinkSync(claudeSamples, join(user, '.claude'));
    expect(idsOf(tapefold(['list', '--json'], { env: { HOME: user } }).out)).toEqual(new Set([csv, map]));
    expect(threadsOf(tapefold(['list', '--json'], { env: { HOME: user, CODEX_HOME: samples } }).out)).toHaveLength(5);
    expect(threadsOf(tapefold(['list', '--json'], { env: { CLAUDE_CONFIG_DIR: claudeSamples, CODEX_HOME: samples } }).out)).toHaveLength(5);
    expect(threadsOf(tapefold(['list', '--json'], { env: { CLAUDE_CONFIG_DIR: '/nowhere', CODEX_HOME: samples } }).out)).toHaveLength(3);
    expect(threadsOf(shell('tapefold --home codex="$CODEX" list --json', { HOME: user, CODEX: samples }).out)).toHaveLength(3);
  });

  test('with nothing in any of them the samples of all are shown', () => {
    const { out, err } = tapefold(['list', '--json']);
    expect(threadsOf(out)).toHaveLength(9);
    expect(err).toMatch(/^tapefold: \S+\.codex does not exist, \S+\.claude does not exist, \S+\.kimi-code does not exist and \S+\.kimi does not exist, so these are the samples: name your own home with --home codex=DIR, claude=DIR, kimi=DIR or native=DIR\.\n$/);
  });

  test('a home that is named has to exist', () => {
    expect(tapefold(['list', '--home', 'claude=/nowhere'])).toMatchObject({ out: '', code: 1 });
    expect(tapefold(['list', '--home', 'claude='])).toMatchObject({ out: '', code: 2 });
  });

  test('[R-TAPE-6] what cannot be read is said, and the rest is shown', () => {
    const own = folder();
    mkdirSync(join(own, 'projects/-w', `${map}.jsonl`), { recursive: true });
    writeFileSync(join(own, 'projects/-w', `${csv}.jsonl`), '');
    const { out, err, code } = tapefold(['list', '--home', `claude=${own}`]);
    expect(err).toMatch(/is a folder where a session file should be\.\n$/);
    expect([out.includes(map.slice(0, 13)), code]).toEqual([true, 0]);
  });
});

describe('serve', () => {
  interface Listed { readonly data: readonly { readonly id: string; readonly source: unknown; readonly modelProvider: string }[] }

  test('[R-THR-1] lists sessions of Claude Code as a Codex client shows them, beside those of Codex, and reads them', async () => {
    const server = new RpcServer(samples, ['serve', ...both]);
    await server.initialize();
    const listed = (await server.call('thread/list', { limit: 50 })).result as Listed;
    expect(listed.data.filter(({ modelProvider }) => modelProvider === 'anthropic').map(({ id, source }) => [id, source])).toEqual(expect.arrayContaining([[csv, 'cli'], [map, 'cli']]));
    expect(listed.data.some(({ modelProvider }) => modelProvider === 'openai')).toBe(true);
    const subAgents = (await server.call('thread/list', { sourceKinds: ['subAgent'], modelProviders: [] })).result as Listed;
    expect(subAgents.data.map(({ id }) => id)).toContain(sub);
    const { thread } = (await server.call('thread/read', { threadId: sub, includeTurns: true })).result as { thread: unknown };
    expect(threadSchema.parse(thread)).toMatchObject({ id: sub, parentThreadId: csv, agentRole: 'Explore', turns: [{ status: 'completed' }] });
    const turns = (await server.call('thread/turns/list', { threadId: csv, limit: 1 })).result as { data: readonly { readonly status: string }[]; nextCursor: string | null };
    expect([turns.data.length, turns.nextCursor === null]).toEqual([1, false]);
    const found = (await server.call('thread/search', { searchTerm: 'six at a time' })).result as { data: readonly { readonly thread: { readonly id: string } }[] };
    expect(found.data.map((hit) => hit.thread.id)).toEqual([map]);
    expect((await server.call('thread/read', { threadId: agent })).error).toBeDefined();
    expect(await server.end()).toBe(0);
  });
});
