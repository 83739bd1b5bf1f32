import { chmodSync, lstatSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { explainPath } from './explain-path.js';
import { discoverKimiHome } from './kimi-home.js';
import { isPlainAgentId } from './kimi-names.js';
import { temporaryFolder, writeHome } from './tape-bytes.suite.js';
import { tapeProgram } from './tape-program.js';

const id = (n: number): string => `01990000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const wire = `${JSON.stringify({ type: 'metadata', protocol_version: '1.5', created_at: 1_796_000_000_000 })}\n`;
const oldWire = `${JSON.stringify({ timestamp: 1_774_949_785.2, message: { type: 'TurnBegin', payload: { user_input: 'hi' } } })}\n`;
const context = `${JSON.stringify({ role: 'user', content: 'hi' })}\n`;
const bucket = 'sessions/wd_w_0123456789ab';
const oldBucket = 'sessions/0123456789abcdef0123456789abcdef';
const session = `${bucket}/session_${id(1)}`;

const root = temporaryFolder();
const homeWith = (files: Record<string, string>, links?: Record<string, string>): string => writeHome(root, files, links);

function discover(home: string) {
  const { tapes, notTapes, problems, sessions } = discoverKimiHome(home);
  const short = (path: string): string => relative(home, path);
  return {
    tapes: tapes.map((tape) => short(tape.path)), notTapes: Object.fromEntries(notTapes.map(({ path, kind }) => [short(path), kind])), problems: Object.fromEntries(problems.map(({ path, reason }) => [short(path), reason])),
    sessions: sessions.map(({ path }) => short(path)),
  };
}

describe('discovery of a Kimi home', () => {
  it('[R-TAPE-6] finds the logs of kimi-code: of the session and of its sub-agents, with the state beside them', () => {
    const home = homeWith({ [`${session}/state.json`]: '{}', [`${session}/agents/main/wire.jsonl`]: wire, [`${session}/agents/agent-0/wire.jsonl`]: wire, [`${bucket}/session_${id(2)}/session-meta/state.json`]: '{}', [`${bucket}/ses_${id(3)}/agents/main/wire.jsonl`]: wire });
    const { tapes, sessions, problems } = discoverKimiHome(home);
    const place = { family: 'code', bucket: 'wd_w_0123456789ab', records: 'wire' };
    expect(tapes.map(({ path, name }) => [relative(home, path), name])).toEqual([
      [`${bucket}/ses_${id(3)}/agents/main/wire.jsonl`, { ...place, sessionId: `ses_${id(3)}`, agentId: 'main' }],
      [`${session}/agents/agent-0/wire.jsonl`, { ...place, sessionId: `session_${id(1)}`, agentId: 'agent-0' }],
      [`${session}/agents/main/wire.jsonl`, { ...place, sessionId: `session_${id(1)}`, agentId: 'main' }],
    ]);
    expect(sessions.map(({ sessionId, notePaths }) => [sessionId, notePaths.map((path) => relative(home, path))])).toEqual([
      [`ses_${id(3)}`, []], [`session_${id(1)}`, [`${session}/state.json`]], [`session_${id(2)}`, [`${bucket}/session_${id(2)}/session-meta/state.json`]],
    ]);
    expect(tapes[0]).toMatchObject({ sizeBytes: wire.length, mtimeMs: statSync(join(home, `${bucket}/ses_${id(3)}/agents/main/wire.jsonl`)).mtimeMs });
    expect(problems).toEqual([]);
  });

  it('[R-TAPE-6] finds logs and histories of kimi-cli of every age', () => {
    const own = `${oldBucket}/${id(1)}`;
    const home = homeWith({
      'kimi.json': '{}', [`${own}/wire.jsonl`]: oldWire, [`${own}/context.jsonl`]: context, [`${own}/context_1.jsonl`]: context, [`${own}/context_sub_1.jsonl`]: context, [`${own}/context_sub_1_2.jsonl`]: context, [`${own}/state.json`]: '{}', [`${own}/metadata.json`]: '{}',
      [`${own}/subagents/a1b2/wire.jsonl`]: oldWire, [`${own}/subagents/a1b2/context.jsonl`]: context, [`${own}/subagents/a1b2/meta.json`]: '{}', [`${own}/subagents/a1b2/prompt.txt`]: 'go', [`${own}/subagents/a1b2/output`]: 'x',
      [`${oldBucket}/${id(2)}.jsonl`]: context, [`sessions/kaos-foo_0123456789abcdef0123456789abcdef/${id(3)}/context.jsonl`]: context, [`${oldBucket}/media/wire.jsonl`]: oldWire, [`${own}/subagents/tasks/wire.jsonl`]: oldWire,
    });
    const { tapes, sessions, workDirsPath } = discoverKimiHome(home);
    expect(tapes.map(({ path, name: { sessionId, agentId, records } }) => [relative(home, path), sessionId, agentId, records])).toEqual([
      [`${oldBucket}/${id(2)}.jsonl`, id(2), 'main', 'context'], [`${own}/context.jsonl`, id(1), 'main', 'context'], [`${own}/context_sub_1.jsonl`, id(1), 'sub_1', 'context'], [`${own}/wire.jsonl`, id(1), 'main', 'wire'],
      [`${own}/subagents/a1b2/context.jsonl`, id(1), 'a1b2', 'context'], [`${own}/subagents/a1b2/wire.jsonl`, id(1), 'a1b2', 'wire'], [`${own}/subagents/tasks/wire.jsonl`, id(1), 'tasks', 'wire'],
      [`${oldBucket}/media/wire.jsonl`, 'media', 'main', 'wire'], [`sessions/kaos-foo_0123456789abcdef0123456789abcdef/${id(3)}/context.jsonl`, id(3), 'main', 'context'],
    ]);
    expect(workDirsPath).toBe(join(home, 'kimi.json'));
    expect(sessions.find(({ sessionId }) => sessionId === id(1))).toMatchObject({ notePaths: [join(home, own, 'state.json'), join(home, own, 'metadata.json')], agentNotes: { a1b2: join(home, own, 'subagents/a1b2/meta.json') } });
    expect(discover(home).notTapes).toEqual({
      'kimi.json': 'sessionNote', [`${own}/context_1.jsonl`]: 'modelHistory', [`${own}/context_sub_1_2.jsonl`]: 'modelHistory', [`${own}/state.json`]: 'sessionNote', [`${own}/metadata.json`]: 'sessionNote',
      [`${own}/subagents/a1b2/meta.json`]: 'agentNote', [`${own}/subagents/a1b2/prompt.txt`]: 'taskRecord', [`${own}/subagents/a1b2/output`]: 'taskRecord',
    });
  });

  it('[R-TAPE-6] recognises everything else and reads none of it', () => {
    const home = homeWith({
      'config.toml': '', 'server.token': '', 'workspaces.json': '', 'session_index.jsonl': '', device_id: '', 'mcp.json': '', 'user-history/x.jsonl': context, 'logs/x.log': '', 'telemetry/x': '', 'cache/x': '', 'search-index/x.db': '', 'credentials/x': '', 'odd.bin': '',
      '.migrated-to-kimi-code': '', 'server/events/x.jsonl': '', 'sessions/.index-cache/scan.json': '', 'sessions/.index-dirty': '',
      [`${session}/agents/main/wire.jsonl`]: wire, [`${session}/agents/main/wire.jsonl.bak`]: wire, [`${session}/state.json.tmp.1.ab`]: '', [`${session}/agents/main/plans/x.md`]: '', [`${session}/agents/main/plan/x/v1.md`]: '', [`${session}/agents/main/blobs/wire.jsonl`]: '',
      [`${session}/agents/main/tasks/t/output.log`]: '', [`${session}/agents/main/file-history/x@v1`]: '', [`${session}/media/x.png`]: '', [`${session}/notify/state.json`]: '', [`${session}/agents/notes.txt`]: '',
    });
    expect(discover(home)).toEqual({
      tapes: [`${session}/agents/main/wire.jsonl`], sessions: [session], problems: {},
      notTapes: {
        'config.toml': 'settings', 'server.token': 'credentials', 'workspaces.json': 'settings', 'session_index.jsonl': 'database', device_id: 'settings', 'mcp.json': 'settings', 'user-history': 'promptRecall', logs: 'log', telemetry: 'log', cache: 'cache',
        'search-index': 'database', credentials: 'credentials', 'odd.bin': 'other', '.migrated-to-kimi-code': 'cache', server: 'runMark', 'sessions/.index-cache': 'database', 'sessions/.index-dirty': 'cache',
        [`${session}/agents/main/wire.jsonl.bak`]: 'temporary', [`${session}/state.json.tmp.1.ab`]: 'temporary', [`${session}/agents/main/plans`]: 'plan', [`${session}/agents/main/plan`]: 'plan', [`${session}/agents/main/blobs`]: 'media',
        [`${session}/agents/main/tasks`]: 'taskRecord', [`${session}/agents/main/file-history`]: 'fileBackup', [`${session}/media`]: 'media', [`${session}/notify`]: 'settings', [`${session}/agents/notes.txt`]: 'other',
      },
    });
  });

  it.skipIf(process.getuid?.() === 0)('[R-TAPE-6] tells what cannot be read, and finds the rest', () => {
    const home = homeWith({ [`${session}/agents/main/wire.jsonl`]: wire, [`${session}/agents/agent-0/wire.jsonl`]: wire, [`${bucket}/session_${id(2)}/agents/main/wire.jsonl`]: wire });
    chmodSync(join(home, session, 'agents/agent-0'), 0);
    chmodSync(join(home, `${bucket}/session_${id(2)}/agents/main/wire.jsonl`), 0);
    const found = discover(home);
    chmodSync(join(home, session, 'agents/agent-0'), 0o755);
    expect(found.tapes).toEqual([`${session}/agents/main/wire.jsonl`]);
    expect(found.problems).toEqual({ [`${session}/agents/agent-0`]: 'cannot be read (EACCES)', [`${bucket}/session_${id(2)}/agents/main/wire.jsonl`]: 'cannot be read (EACCES)' });
  });

  it('[R-TAPE-6] a folder in a log\'s place and links out of the home are problems, links inside are named once, and nothing is written', () => {
    const outside = join(root, 'outside.jsonl');
    writeFileSync(outside, wire);
    const home = homeWith({ [`${session}/agents/main/wire.jsonl`]: wire }, { [`${session}/agents/main/again`]: 'wire.jsonl' });
    mkdirSync(join(home, session, 'agents/agent-0/wire.jsonl'), { recursive: true });
    mkdirSync(join(home, session, 'agents/agent-1'));
    symlinkSync(outside, join(home, session, 'agents/agent-1/wire.jsonl'));
    const state = (): unknown => readdirSync(home, { recursive: true, encoding: 'utf8' }).sort().map((name) => [name, lstatSync(join(home, name)).mtimeMs]);
    const before = state();
    expect(discover(home)).toMatchObject({
      tapes: [`${session}/agents/main/wire.jsonl`], notTapes: { [`${session}/agents/main/again`]: 'link' },
      problems: { [`${session}/agents/agent-0/wire.jsonl`]: 'is a folder where a session file should be', [`${session}/agents/agent-1/wire.jsonl`]: 'links to a file outside of the home, which is not followed' },
    });
    expect(state()).toEqual(before);
  });
});

describe('explaining a path of a Kimi home', () => {
  const own = `${oldBucket}/${id(1)}`;
  const home = homeWith({
    [`${session}/agents/main/wire.jsonl`]: wire, [`${session}/state.json`]: '{}', [`${session}/agents/main/blobs/ab`]: 'x', [`${session}/agents/main/plan/p/v1.md`]: '', 'server/events/x.jsonl': '{"kind":"journal_header"}\n', 'server/instances/x.json': '{}', 'server.token': 'x',
    'user-history/x.jsonl': context, [`${own}/context_1.jsonl`]: context, [`${own}/wire.jsonl`]: oldWire, 'session_index.jsonl': '', '.migrated-to-kimi-code': '', 'unknown/x': '',
  });
  it.each([
    [`${session}/agents/main/wire.jsonl`, 'tape'], [`${own}/wire.jsonl`, 'tape'], [`${own}/context_1.jsonl`, 'modelHistory'], [`${session}/state.json`, 'sessionNote'], [`${session}/agents/main/blobs/ab`, 'media'], [`${session}/agents/main/blobs`, 'media'],
    [`${session}/agents/main/plan/p/v1.md`, 'plan'], ['server/events/x.jsonl', 'eventJournal'], ['server/instances/x.json', 'runMark'], ['server.token', 'credentials'], ['user-history/x.jsonl', 'promptRecall'], ['session_index.jsonl', 'database'],
    ['.migrated-to-kimi-code', 'cache'], ['unknown/x', 'other'], ['sessions', 'folder'], [session, 'folder'], [`${session}/agents/main`, 'folder'], [`${session}/agents/gone/wire.jsonl`, 'missing'],
  ])('[R-TAPE-6] %s is %s, in one sentence', (path, kind) => {
    const explained = explainPath(join(home, path));
    expect(explained.kind).toBe(kind);
    expect(explained.why).toMatch(/^It .*\.$/);
  });

  it.each([wire, oldWire, context, '{"type":"context.append_message","message":{"role":"user","content":[]},"time":1}\n', '{"type": "metadata", "protocol_version": "1.8"}\n', `{"broken\n${oldWire}`])('[R-TAPE-6] a log that lies anywhere else is known by its records: %s', (text) => {
    const stray = join(root, 'stray-kimi.jsonl');
    writeFileSync(stray, text);
    expect(tapeProgram(stray)).toBe('kimi');
    expect(explainPath(stray).kind).toBe(text.startsWith('{"broken') ? 'other' : 'strayTape');
  });

  it.each([['main', true], ['agent-0', true], ['01J8.x_y', true], ['', false], ['.', false], ['..', false], ['../main', false], ['a/b', false], ['a\\b', false], ['a b', false], ['x'.repeat(129), false]])('an agent id that comes from outside is part of a path only if it is plain: %j', (agentId, isPlain) => {
    expect(isPlainAgentId(agentId)).toBe(isPlain);
  });
});
