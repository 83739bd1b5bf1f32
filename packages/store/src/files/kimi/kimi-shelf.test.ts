import { lstatSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { StoreError } from '../../errors.js';
import { uuidV5 } from '../derived-ids.js';
import { BUCKET, CLI_BUCKET, CodeLog, START_MS, cliLog, cliShort, context, homePath, put, putSession, session, short, source, state, uuid } from './kimi-home.suite.js';
import { kimiThreadId } from './thread-ids.js';

const rows = async (query: object = {}): Promise<(readonly unknown[])[]> => (await source().list(query)).rows.map(({ thread, isSubAgent, turnCount, lastTurn }) => [thread.id, thread.name ?? thread.preview, isSubAgent, turnCount, lastTurn]);
const subPath = (n: number, agentId: string): string => `${BUCKET}/${session(n)}/agents/${agentId}/wire.jsonl`;
const subLog = (agentId: string, words: string): string => new CodeLog(agentId).prompt(words, { kind: 'system_trigger', name: 'subagent' }).answer('found').ended().text;
const agents = { main: { type: 'main' }, 'agent-0': { type: 'sub', parentAgentId: 'main', labels: { profileName: 'explore' } } };

describe('ids', () => {
  it('[R-THR-1] a session\'s main agent has the session\'s UUID in every spelling, every other agent a derived id, fixed for ever', () => {
    for (const sessionId of [session(1), `ses_${uuid(1)}`, uuid(1), uuid(1).toUpperCase()]) expect(kimiThreadId({ sessionId, agentId: 'main' })).toBe(uuid(1));
    expect(kimiThreadId({ sessionId: 'session_7d2f9b61-0c84-4e3a-b5d7-3f61a8c2e904', agentId: 'agent-0' })).toBe('7d0ab8c9-f79f-51f0-a54a-79c1d04fcd89');
    expect(kimiThreadId({ sessionId: 'b:session_nope', agentId: 'main' })).toBe(uuidV5('kimi/b:session_nope/main'));
  });

  it('[R-THR-1] are found by UUID, by native id, by beginnings of both, and a sub-agent by its own id where only one has it', async () => {
    putSession(1, short('one'), { agents });
    put(subPath(1, 'agent-0'), subLog('agent-0', 'look'));
    const preview = async (id: string): Promise<string> => (await source().read(id)).thread.preview;
    for (const id of [uuid(1), uuid(1).slice(0, 8), uuid(1).toUpperCase(), session(1), session(1).slice(0, 16), 'last']) expect(await preview(id)).toBe('one');
    const sub = kimiThreadId({ sessionId: session(1), agentId: 'agent-0' });
    for (const id of [sub, sub.slice(0, 9), 'agent-0']) expect(await preview(id)).toBe('look');
    await expect(preview('agent-')).rejects.toMatchObject({ code: 'threadNotFound' });
    putSession(2, short('two'));
    put(subPath(2, 'agent-0'), subLog('agent-0', 'look, too'));
    await expect(preview('agent-0')).rejects.toMatchObject({ code: 'ambiguousId' });
    await expect(preview('ffff')).rejects.toBeInstanceOf(StoreError);
  });

  it('[R-THR-1] a session whose name is no UUID is told from one of that name in another folder', async () => {
    for (const bucket of [BUCKET, 'sessions/wd_x_0123456789ab']) put(`${bucket}/session-1/agents/main/wire.jsonl`, short('odd'));
    const listed = (await source().list()).rows.map(({ thread }) => thread.id);
    expect(new Set(listed)).toEqual(new Set(['wd_w_0123456789ab', 'wd_x_0123456789ab'].map((bucket) => uuidV5(`kimi/${bucket}:session-1/main`))));
    expect((await source().read(listed[0] ?? '')).thread.turns).toHaveLength(1);
    await expect(source().read('session-1')).rejects.toMatchObject({ code: 'ambiguousId' });
  });
});

describe('sessions of kimi-code', () => {
  it('[R-TAPE-6] are listed with what their state says: title, folder, times, archive', async () => {
    putSession(1, short('hello there'), { title: 'hello there', titleKind: 'replaceable', lastPrompt: 'hello there', updatedAt: START_MS + 60_000 });
    putSession(2, short('hi'), { title: 'My own', isCustomTitle: true, titleKind: 'custom', updatedAt: START_MS + 50_000 });
    putSession(3, short('old'), { archived: true, archivedAt: START_MS + 90_000, updatedAt: START_MS + 40_000 });
    expect(await rows()).toEqual([[uuid(1), 'hello there', false, 1, 'completed'], [uuid(2), 'My own', false, 1, 'completed']]);
    expect((await source().list({ archived: 'only' })).rows).toMatchObject([{ isArchived: true, thread: { id: uuid(3) }, kimi: { archivedAtMs: START_MS + 90_000 } }]);
    const { thread, kimi } = await source().summary(uuid(1));
    expect(thread).toMatchObject({ name: null, cwd: '/home/sam/w', createdAt: START_MS / 1000, updatedAt: START_MS / 1000 + 60, source: 'cli', parentThreadId: null });
    expect(kimi).toEqual({ sessionId: session(1), agentId: 'main', workspaceId: 'wd_w_0123456789ab', title: 'hello there', lastPrompt: 'hello there', createdAtMs: START_MS, updatedAtMs: START_MS + 60_000 });
  });

  it('[R-TAPE-6] one without a log, or that was never spoken to, is a session all the same', async () => {
    put(`${BUCKET}/${session(1)}/state.json`, state({ n: 1, agents: {} }));
    put(`${BUCKET}/${session(2)}/state.json`, state({ n: 2 }));
    expect((await source().list()).rows.map(({ thread, lastTurn, problem }) => [thread.id, lastTurn, problem])).toEqual([
      [uuid(2), 'empty', 'its log is not there, so nothing of what was said is left'], [uuid(1), 'empty', undefined],
    ]);
    const { thread, problems } = await source().read(uuid(2));
    expect([thread.turns, thread.cwd, problems]).toEqual([[], '/home/sam/w', ['its log is not there, so nothing of what was said is left.']]);
    expect(await source().preview(uuid(1))).toMatchObject({ kind: 'empty' });
  });

  it.each([
    ['no JSON', '{"title": "x', /^its state\.json is no JSON object/], ['a list', '[1]', /no JSON object/], ['empty', '', /no JSON object/], ['too deep', `${'{"a":'.repeat(2000)}1${'}'.repeat(2000)}`, /no JSON object/],
    ['too large', `{"title":"${'x'.repeat(1_100_000)}"}`, /^its state\.json cannot be read: it has 11\d+ bytes/], ['a folder', undefined, /^its state\.json cannot be read|^undefined$/],
  ])('[R-TAPE-6] [R-TAPE-2] a state that is %s costs what it alone knows', async (_, text, problem) => {
    put(`${BUCKET}/${session(1)}/agents/main/wire.jsonl`, short('still here'));
    if (text === undefined) mkdirSync(homePath(`${BUCKET}/${session(1)}/state.json`), { recursive: true });
    else put(`${BUCKET}/${session(1)}/state.json`, text);
    const row = await source().summary(uuid(1));
    expect([row.thread.preview, row.turnCount, row.lastTurn]).toEqual(['still here', 1, 'completed']);
    expect(String(row.problem)).toMatch(problem);
    expect((await source().read(uuid(1))).thread.turns).toHaveLength(1);
  });

  it('[R-TAPE-2] fields of a state that are not what they should be are as if they were not there', async () => {
    const hostile = { title: 7, titleKind: [], cwd: null, createdAt: '1e999', updatedAt: 1e300, archived: 'yes', agents: { 'agent-0': 4, __proto__: { type: 'sub' }, '../../etc': { type: 'sub', parentAgentId: '../../etc' }, a: { type: 'sub', parentAgentId: 'b' }, b: { type: 'sub', parentAgentId: 'a' }, c: { type: 'sub', parentAgentId: 'constructor' }, toString: { type: 'sub' } }, forkedFrom: {}, lastTurnReason: '__proto__' };
    putSession(1, short('hi'), hostile);
    const { rows: [row] } = await source().list();
    expect(row).toMatchObject({ isArchived: false, thread: { preview: 'hi', name: null, cwd: '', forkedFromId: null } });
    const subs = (await source().list({ hasSubAgents: true })).rows.filter(({ isSubAgent }) => isSubAgent);
    expect(new Set(subs.map(({ kimi }) => kimi?.agentId))).toEqual(new Set(['../../etc', 'a', 'b', 'c', 'toString']));
    for (const { thread } of subs) expect(thread).toMatchObject({ parentThreadId: uuid(1), source: { subAgent: { thread_spawn: { depth: 1 } } } });
    expect(subs.every(({ path }) => path.startsWith(homePath(`${BUCKET}/${session(1)}`)))).toBe(true);
  });

  it('older states: times as texts, a title flag, the folder of the first log record, a state one folder deeper', async () => {
    put(`${BUCKET}/${session(1)}/agents/main/wire.jsonl`, new CodeLog().add('config.update', { cwd: '/home/sam/old' }).prompt('hi').answer('ho').text);
    put(`${BUCKET}/${session(1)}/session-meta/state.json`, JSON.stringify({ createdAt: '2026-06-01T10:00:00.000Z', updatedAt: '2026-06-01T11:00:00Z', title: 'Named', isCustomTitle: true, agents: {}, custom: { cwd: '/home/sam/custom' } }));
    const { thread } = await source().summary(uuid(1));
    expect(thread).toMatchObject({ name: 'Named', cwd: '/home/sam/custom', createdAt: Date.parse('2026-06-01T10:00:00Z') / 1000 });
  });

  it('a fork is named by its own title, and points to its origin', async () => {
    putSession(1, short('first'));
    putSession(2, short('first'), { forkedFrom: session(1), title: `Fork: ${session(1)}`, titleKind: 'replaceable' });
    expect((await source().summary(uuid(2))).thread).toMatchObject({ name: `Fork: ${session(1)}`, forkedFromId: uuid(1), preview: 'first' });
  });

  it.each([['completed', 'completed'], ['cancelled', 'interrupted'], ['failed', 'failed'], ['blocked', 'failed']])('[R-TAPE-6] the end of a long log tells how its last turn stands: %s', async (reason, status) => {
    const filler = Array.from({ length: 80 }, () => ({ type: 'content.part' })).reduce<CodeLog>((log) => log.add('llm.tools_snapshot', { hash: 'h', tools: 'x'.repeat(2000) }), new CodeLog().prompt('hi').answer('ho').ended());
    putSession(1, filler.prompt('more').answer('yes').ended(reason).text);
    putSession(2, filler.prompt('once more').text.slice(0, -1));
    putSession(3, filler.add('context.undo', { count: 1 }).text, { lastTurnReason: 'completed' });
    const told = new Map((await rows()).map(([id, , , turnCount, lastTurn]) => [id, [turnCount, lastTurn]]));
    expect([told.get(uuid(1)), told.get(uuid(2)), told.get(uuid(3))]).toEqual([[undefined, status], [undefined, 'open'], [undefined, 'completed']]);
  });

  it('[R-TAPE-6] nothing of a home is changed, whatever is read', async () => {
    putSession(1, short('one'), { agents });
    put(subPath(1, 'agent-0'), subLog('agent-0', 'look'));
    put(`${CLI_BUCKET}/${uuid(4)}/wire.jsonl`, cliShort('cli'));
    const seen = (): unknown => readdirSync(homePath(), { recursive: true, encoding: 'utf8' }).sort().map((name) => [name, lstatSync(join(homePath(), name)).mtimeMs]);
    const before = seen();
    const all = source();
    for (const { thread } of (await all.list({ hasSubAgents: true })).rows) {
      await all.read(thread.id);
      await all.preview(thread.id);
      expect((await all.explain(thread.id)).isListed).toBe(thread.parentThreadId === null);
    }
    for await (const { problem } of all.report()) expect(problem).toBeUndefined();
    expect(seen()).toEqual(before);
  });

  it('a list is told anew what changed, and reads nothing that did not', async () => {
    putSession(1, short('one'));
    let bytes = 0;
    const kept = source((read) => { bytes += read; });
    await kept.list();
    const first = bytes;
    await kept.list();
    expect([first > 0, bytes - first]).toEqual([true, 0]);
    put(`${BUCKET}/${session(1)}/state.json`, state({ n: 1, title: 'Now named', titleKind: 'custom' }), 1_700_000_500);
    expect((await kept.list()).rows.map(({ thread }) => thread.name)).toEqual(['Now named']);
    expect(bytes - first).toBeLessThan(1000);
    rmSync(homePath(`${BUCKET}/${session(1)}`), { recursive: true });
    expect((await kept.list()).rows).toEqual([]);
  });

  it('[R-STO-3] a list reads less than 100 kB of a log, whatever its size', async () => {
    put(`${BUCKET}/${session(1)}/agents/main/wire.jsonl`, short('big') + `${JSON.stringify({ type: 'llm.tools_snapshot', tools: 'x'.repeat(900_000) })}\n`.repeat(4));
    let bytes = 0;
    await source((read) => { bytes += read; }).list();
    expect(bytes).toBeGreaterThan(0);
    expect(bytes).toBeLessThan(100_000);
  });
});

describe('sub-agents of kimi-code', () => {
  it('[R-TAPE-6] stand under their parents, named by what they were started for, and a plain list leaves them out', async () => {
    const log = new CodeLog().prompt('delegate').add('subagent.spawned', { parentAgentId: 'main', subagentId: 'agent-0', subagentName: 'explore', parentToolCallId: 'c1', description: 'Look around', taskId: 't1' }).answer('done').ended();
    putSession(1, log.text, { agents: { ...agents, 'agent-1': { type: 'sub', parentAgentId: 'agent-0' }, 'agent-2': { type: 'independent' } } });
    put(subPath(1, 'agent-0'), subLog('agent-0', 'look'));
    put(subPath(1, 'agent-1'), subLog('agent-1', 'deeper'));
    const id = (agentId: string): string => kimiThreadId({ sessionId: session(1), agentId });
    expect((await rows()).map(([shown]) => shown)).toEqual([uuid(1)]);
    const { thread, isSubAgent } = await source().summary(id('agent-0'));
    expect([isSubAgent, thread.name, thread.parentThreadId, thread.agentRole, thread.preview]).toEqual([true, 'Look around', uuid(1), 'explore', 'look']);
    expect(thread.source).toEqual({ subAgent: { thread_spawn: { parent_thread_id: uuid(1), depth: 1, agent_path: null, agent_nickname: null, agent_role: 'explore' } } });
    expect((await source().summary(id('agent-1'))).thread).toMatchObject({ parentThreadId: id('agent-0'), source: { subAgent: { thread_spawn: { depth: 2 } } } });
    expect(await source().summary(id('agent-2'))).toMatchObject({ lastTurn: 'empty', problem: 'its log is not there, so nothing of what was said is left' });
  });

  it('[R-TAPE-6] one that no state names is one all the same, and so are those of a session whose own log is gone', async () => {
    put(subPath(1, 'agent-9'), subLog('agent-9', 'alone'));
    expect(new Map((await source().list({ hasSubAgents: true })).rows.map(({ thread, kimi }) => [kimi?.agentId, thread.preview]))).toEqual(new Map([['main', ''], ['agent-9', 'alone']]));
  });
});

describe('sessions of kimi-cli', () => {
  it('[R-TAPE-6] a log, a history in a folder, and a history alone: each is a session of the folder that kimi.json names', async () => {
    // The bucket is the MD5 of the path.
    const bucket = 'sessions/b8d9ea6d5a0b1a3ec4d6c4a5ac21ca5e';
    const md5OfHome = 'sessions/65d6a5ad8a02ad2ff4b8e7b4b6e59de4';
    put('kimi.json', JSON.stringify({ work_dirs: [{ path: '/home/sam/w', kaos: 'local' }, 4, { path: 5 }] }));
    put(`${bucket}/${uuid(1)}/wire.jsonl`, cliShort('by log'));
    put(`${md5OfHome}/${uuid(2)}/context.jsonl`, context(['_checkpoint', 0], ['user', 'by history'], ['assistant', 'yes']), 1_700_000_002);
    put(`${md5OfHome}/${uuid(3)}.jsonl`, context(['user', 'alone'], ['assistant', 'yes']), 1_700_000_003);
    expect(await rows()).toEqual([[uuid(1), 'by log', false, 1, 'completed'], [uuid(3), 'alone', false, 1, 'completed'], [uuid(2), 'by history', false, 1, 'completed']]);
  });

  it('[R-TAPE-6] of log and history the log is read, unless it holds nothing but its first line', async () => {
    put(`${CLI_BUCKET}/${uuid(1)}/wire.jsonl`, cliShort('by log'));
    const beside = put(`${CLI_BUCKET}/${uuid(1)}/context.jsonl`, context(['user', 'by history']));
    const bare = put(`${CLI_BUCKET}/${uuid(2)}/wire.jsonl`, '{"type": "metadata", "protocol_version": "1.10"}\n');
    put(`${CLI_BUCKET}/${uuid(2)}/context.jsonl`, context(['user', 'by history'], ['assistant', [{ type: 'text', text: 'ok' }]]));
    put(`${CLI_BUCKET}/${uuid(2)}/state.json`, '{"version": 1, "custom_tit');
    expect(new Set((await rows()).map(([id, title]) => `${String(id)} ${String(title)}`))).toEqual(new Set([`${uuid(1)} by log`, `${uuid(2)} by history`]));
    expect(await source().explain(beside)).toMatchObject({ kind: 'modelHistory', isListed: false, why: 'It is the history as the model read it, kept beside the log of its session: the log is read.' });
    expect(await source().explain(bare)).toMatchObject({ kind: 'modelHistory', isListed: false });
  });

  it('[R-TAPE-6] one in which nobody said anything is none, and why says so', async () => {
    const path = put(`${CLI_BUCKET}/${uuid(1)}/context.jsonl`, context(['_checkpoint', 0], ['_system_prompt', 'x']));
    put(`${CLI_BUCKET}/${uuid(2)}/state.json`, '{"version": 1}');
    expect(await rows({ hasSubAgents: true })).toEqual([]);
    expect(await source().explain(path)).toMatchObject({ isListed: false, why: 'It holds nothing that anybody said: a start that was given up, so it is no session.' });
  });

  it('title, archive and time of the state', async () => {
    put(`${CLI_BUCKET}/${uuid(1)}/wire.jsonl`, cliShort('asked'));
    put(`${CLI_BUCKET}/${uuid(1)}/state.json`, JSON.stringify({ version: 1, custom_title: 'Named', archived: true, archived_at: 1_780_000_500.5, wire_mtime: 1_780_000_400.25, todos: [] }));
    const [row] = (await source().list({ archived: 'only' })).rows;
    expect(row).toMatchObject({ isArchived: true, updatedAtMs: 1_780_000_400_250, thread: { name: 'Named', preview: 'asked' }, kimi: { archivedAtMs: 1_780_000_500_500 } });
  });

  it('[R-DIA-8] sub-agents: in folders of their own, in the log of their session, in a history of their own', async () => {
    const inside = (agent: string, type: string, payload: object): readonly [string, object] => ['SubagentEvent', { parent_tool_call_id: 'c1', agent_id: agent, subagent_type: 'coder', event: { type, payload } }];
    const call = { type: 'function', id: 'c1', function: { name: 'Agent', arguments: '{"description": "Do it", "prompt": "do"}' } };
    const log = cliLog(['TurnBegin', { user_input: 'delegate' }], ['StepBegin', { n: 1 }], ['ToolCall', call], inside('a1', 'TurnBegin', { user_input: 'do' }), inside('a1', 'StepBegin', { n: 1 }), inside('a1', 'ContentPart', { type: 'text', text: 'inner words' }), ['ToolResult', { tool_call_id: 'c1', return_value: { is_error: false, output: 'ok', message: '' } }], ['TurnEnd']);
    put(`${CLI_BUCKET}/${uuid(1)}/wire.jsonl`, log);
    put(`${CLI_BUCKET}/${uuid(1)}/context_sub_1.jsonl`, context(['user', 'old sub'], ['assistant', 'found']));
    put(`${CLI_BUCKET}/${uuid(2)}/wire.jsonl`, log);
    put(`${CLI_BUCKET}/${uuid(2)}/subagents/a1/wire.jsonl`, cliShort('own log'));
    put(`${CLI_BUCKET}/${uuid(2)}/subagents/a1/meta.json`, JSON.stringify({ agent_id: 'a1', subagent_type: 'explore', description: 'Noted' }));
    const subs = (await source().list({ hasSubAgents: true })).rows.filter(({ isSubAgent }) => isSubAgent).map(({ thread, kimi }) => [thread.parentThreadId, kimi?.agentId, thread.name, thread.agentRole, thread.preview]);
    expect(new Set(subs)).toEqual(new Set([[uuid(1), 'a1', 'Do it', 'coder', 'do'], [uuid(1), 'sub_1', null, null, 'old sub'], [uuid(2), 'a1', 'Noted', 'explore', 'own log']]));
    const { thread } = await source().read(kimiThreadId({ sessionId: uuid(1), agentId: 'a1' }));
    expect(thread.turns).toMatchObject([{ status: 'completed', items: [{ type: 'userMessage' }, { type: 'agentMessage', text: 'inner words' }] }]);
    const parent = (await source().read(uuid(1))).thread.turns[0]?.items.find(({ type }) => type === 'collabAgentToolCall');
    expect(parent).toMatchObject({ receiverThreadIds: [thread.id], senderThreadId: uuid(1) });
  });

  it('[R-TAPE-6] a session that kimi-code took over is shown once, as the one that says more', async () => {
    put(`${CLI_BUCKET}/${uuid(1)}/wire.jsonl`, cliShort('the original'));
    const taken = put(`${BUCKET}/ses_${uuid(1)}/agents/main/wire.jsonl`, short('the import'), 1_900_000_000);
    put(`${BUCKET}/ses_${uuid(1)}/state.json`, JSON.stringify({ title: 'Imported', custom: { imported_from_kimi_cli: true, kimi_cli_session_id: uuid(1) } }));
    expect(await rows()).toEqual([[uuid(1), 'the original', false, 1, 'completed']]);
    expect(await source().explain(taken)).toMatchObject({ kind: 'supersededTape', isListed: false });
    expect((await source().explain(taken)).why).toMatch(/^It was taken over from the kimi-cli session in .*, which says more: that one is read\.$/);
    rmSync(homePath(CLI_BUCKET), { recursive: true });
    expect((await rows())[0]?.slice(0, 2)).toEqual([uuid(1), 'the import']);
  });
});

describe('loose files', () => {
  it('a log that lies in no home is played by its records, and named by its folders where they name it', async () => {
    putSession(1, short('one'));
    const named = homePath(`${BUCKET}/${session(1)}/agents/main/wire.jsonl`);
    const loose = put('elsewhere/some.jsonl', cliShort('loose'));
    const reports = [];
    for (const path of [named, loose]) for await (const report of source().report(path)) reports.push(report);
    expect(reports.map(({ threadId, problem, ledger }) => [threadId, problem, ledger.linesUnknown + ledger.linesDamaged])).toEqual([[uuid(1), undefined, 0], [undefined, undefined, 0]]);
  });

  it('a compressed or foreign file in a log\'s place says what is wrong with it', async () => {
    const path = put(`${BUCKET}/${session(1)}/agents/main/wire.jsonl`, '');
    expect((await source().summary(uuid(1))).problem).toBe('its log is empty');
    writeFileSync(path, 'no log\nat all\n');
    expect((await source().summary(uuid(1))).problem).toBe('its log holds no record that can be read');
    expect((await source().read(uuid(1))).problems[0]).toMatch(/^2 of its lines cannot be read/);
  });
});
