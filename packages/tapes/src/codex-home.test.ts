import { Buffer } from 'node:buffer';
import { mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { discoverCodexHome } from './codex-home.js';
import { explainPath } from './explain-path.js';
import { rawFrame, temporaryFolder, writeHome } from './tape-bytes.suite.js';

const id = (n: number): string => `01990000-0000-7000-8000-${String(n).padStart(12, '0')}`;
const rollout = (n: number, end = 'jsonl'): string => `rollout-2025-09-01T10-00-00-${id(n)}.${end}`;
const meta = `${JSON.stringify({ timestamp: '2025-09-01T10:00:00.000Z', type: 'session_meta', payload: { id: id(1), cwd: '/work', base_instructions: 'x'.repeat(9_000) } })}\n`;
const day = 'sessions/2025/09/01';

const root = temporaryFolder();
const homeWith = (files: Record<string, string | Uint8Array>, links?: Record<string, string>): string => writeHome(root, files, links);

function discover(home: string) {
  const { tapes, notTapes, problems, sessionIndexPath } = discoverCodexHome(home);
  const short = (path: string): string => relative(home, path);
  return {
    tapes: tapes.map((tape) => short(tape.path)),
    notTapes: Object.fromEntries(notTapes.map(({ path, kind }) => [short(path), kind])),
    problems: Object.fromEntries(problems.map(({ path, reason }) => [short(path), reason])),
    sessionIndexPath,
  };
}

describe('discovery of a Codex home', () => {
  it('[R-TAPE-6] finds active, archived, compressed, reverted and early files, with what their names say', () => {
    const reverted = `rollout-2025-09-01T10-00-00-${id(1)}_${id(9)}.jsonl`;
    const home = homeWith({
      [`${day}/${rollout(1)}`]: meta, [`${day}/${reverted}`]: meta, [`sessions/2025/09/02/${rollout(2, 'jsonl.zst')}`]: rawFrame(Buffer.from(meta), 500),
      [`archived_sessions/${rollout(3)}`]: meta, [`sessions/rollout-2025-04-20-${id(4)}.json`]: '{"session":{},"items":[]}', 'session_index.jsonl': '{}\n',
    });
    const { tapes, sessionIndexPath, problems, notTapes } = discoverCodexHome(home);
    expect(tapes.map(({ path, shownPath, form, isArchived, name }) => [relative(home, path), relative(home, shownPath), form, isArchived, name?.rolloutId])).toEqual([
      [`sessions/rollout-2025-04-20-${id(4)}.json`, `sessions/rollout-2025-04-20-${id(4)}.json`, 'document', false, id(4)],
      [`${day}/${rollout(1)}`, `${day}/${rollout(1)}`, 'lines', false, id(1)],
      [`${day}/${reverted}`, `${day}/${reverted}`, 'lines', false, id(9)],
      [`sessions/2025/09/02/${rollout(2, 'jsonl.zst')}`, `sessions/2025/09/02/${rollout(2)}`, 'zst', false, id(2)],
      [`archived_sessions/${rollout(3)}`, `archived_sessions/${rollout(3)}`, 'lines', true, id(3)],
    ]);
    expect(tapes[1]).toMatchObject({ name: { createdAtLocal: '2025-09-01T10:00:00', threadId: id(1) }, sizeBytes: meta.length, mtimeMs: statSync(join(home, day, rollout(1))).mtimeMs });
    expect({ sessionIndexPath, problems, notTapes }).toEqual({ sessionIndexPath: join(home, 'session_index.jsonl'), problems: [], notTapes: [] });
  });

  it('[R-TAPE-6] recognises everything else and lists none of it', () => {
    const home = homeWith({
      'history.jsonl': '{"session_id":"s","ts":1,"text":"hi"}\n', 'state_5.sqlite': '', 'state_5.sqlite-wal': '', 'logs_2.sqlite-shm': '', 'auth.json': '{}', 'config.toml': '', 'log/codex-tui.log': '', 'shell_snapshots/a.sh': '',
      'thread-writer-locks/x.lock': '', '.tmp/rollout-maintenance.lock': '', 'skills/a/SKILL.md': '', 'something.bin': '', [rollout(7)]: meta,
      'sessions/trace-1/manifest.json': '{}', 'sessions/trace-1/trace.jsonl': '{"seq":1}\n', 'sessions/trace-1/payloads/1.json': '{}',
      [`${day}/journal.jsonl`]: '{"kind":"journal_header","version":1}\n', [`${day}/recall.jsonl`]: '{"session_id":"s","ts":1,"text":"hi"}\n', [`${day}/screen.jsonl`]: '{"ts":"x","dir":"meta","kind":"session_start"}\n',
      [`${day}/${rollout(1)}`]: meta, [`${day}/${rollout(1, 'jsonl.zst')}`]: 'old', [`${day}/${rollout(2, 'jsonl.zst')}.tmp`]: '', [`${day}/.DS_Store`]: '',
    });
    expect(discover(home)).toEqual({
      tapes: [`${day}/${rollout(1)}`],
      notTapes: {
        'history.jsonl': 'promptRecall', 'state_5.sqlite': 'database', 'state_5.sqlite-wal': 'database', 'logs_2.sqlite-shm': 'database', 'auth.json': 'credentials', 'config.toml': 'settings', log: 'log', shell_snapshots: 'shellSnapshot',
        'thread-writer-locks': 'lock', '.tmp': 'temporary', skills: 'settings', 'something.bin': 'other', [rollout(7)]: 'strayTape',
        'sessions/trace-1': 'trace', [`${day}/journal.jsonl`]: 'eventJournal', [`${day}/recall.jsonl`]: 'promptRecall', [`${day}/screen.jsonl`]: 'screenLog',
        [`${day}/${rollout(1, 'jsonl.zst')}`]: 'supersededTape', [`${day}/${rollout(2, 'jsonl.zst')}.tmp`]: 'temporary', [`${day}/.DS_Store`]: 'other',
      },
      problems: {}, sessionIndexPath: undefined,
    });
  });

  it('[R-TAPE-6] hides no session file, whatever its name or place among the sessions', () => {
    const odd = ['sessions/my-session.jsonl', `${day}/rollout-broken.jsonl`, `${day}/copy of ${rollout(1)}`, `${day}/empty.jsonl`, 'sessions/backup/old/x.jsonl', 'archived_sessions/deep/y.jsonl', `sessions/rollout-strange.json`];
    const { tapes } = discoverCodexHome(homeWith(Object.fromEntries(odd.map((path) => [path, path.includes('empty') ? '' : meta]))));
    expect(tapes).toHaveLength(odd.length);
    expect(tapes.every((tape) => tape.name === undefined)).toBe(true);
  });

  it('[R-TAPE-6] what cannot be read is a problem with its reason, and the rest is found', async () => {
    const home = homeWith({ [`${day}/${rollout(1)}`]: meta, [`${day}/${rollout(2)}/x`]: '', [`${day}/bad.jsonl.zst`]: 'no zstd' }, { [`${day}/${rollout(3)}`]: '/nowhere/at/all', [`${day}/${rollout(4)}`]: '/etc/hostname', 'sessions/round': 'round' });
    const server = createServer().listen(join(home, day, 'pipe.jsonl'));
    await new Promise((done) => server.once('listening', done));
    expect(discover(home)).toEqual({
      tapes: [`${day}/bad.jsonl.zst`, `${day}/${rollout(1)}`],
      notTapes: { [`${day}/${rollout(2)}/x`]: 'other' },
      problems: {
        'sessions/round': 'cannot be read (ELOOP)', [`${day}/${rollout(2)}`]: 'is a folder where a session file should be', [`${day}/${rollout(3)}`]: 'cannot be read (ENOENT)',
        [`${day}/${rollout(4)}`]: 'links to a file outside of the home, which is not followed', [`${day}/pipe.jsonl`]: 'is no regular file',
      },
      sessionIndexPath: undefined,
    });
    server.close();
  });

  it('[R-TAPE-6] a home that is not there is one problem; an empty one is empty', () => {
    expect(discoverCodexHome('/nowhere/at/all')).toEqual({ home: '/nowhere/at/all', tapes: [], notTapes: [], problems: [{ path: '/nowhere/at/all', reason: 'cannot be read (ENOENT)' }] });
    expect(discover(homeWith({}))).toEqual({ tapes: [], notTapes: {}, problems: {}, sessionIndexPath: undefined });
  });

  it('[R-TAPE-6] folders over links are followed once: loops end, files are found under their real place', () => {
    const outside = join(root, 'outside');
    mkdirSync(outside);
    writeFileSync(join(outside, rollout(5)), meta);
    const home = homeWith({ [`${day}/${rollout(1)}`]: meta, [`backup/${rollout(6)}`]: meta }, {
      'sessions/2025/all': '../../sessions', 'sessions/0-first': '2025/09', 'sessions/outside': outside, 'sessions/outside-again': outside, [`${day}/0.jsonl`]: rollout(1), [`${day}/backup.jsonl`]: `../../../../backup/${rollout(6)}`,
    });
    const { tapes, notTapes, problems } = discover(home);
    expect(tapes).toEqual([`${day}/${rollout(1)}`, `sessions/outside/${rollout(5)}`, `${day}/backup.jsonl`]);
    expect(notTapes).toEqual({ backup: 'other', 'sessions/0-first': 'link', 'sessions/2025/all': 'link', 'sessions/outside-again': 'link', [`${day}/0.jsonl`]: 'link' });
    expect(problems).toEqual({});
  });

  it('[R-TAPE-6] settings linked in from elsewhere are settings, not problems; a linked index of names is one', () => {
    const home = homeWith({}, { 'config.toml': '/etc/hostname', 'auth.json': '/nowhere/at/all', skills: '/etc', 'session_index.jsonl': '/etc/hostname' });
    expect(discover(home)).toEqual({
      tapes: [], notTapes: { 'config.toml': 'settings', 'auth.json': 'credentials', skills: 'settings' }, sessionIndexPath: undefined,
      problems: { 'session_index.jsonl': 'links to a file outside of the home, which is not followed' },
    });
  });

  it('[R-TAPE-6] a home and its sessions may themselves be links', () => {
    const home = homeWith({ [`real-${day}/${rollout(1)}`]: meta }, { sessions: 'real-sessions' });
    const link = join(root, 'link-home');
    symlinkSync(home, link);
    expect(discover(link).tapes).toEqual([`${day}/${rollout(1)}`]);
  });

  it('[R-TAPE-6] nothing is written', () => {
    const home = homeWith({ [`${day}/${rollout(1)}`]: meta, 'history.jsonl': '' });
    const state = (): unknown => readdirSync(home, { recursive: true, encoding: 'utf8' }).sort().map((name) => [name, statSync(join(home, name)).mtimeMs, statSync(join(home, name)).size]);
    const before = state();
    discover(home);
    explainPath(join(home, 'history.jsonl'));
    expect(state()).toEqual(before);
  });
});

describe('explaining a path', () => {
  const trace = { 'debug/t/manifest.json': '{}', 'debug/t/trace.jsonl': '{}', 'debug/t/payloads/1.json': '{}' };
  const home = homeWith({
    ...trace, [`${day}/${rollout(1)}`]: meta, [`${day}/${rollout(1, 'jsonl.zst')}`]: 'old', [`elsewhere/${rollout(2)}`]: meta, 'elsewhere/named-otherwise.jsonl': meta, 'elsewhere/recall.jsonl': '{"session_id":"s","ts":1,"text":"hi"}\n',
    'elsewhere/names.jsonl': '{"id":"x","thread_name":"n","updated_at":"t"}\n', 'elsewhere/notes.jsonl': '{"note":1}\n', 'elsewhere/early.json': '{\n "session": {}, "items": []}', 'elsewhere/native.jsonl': '{"tapefold":"tape","version":1,"tape":"x"}\n',
    [`${day}/odd.jsonl`]: '{"note":1}\n', [`${day}/history.jsonl`]: meta, 'log/session-20260101T000000Z.jsonl': '{}', 'log/codex-tui.log': '', 'thread-writer-locks/abc': '', 'session_index.jsonl': '', 'state_5.sqlite': '', 'README.txt': '', 'elsewhere/broken.jsonl': '',
  });
  it.each([
    [`${day}/${rollout(1)}`, 'tape'], [`${day}/${rollout(1, 'jsonl.zst')}`, 'supersededTape'], [`elsewhere/${rollout(2)}`, 'strayTape'], ['elsewhere/named-otherwise.jsonl', 'strayTape'], ['elsewhere/early.json', 'strayTape'],
    ['elsewhere/native.jsonl', 'strayTape'], ['elsewhere/recall.jsonl', 'promptRecall'], ['elsewhere/names.jsonl', 'sideTape'], ['elsewhere/notes.jsonl', 'other'], ['elsewhere/broken.jsonl', 'other'], [`${day}/odd.jsonl`, 'tape'],
    [`${day}/history.jsonl`, 'tape'], ['log/session-20260101T000000Z.jsonl', 'log'], ['log/codex-tui.log', 'log'], ['log', 'log'], ['thread-writer-locks/abc', 'lock'], ['session_index.jsonl', 'sideTape'], ['state_5.sqlite', 'database'],
    ['README.txt', 'other'], ['debug/t/trace.jsonl', 'trace'], ['debug/t/payloads/1.json', 'trace'], ['debug/t', 'trace'], ['sessions', 'folder'], ['', 'folder'], ['not-there.jsonl', 'missing'],
  ])('[R-TAPE-6] %s is %s, in one sentence', (path, kind) => {
    const explained = explainPath(join(home, path));
    expect(explained.kind).toBe(kind);
    expect(explained.why).toMatch(/^It .*\.$/);
  });
});
