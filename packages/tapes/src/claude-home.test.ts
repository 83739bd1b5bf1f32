import { chmodSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { discoverClaudeHome } from './claude-home.js';
import { explainPath } from './explain-path.js';
import { temporaryFolder, writeHome } from './tape-bytes.suite.js';
import { tapeProgram } from './tape-program.js';

const id = (n: number): string => `01990000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const line = `${JSON.stringify({ type: 'user', uuid: id(99), parentUuid: null, sessionId: id(1), message: { role: 'user', content: 'hi' } })}\n`;
const project = 'projects/-home-sam-w';

const root = temporaryFolder();
const homeWith = (files: Record<string, string>, links?: Record<string, string>): string => writeHome(root, files, links);

function discover(home: string) {
  const { tapes, notTapes, problems } = discoverClaudeHome(home);
  const short = (path: string): string => relative(home, path);
  return {
    tapes: tapes.map((tape) => short(tape.path)), notTapes: Object.fromEntries(notTapes.map(({ path, kind }) => [short(path), kind])), problems: Object.fromEntries(problems.map(({ path, reason }) => [short(path), reason])),
  };
}

describe('discovery of a Claude home', () => {
  it('[R-TAPE-6] finds sessions, sub-agents in their session\'s folder and beside the sessions, with what names and places say', () => {
    const home = homeWith({
      [`${project}/${id(1)}.jsonl`]: line, [`${project}/agent-a0b1.jsonl`]: line, [`${project}/${id(1)}/subagents/agent-a1234567890abcdef.jsonl`]: line,
      [`${project}/${id(1)}/subagents/agent-a1234567890abcdef.meta.json`]: '{}', [`${project}/${id(1)}/subagents/workflows/w1/agent-a77.jsonl`]: line,
    });
    const { tapes, notTapes, problems } = discoverClaudeHome(home);
    expect(tapes.map(({ path, name, notePath }) => [relative(home, path), name, notePath && relative(home, notePath)])).toEqual([
      [`${project}/${id(1)}.jsonl`, { kind: 'session', sessionId: id(1) }, undefined],
      [`${project}/agent-a0b1.jsonl`, { kind: 'agent', agentId: 'a0b1', sessionId: undefined }, undefined],
      [`${project}/${id(1)}/subagents/agent-a1234567890abcdef.jsonl`, { kind: 'agent', agentId: 'a1234567890abcdef', sessionId: id(1) }, `${project}/${id(1)}/subagents/agent-a1234567890abcdef.meta.json`],
      [`${project}/${id(1)}/subagents/workflows/w1/agent-a77.jsonl`, { kind: 'agent', agentId: 'a77', sessionId: id(1) }, undefined],
    ]);
    expect(tapes[0]).toMatchObject({ sizeBytes: line.length, mtimeMs: statSync(join(home, project, `${id(1)}.jsonl`)).mtimeMs });
    expect({ kinds: notTapes.map(({ kind }) => kind), problems }).toEqual({ kinds: ['agentNote'], problems: [] });
  });

  it('[R-TAPE-6] recognises everything else and reads none of it', () => {
    const home = homeWith({
      'history.jsonl': '', 'tasks/x/1.json': '', 'todos/x-agent-x.json': '', 'file-history/x/abc@v1': '', 'plans/blue-old-fox.md': '', 'sessions/4711.json': '{}', 'settings.json': '', 'settings.local.json': '', 'CLAUDE.md': '',
      '.credentials.json': '', 'session-env/x': '', 'shell-snapshots/x.sh': '', 'backups/x': '', 'debug/x.txt': '', 'statsig/x': '', 'ide/1.lock': '', '.last-cleanup': '', 'cache/x': '', 'agents/x.md': '', '__store.db': '', 'odd.bin': '',
      [`${project}/${id(1)}.jsonl`]: line, [`${project}/${id(1)}/tool-results/b1.txt`]: '', [`${project}/${id(1)}/tool-results/agent-x.jsonl`]: '', [`${project}/sessions-index.json`]: '', [`${project}/memory/MEMORY.md`]: '', [`${project}/notes.txt`]: '',
    });
    expect(discover(home)).toEqual({
      tapes: [`${project}/${id(1)}.jsonl`],
      notTapes: {
        'history.jsonl': 'promptRecall', tasks: 'taskList', todos: 'taskList', 'file-history': 'fileBackup', plans: 'plan', sessions: 'runMark', 'settings.json': 'settings', 'settings.local.json': 'settings', 'CLAUDE.md': 'settings',
        '.credentials.json': 'credentials', 'session-env': 'shellSnapshot', 'shell-snapshots': 'shellSnapshot', backups: 'settings', debug: 'log', statsig: 'log', ide: 'runMark', '.last-cleanup': 'cache', cache: 'cache', agents: 'settings',
        '__store.db': 'database', 'odd.bin': 'other', [`${project}/${id(1)}/tool-results`]: 'media', [`${project}/sessions-index.json`]: 'database', [`${project}/memory/MEMORY.md`]: 'settings', [`${project}/notes.txt`]: 'other',
      },
      problems: {},
    });
  });

  it('[R-TAPE-6] hides no line file, whatever its name or place below the projects', () => {
    const odd = [`${project}/session.jsonl`, `${project}/copy of ${id(1)}.jsonl`, `${project}/backup/${id(2)}.jsonl`, 'projects/loose.jsonl', `${project}/empty.jsonl`];
    expect(discover(homeWith(Object.fromEntries(odd.map((path) => [path, path.includes('empty') ? '' : line])))).tapes.sort()).toEqual([...odd].sort());
  });

  it.skipIf(process.getuid?.() === 0)('[R-TAPE-6] a file without the right to read it is a problem', () => {
    const home = homeWith({ [`${project}/${id(1)}.jsonl`]: line });
    chmodSync(join(home, project, `${id(1)}.jsonl`), 0);
    expect(discover(home)).toMatchObject({ tapes: [], problems: { [`${project}/${id(1)}.jsonl`]: 'cannot be read (EACCES)' } });
  });

  it('[R-TAPE-6] what cannot be read is a problem with its reason, links are followed once, settings may be links', () => {
    const outside = join(root, 'outside');
    mkdirSync(outside, { recursive: true });
    writeFileSync(join(outside, `${id(5)}.jsonl`), line);
    const home = homeWith({ [`${project}/${id(1)}.jsonl`]: line, [`${project}/${id(2)}.jsonl/x`]: '' }, {
      [`${project}/${id(3)}.jsonl`]: '/nowhere/at/all', [`${project}/${id(4)}.jsonl`]: '/etc/hostname', 'projects/-outside': outside, 'projects/all': '.', [`${project}/0.jsonl`]: `${id(1)}.jsonl`, 'settings.json': '/etc/hostname', 'skills': '/nowhere',
    });
    expect(discover(home)).toEqual({
      tapes: [`${project}/${id(1)}.jsonl`, `projects/-outside/${id(5)}.jsonl`],
      notTapes: { [`${project}/${id(2)}.jsonl/x`]: 'other', 'projects/all': 'link', [`${project}/0.jsonl`]: 'link', 'settings.json': 'settings', skills: 'settings' },
      problems: {
        [`${project}/${id(2)}.jsonl`]: 'is a folder where a session file should be', [`${project}/${id(3)}.jsonl`]: 'cannot be read (ENOENT)', [`${project}/${id(4)}.jsonl`]: 'links to a file outside of the home, which is not followed',
      },
    });
    expect(discoverClaudeHome('/nowhere/at/all')).toEqual({ home: '/nowhere/at/all', tapes: [], notTapes: [], problems: [{ path: '/nowhere/at/all', reason: 'cannot be read (ENOENT)' }] });
  });

  it('[R-TAPE-6] a home and its projects may themselves be links, and nothing is written', () => {
    const home = homeWith({ [`real/-w/${id(1)}.jsonl`]: line }, { projects: 'real' });
    const link = join(root, 'link-home');
    symlinkSync(home, link);
    const state = (): unknown => readdirSync(home, { recursive: true, encoding: 'utf8' }).sort().map((name) => [name, statSync(join(home, name)).mtimeMs]);
    const before = state();
    expect(discover(link).tapes).toEqual([`projects/-w/${id(1)}.jsonl`]);
    expect(state()).toEqual(before);
  });
});

describe('explaining a path of a Claude home', () => {
  const home = homeWith({
    [`${project}/${id(1)}.jsonl`]: line, [`${project}/${id(1)}/subagents/agent-a1.jsonl`]: line, [`${project}/${id(1)}/subagents/agent-a1.meta.json`]: '{}', [`${project}/${id(1)}/tool-results/b.txt`]: 'x', [`${project}/sessions-index.json`]: '',
    'history.jsonl': line, 'tasks/x/1.json': '{}', 'todos/x.json': '[]', 'file-history/x/abc@v1': 'x', 'plans/a.md': '', 'sessions/1.json': '{}', 'debug/a.txt': '', 'settings.json': '{}', 'unknown/a.txt': '',
  });
  it.each([
    [`${project}/${id(1)}.jsonl`, 'tape'], [`${project}/${id(1)}/subagents/agent-a1.jsonl`, 'tape'], [`${project}/${id(1)}/subagents/agent-a1.meta.json`, 'agentNote'], [`${project}/${id(1)}/tool-results/b.txt`, 'media'],
    [`${project}/sessions-index.json`, 'database'], ['history.jsonl', 'promptRecall'], ['tasks/x/1.json', 'taskList'], ['tasks', 'taskList'], ['todos/x.json', 'taskList'], ['file-history/x/abc@v1', 'fileBackup'], ['plans/a.md', 'plan'],
    ['sessions/1.json', 'runMark'], ['debug/a.txt', 'log'], ['settings.json', 'settings'], ['unknown/a.txt', 'other'], ['projects', 'folder'], [project, 'folder'], [`${project}/gone.jsonl`, 'missing'],
  ])('[R-TAPE-6] %s is %s, in one sentence', (path, kind) => {
    const explained = explainPath(join(home, path));
    expect(explained.kind).toBe(kind);
    expect(explained.why).toMatch(/^It .*\.$/);
  });

  it('[R-TAPE-6] a session file that lies anywhere else is a stray one, and its program is known', () => {
    const stray = join(root, 'stray.jsonl');
    writeFileSync(stray, `null\n{"broken\n\uFEFF${line}`);
    expect(tapeProgram(stray)).toBe('claude');
    writeFileSync(stray, line);
    expect(explainPath(stray).kind).toBe('strayTape');
    writeFileSync(stray, '{"timestamp":"2026-01-01T00:00:00Z","type":"session_meta","payload":{"id":"x"}}\n');
    expect(tapeProgram(stray)).toBe('codex');
  });
});
