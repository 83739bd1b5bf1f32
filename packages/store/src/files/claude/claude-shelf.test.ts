import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { StoreError } from '../../errors.js';
import { createFileSource } from '../file-source.js';
import { Chain, PROJECT, homePath, line, put, session, short, source } from './claude-home.suite.js';
import { NAMESPACE, uuidV5 } from '../derived-ids.js';
import { claudeThreadId } from './thread-ids.js';

const rows = async (query: object = {}): Promise<(readonly unknown[])[]> => (await source().list(query)).rows.map(({ thread, isSubAgent, turnCount, lastTurn }) => [thread.id, thread.name ?? thread.preview, isSubAgent, turnCount, lastTurn]);
const agentFile = (n: number, agentId: string): string => `${PROJECT}/${session(n)}/subagents/agent-${agentId}.jsonl`;
const agentText = (n: number, agentId: string, words: string): string => new Chain(session(n), { isSidechain: true, agentId }).prompt(words).answer('found').text;

describe('ids', () => {
  it('[R-THR-1] follow RFC 9562: the example of version 5, and the derived ones are fixed for ever', () => {
    expect(uuidV5('www.example.com', '6ba7b810-9dad-11d1-80b4-00c04fd430c8')).toBe('2ed6657d-e927-568b-95e1-2665a8aea6a2');
    expect(NAMESPACE).toBe('3e0a5f03-b3b6-4c01-88c0-6d7a60e2abaf');
    expect(claudeThreadId({ sessionId: '5B1F7C3E-8A42-4D0B-9F63-2C7DE1A4B508' })).toBe('5b1f7c3e-8a42-4d0b-9f63-2c7de1a4b508');
    expect(claudeThreadId({ sessionId: '5b1f7c3e-8a42-4d0b-9f63-2c7de1a4b508', agentId: 'a3f09c2d1b7e84655' })).toBe('b260ca3e-078b-5ef0-86eb-a23a8d416032');
    expect(uuidV5('claude/5b1f7c3e-8a42-4d0b-9f63-2c7de1a4b508/a3f09c2d1b7e84655')).toBe('b260ca3e-078b-5ef0-86eb-a23a8d416032');
  });

  it('[R-THR-1] a session by its UUID, a sub-agent by UUID, by its own id and by its file\'s name; beginnings suffice', async () => {
    put(`${PROJECT}/${session(1)}.jsonl`, short(1, 'one'), 1_800_000_100);
    put(agentFile(1, 'a1234567890abcdef'), agentText(1, 'a1234567890abcdef', 'look'));
    put(`${PROJECT}/agent-a7b8.jsonl`, agentText(1, 'a7b8', 'look, too'));
    const wire = claudeThreadId({ sessionId: session(1), agentId: 'a1234567890abcdef' });
    const old = claudeThreadId({ sessionId: session(1), agentId: 'a7b8' });
    const preview = async (id: string): Promise<string> => (await source().read(id)).thread.preview;
    for (const id of [session(1), session(1).slice(0, 8), session(1).toUpperCase(), `{${session(1)}}`, 'last']) expect(await preview(id)).toBe('one');
    for (const id of [wire, wire.slice(0, 9), 'a1234567890abcdef', 'agent-a1234567890abcdef', 'a123', 'agent-a12']) expect(await preview(id)).toBe('look');
    for (const id of [old, 'a7b8', 'agent-a7b8']) expect(await preview(id)).toBe('look, too');
    await expect(preview('ffff')).rejects.toBeInstanceOf(StoreError);
    await expect(preview('agent-')).rejects.toMatchObject({ code: 'threadNotFound' });
    put(agentFile(2, 'a1234567890abcdef'), agentText(2, 'a1234567890abcdef', 'copy'));
    await expect(preview('agent-a1234567890abcdef')).rejects.toMatchObject({ code: 'ambiguousId' });
  });

  it('[R-THR-1] a file whose name is no UUID gets a derived one, and is found by its name', async () => {
    put(`${PROJECT}/my-session.jsonl`, short(1, 'odd'));
    const { rows: [row] } = await source().list();
    expect(row?.thread.id).toBe(uuidV5('claude/-home-sam-w/my-session'));
    expect((await source().read('my-session')).thread.id).toBe(row?.thread.id);
    put('projects/-other/my-session.jsonl', short(2, 'another'));
    expect((await source().list()).rows).toHaveLength(2);
    await expect(source().read('my-session')).rejects.toMatchObject({ code: 'ambiguousId' });
  });
});

describe('sub-agents', () => {
  const parent = new Chain(session(1)).prompt('delegate').call('toolu_1', 'Task', { description: 'Look', prompt: 'look', subagent_type: 'Explore' })
    .result('toolu_1', [{ type: 'text', text: 'found' }], { status: 'completed', agentId: 'a12', prompt: 'look', content: [] }).answer('done').text;

  it('[R-TAPE-6] stand under their parents, named by what they were started for, and a plain list leaves them out', async () => {
    put(`${PROJECT}/${session(1)}.jsonl`, parent);
    put(agentFile(1, 'a12'), agentText(1, 'a12', 'look'));
    put(agentFile(1, 'a12').replace('.jsonl', '.meta.json'), '{\n  "agentType": "Explore",\n  "description": "Look", "toolUseId": "toolu_1"\n}');
    const id = claudeThreadId({ sessionId: session(1), agentId: 'a12' });
    expect((await rows()).map(([shown]) => shown)).toEqual([session(1)]);
    const { thread, isSubAgent } = await source().summary(id);
    expect([isSubAgent, thread.parentThreadId, thread.name, thread.preview, thread.agentRole]).toEqual([true, session(1), 'Look', 'look', 'Explore']);
    expect(thread.source).toEqual({ subAgent: { thread_spawn: { parent_thread_id: session(1), depth: 1, agent_path: null, agent_nickname: null, agent_role: 'Explore' } } });
    const { thread: read } = await source().read(session(1));
    const call = read.turns[0]?.items.find((item) => item.type === 'collabAgentToolCall');
    expect(call).toMatchObject({ senderThreadId: session(1), receiverThreadIds: [id], agentsStates: { [id]: { status: 'completed' } } });
    expect((await source().explain(id)).why).toContain('tapefold list --all');
  });

  it('[R-DIA-3] whose lines stand in their parent\'s file are threads of their own, and no turn of it', async () => {
    const main = new Chain(session(1)).prompt('delegate');
    const side = new Chain(session(1), { isSidechain: true, agentId: 'a99' });
    const sideText = side.prompt('look inside').answer('inside').text.replaceAll(`"${session(1)}-`, `"side-`);
    put(`${PROJECT}/${session(1)}.jsonl`, main.text + sideText + main.answer('done').text.slice(main.text.indexOf('\n') + 1));
    const id = claudeThreadId({ sessionId: session(1), agentId: 'a99' });
    const { thread } = await source().read(session(1));
    expect(thread.turns.map(({ items }) => items.map(({ type }) => type))).toEqual([['userMessage', 'agentMessage']]);
    expect(new Set((await rows({ hasSubAgents: true })).map(([shown]) => shown))).toEqual(new Set([session(1), id]));
    const { thread: inside } = await source().read('a99');
    expect([inside.id, inside.parentThreadId, inside.turns.length]).toEqual([id, session(1), 1]);
  });

  it('[R-TAPE-6] without their session are listed all the same', async () => {
    put(agentFile(1, 'a12'), agentText(1, 'a12', 'look'));
    expect(await rows()).toEqual([]);
    expect((await rows({ hasSubAgents: true })).map(([, name]) => name)).toEqual(['look']);
  });
});

describe('what is a session', () => {
  const nothing: Readonly<Record<string, readonly [content: string, why: RegExp]>> = {
    'only summaries and queued prompts': [line({ type: 'summary', summary: 's', leafUuid: 'x' }) + line({ type: 'queue-operation', operation: 'enqueue', content: 'x' }), /nothing that anybody said/],
    'a journal': [line({ type: 'started', key: 'k', agentId: 'a1' }) + line({ type: 'result', key: 'k', agentId: 'a1' }), /journal of a workflow/],
    'lines of a sub-agent': [agentText(1, 'a1', 'x'), /sub-agent only/],
    'nothing at all': ['', /It is empty/],
    'an attachment': [new Chain(session(1)).add({ type: 'attachment', attachment: { type: 'date_change', newDate: 'x' } }).text, /nothing that anybody said/],
  };
  it.each(Object.entries(nothing))('[R-TAPE-6] a file with %s is none: not listed, explained, read by its id', async (_, [content, why]) => {
    const path = put(`${PROJECT}/${session(1)}.jsonl`, content);
    expect(await rows()).toEqual([]);
    expect(await source().explain(path)).toMatchObject({ isListed: false, kind: 'tape', why: expect.stringMatching(why) as unknown });
    expect((await source().explain(session(1))).why).toMatch(/^It .*\.$/);
    await expect(source().read('last')).rejects.toMatchObject({ code: 'noThreads' });
    expect((await source().read(session(1))).thread.id).toBe(session(1));
  });

  it('[R-TAPE-6] files that cannot be read, or only in part, are rows with a reason', async () => {
    put(`${PROJECT}/${session(1)}.jsonl`, '{"type":"user","mess');
    mkdirSync(homePath(`${PROJECT}/${session(2)}.jsonl`), { recursive: true });
    put(`${PROJECT}/${session(3)}.jsonl`, `garbage\n${short(3, 'fine')}`);
    const { rows: all, problems } = await source().list();
    expect(Object.fromEntries(all.map(({ thread, problem }) => [thread.id, problem !== undefined]))).toEqual({ [session(1)]: true, [session(2)]: true, [session(3)]: false });
    expect(problems).toMatchObject([{ reason: 'is a folder where a session file should be' }]);
  });

  it('[R-TAPE-6] of two copies of a session the one that changed last counts, and the other one is explained', async () => {
    const old = put(`${PROJECT}/${session(1)}.jsonl`, short(1, 'old'), 1_800_000_000);
    put(`projects/-elsewhere/${session(1)}.jsonl`, short(1, 'new'), 1_800_000_100);
    expect((await rows()).map(([, name]) => name)).toEqual(['new']);
    expect((await source().explain(old)).why).toMatch(/another copy/);
  });
});

describe('titles', () => {
  const titled = (...records: readonly object[]): string => records.reduce((chain: Chain, record) => chain.side(record), new Chain(session(1)).prompt('<system-reminder>x</system-reminder>first words').answer('a')).text;
  it.each<[string, readonly object[], string | null]>([
    ['a person\'s before a model\'s', [{ type: 'custom-title', customTitle: 'mine' }, { type: 'ai-title', aiTitle: 'model' }], 'mine'],
    ['the last of a kind', [{ type: 'ai-title', aiTitle: 'one' }, { type: 'ai-title', aiTitle: 'two' }], 'two'],
    ['a summary of this session', [{ type: 'summary', summary: 'sum', leafUuid: `${session(1)}-1` }], 'sum'],
    ['no summary of another session', [{ type: 'summary', summary: 'sum', leafUuid: 'elsewhere' }], null],
    ['none', [], null],
  ])('§6.4: %s', async (_, records, name) => {
    put(`${PROJECT}/${session(1)}.jsonl`, titled(...records));
    const { thread } = await source().summary(session(1));
    expect([thread.name, thread.preview]).toEqual([name, 'first words']);
    expect((await source().read(session(1))).thread.name).toBe(name);
  });

  it('§6.4: a summary in another file of the folder, for its list and for a look at one thread alone', async () => {
    put(`${PROJECT}/${session(1)}.jsonl`, short(1, 'first'));
    put(`${PROJECT}/${session(2)}.jsonl`, line({ type: 'summary', summary: 'told elsewhere', leafUuid: `${session(1)}-1` }) + short(2, 'second'));
    expect((await source().summary(session(1))).thread.name).toBe('told elsewhere');
    expect(new Set((await source().list()).rows.map(({ thread }) => thread.name))).toEqual(new Set(['told elsewhere', null]));
  });

  it('of a large session stand at its end', async () => {
    const chain = new Chain(session(1)).prompt('go');
    for (let n = 0; n < 60; n++) chain.answer('x'.repeat(4_000));
    put(`${PROJECT}/${session(1)}.jsonl`, chain.side({ type: 'custom-title', customTitle: 'late' }).text);
    expect((await source().summary(session(1))).thread).toMatchObject({ name: 'late', preview: 'go' });
  });
});

describe('forks', () => {
  const origin = new Chain(session(1)).prompt('first').answer('a');
  const copied = (n: number): string => origin.text.replaceAll(`"sessionId":"${session(1)}"`, `"sessionId":"${session(n)}"`);
  const queue = (time: string): string => line({ type: 'queue-operation', operation: 'enqueue', timestamp: time, content: 'x' });

  it('§6.2: the file that queued its first prompt later is the fork, whichever changed last; both stay listed', async () => {
    put(`${PROJECT}/${session(1)}.jsonl`, queue('2026-01-02T03:04:00.000Z') + origin.text, 1_800_000_500);
    put(`${PROJECT}/${session(2)}.jsonl`, copied(2) + queue('2026-01-03T00:00:00.000Z'), 1_800_000_000);
    expect((await source().summary(session(2))).thread.forkedFromId).toBe(session(1));
    expect((await source().summary(session(1))).thread.forkedFromId).toBeNull();
    expect((await source().list()).rows).toHaveLength(2);
  });

  it('§6.2: without a queue the older file is the origin; other folders and other first lines are none', async () => {
    put(`${PROJECT}/${session(1)}.jsonl`, origin.text, 1_800_000_000);
    put(`${PROJECT}/${session(2)}.jsonl`, copied(2), 1_800_000_100);
    put(`${PROJECT}/${session(3)}.jsonl`, short(3, 'else'), 1_700_000_000);
    put(`projects/-other/${session(4)}.jsonl`, copied(4), 1_600_000_000);
    const forks = Object.fromEntries((await source().list()).rows.map(({ thread }) => [thread.id, thread.forkedFromId]));
    expect(forks).toEqual({ [session(1)]: null, [session(2)]: session(1), [session(3)]: null, [session(4)]: null });
  });
});

describe('lists', () => {
  it('[R-TAPE-3] read less than 100 kB of a thread, however large it is, and say how it stands', async () => {
    for (let n = 1; n <= 4; n++) {
      const chain = new Chain(session(n)).prompt('large');
      for (let i = 0; i < 200; i++) chain.answer('x'.repeat(3_000)).prompt(`more ${i}`);
      put(`${PROJECT}/${session(n)}.jsonl`, chain.answer('end').side({ type: 'last-prompt', leafUuid: chain.leaf }).text);
      put(agentFile(n, `a${n}`), new Chain(session(n), { isSidechain: true }).prompt('y'.repeat(50_000)).answer('z'.repeat(90_000)).text);
    }
    let bytes = 0;
    const { rows: all } = await source((read) => { bytes += read; }).list({ hasSubAgents: true });
    expect(all.filter((row) => !row.isSubAgent).map((row) => [row.thread.preview, row.turnCount, row.lastTurn])).toEqual(Array.from({ length: 4 }, () => ['large', undefined, 'completed']));
    expect(bytes / 8).toBeLessThan(100_000);
  });

  it('[R-TAPE-6] over homes of both agents are one, newest first; --agent is one of them', async () => {
    put(`claude/${PROJECT}/${session(1)}.jsonl`, short(1, 'claude'), 1_800_000_100);
    const codexId = '01990000-0000-7000-8000-000000000001';
    const meta = { timestamp: '2026-01-02T03:04:05.000Z', type: 'session_meta', payload: { id: codexId, timestamp: '2026-01-02T03:04:05.000Z', cwd: '/w', originator: 'o', cli_version: '1', source: 'cli', model_provider: 'openai' } };
    const codex = line(meta) + line({ timestamp: meta.timestamp, type: 'event_msg', payload: { type: 'user_message', message: 'codex' } });
    put(`codex/sessions/2026/01/02/rollout-2026-01-02T03-04-05-${codexId}.jsonl`, codex, 1_800_000_200);
    put(`claude/${PROJECT}/${session(2)}.jsonl`, short(2, 'claude, newer'), 1_800_000_300);
    const both = createFileSource([{ program: 'codex', path: homePath('codex') }, { program: 'claude', path: homePath('claude') }]);
    expect((await both.list()).rows.map(({ program, thread }) => [program, thread.preview])).toEqual([['claude', 'claude, newer'], ['codex', 'codex'], ['claude', 'claude']]);
    expect((await both.list({ program: 'codex' })).rows).toHaveLength(1);
    expect((await both.read('last')).program).toBe('claude');
    await expect(both.read('0199')).rejects.toMatchObject({ code: 'ambiguousId' });
    const reports = [];
    for await (const report of both.report()) reports.push(report.threadId);
    expect(new Set(reports)).toEqual(new Set([codexId, session(1), session(2)]));
  });

  it('[R-STO-5] a preview comes from the whole thread: an annulled branch says nothing', async () => {
    const chain = new Chain(session(1)).prompt('one').answer('two');
    const { leaf } = chain;
    chain.prompt('left').answer('left, too').prompt('three', { parentUuid: leaf }).answer('four');
    put(`${PROJECT}/${session(1)}.jsonl`, chain.text);
    expect(await source().preview(session(1))).toMatchObject({ kind: 'lines', lines: ['one', 'two', 'three', 'four'].map((text) => ({ text })) });
    expect(await source().openNewest(session(1), { turns: 1 })).toBeUndefined();
  });

  it('[R-STO-2] a thread is read anew once its file grew', async () => {
    const path = put(`${PROJECT}/${session(1)}.jsonl`, short(1, 'one'));
    const files = source();
    const first = await files.open(session(1));
    expect(await files.open(session(1))).toBe(first);
    writeFileSync(path, new Chain(session(1)).prompt('one').answer('a').prompt('two').answer('b').text);
    utimesSync(path, 1_800_000_010, 1_800_000_010);
    expect((await files.read(session(1))).thread.turns).toHaveLength(2);
    expect((await files.summary(session(1))).turnCount).toBe(2);
  });
});

describe('outputs that are too long for the session file', () => {
  const whole = `${'line\n'.repeat(20_000)}end`;
  const preview = '<persisted-output>\nOutput too large (97.7KB). Full output saved to: /elsewhere/projects/-x/y/tool-results/b1.txt\n\nPreview (first 2KB):\nline\n...\n</persisted-output>';
  const outputs = async (hasWholeOutputs: boolean): Promise<unknown> => (await source().read(session(1), { hasWholeOutputs })).thread.turns[0]?.items.flatMap((item) => (item.type === 'commandExecution' ? [item.aggregatedOutput] : []));
  const text = new Chain(session(1)).prompt('go').call('t1', 'Bash', { command: 'seq' }).result('t1', preview, { stdout: 'line\n'.repeat(500), stderr: '', persistedOutputPath: '/elsewhere/tool-results/b1.txt', persistedOutputSize: whole.length })
    .call('t2', 'Bash', { command: 'seq' }).result('t2', preview, 'no object').answer('done').text;

  it('come from beside it when they are asked for', async () => {
    put(`${PROJECT}/${session(1)}.jsonl`, text);
    put(join(PROJECT, session(1), 'tool-results', 'b1.txt'), whole);
    expect(await outputs(true)).toEqual([whole, whole]);
    expect(await outputs(false)).toEqual(['line\n'.repeat(500), preview]);
  });

  it('stay a preview where the text is gone', async () => {
    put(`${PROJECT}/${session(1)}.jsonl`, text);
    expect(await outputs(true)).toEqual(['line\n'.repeat(500), preview]);
  });
});
