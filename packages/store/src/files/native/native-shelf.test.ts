import { createNativePlayer } from '@tapefold/dialects';
import { type RecorderOptions, openTape } from '@tapefold/tapes';
import { appendFileSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createFileSource } from '../file-source.js';
import { nativeThreadId } from './native-file.js';

const root = mkdtempSync(join(tmpdir(), 'tapefold-native-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const newHome = (): string => mkdtempSync(join(root, 'home-'));
const open = (home: string, options: Partial<RecorderOptions> = {}) => openTape({ home, createPlayer: createNativePlayer, agent: { name: 'my-agent', version: '2' }, details: { cwd: '/work', model: 'm' }, ...options });
const sourceOf = (home: string, onRead?: (bytes: number) => void) => createFileSource([{ program: 'native', path: home }], onRead);

async function recorded(home: string, words: readonly string[], options: Partial<RecorderOptions> = {}) {
  const tape = await open(home, options);
  for (const text of words) {
    const turn = tape.turn(text);
    await turn.step().message().complete({ text: `re: ${text}` });
    turn.end();
  }
  return tape;
}

async function collected<T>(all: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const one of all) list.push(one);
  return list;
}

describe('[R-TAPE-7] native tapes', () => {
  it('are listed, read, previewed and accounted for like all others', async () => {
    const home = newHome();
    const tape = await recorded(home, ['Fix the test.', 'Thanks.']);
    await tape.close();
    const source = sourceOf(home);
    const { rows: [row], problems } = await source.list();
    expect(problems).toEqual([]);
    expect(row).toMatchObject({ program: 'native', path: tape.path, isArchived: false, isSubAgent: false, turnCount: 2, lastTurn: 'completed', problem: undefined, sizeBytes: statSync(tape.path).size });
    expect(row?.thread).toMatchObject({ id: tape.threadId, sessionId: tape.threadId, preview: 'Fix the test.', cwd: '/work', model: 'm', source: 'cli', originator: 'my-agent', cliVersion: '2', name: null, parentThreadId: null, modelProvider: 'unknown' });
    const { thread, problems: found } = await source.read('last');
    expect(found).toEqual([]);
    expect(thread.turns.map(({ id, status, items }) => [id, status, items.map(({ type }) => type)])).toEqual([['t0', 'completed', ['userMessage', 'agentMessage']], ['t1', 'completed', ['userMessage', 'agentMessage']]]);
    expect(thread.turns[0]?.startedAt).toBeGreaterThan(1_700_000_000);
    expect((await collected(source.facts(tape.threadId))).map(({ position, fact }) => [position, fact.ordinal]).every(([position, ordinal]) => position === ordinal)).toBe(true);
    expect(await source.preview('last')).toMatchObject({ kind: 'lines', lines: [{ text: 'Fix the test.' }, { text: 're: Fix the test.' }, { text: 'Thanks.' }, { text: 're: Thanks.' }] });
    for (const what of [undefined, tape.threadId, tape.path]) expect(await collected(source.report(what)), String(what)).toMatchObject([{ path: tape.path, threadId: tape.threadId, facts: tape.factCount, problem: undefined, ledger: { linesTotal: tape.factCount + 1, linesPlayed: tape.factCount + 1 } }]);
    expect(await source.explain(tape.path)).toMatchObject({ kind: 'tape', isListed: true });
    expect(await source.hasLine('last', /Fix the te/)).toBe(true);
  });

  it('are found by any unique beginning of their own id, which becomes a UUID where it is none', async () => {
    const home = newHome();
    for (const threadId of ['fix-the-tests', 'fix-the-docs', '0199BBBB-0000-7000-8000-000000000001']) await (await recorded(home, [threadId], { threadId })).close();
    const source = sourceOf(home);
    const shown = nativeThreadId('fix-the-tests');
    expect(shown).toBe('3298c303-2171-5d20-9003-e8626138e029');
    for (const id of ['fix-the-tests', 'FIX-THE-T', shown, shown.slice(0, 9)]) expect((await source.summary(id)).thread.id).toBe(shown);
    expect((await source.summary('0199bbbb')).thread.id).toBe('0199bbbb-0000-7000-8000-000000000001');
    await expect(source.summary('fix-the')).rejects.toMatchObject({ code: 'ambiguousId' });
    await expect(source.summary('other')).rejects.toMatchObject({ code: 'threadNotFound' });
  });

  it('show what was renamed, archived, taken back and left open, also where the file is larger than a look', async () => {
    for (const padding of [0, 300_000]) {
      const home = newHome();
      const tape = await recorded(home, ['one', 'two']);
      for (let i = 0; i * 10_000 < padding; i += 1) tape.notice('info', 'pad', 'x'.repeat(10_000));
      tape.undo();
      tape.describe({ name: 'Renamed' });
      tape.turn('three').step();
      await tape.close();
      let bytes = 0;
      const source = sourceOf(home, (read) => void (bytes += read));
      expect((await source.list()).rows).toMatchObject([{ lastTurn: 'open', turnCount: padding ? undefined : 2, thread: { name: 'Renamed', preview: 'one' } }]);
      expect(bytes).toBeLessThan(100_000);
      expect((await source.read('last')).thread.turns.map(({ id, status }) => [id, status])).toEqual([['t0', 'completed'], ['t2', 'interrupted']]);
      const again = await open(home, { threadId: tape.threadId });
      again.describe({ isArchived: true });
      await again.close();
      expect((await source.list()).rows).toEqual([]);
      expect((await source.list({ archived: 'only' })).rows).toMatchObject([{ isArchived: true }]);
      expect((await source.explain(tape.threadId)).why).toContain('it is archived');
    }
  });

  it('of sub-agents stand below their parents', async () => {
    const home = newHome();
    const parent = await recorded(home, ['go'], { threadId: 'parent' });
    const child = await recorded(home, ['look'], { threadId: 'child', parent: { threadId: 'parent' }, details: { agentRole: 'explorer' } });
    const below = await recorded(home, ['deeper'], { threadId: 'below', parent: { threadId: 'child' } });
    await Promise.all([parent.close(), child.close(), below.close()]);
    const source = sourceOf(home);
    expect((await source.list()).rows.map(({ thread }) => thread.id)).toEqual([nativeThreadId('parent')]);
    const rows = (await source.list({ hasSubAgents: true })).rows;
    expect(rows.find(({ thread }) => thread.id === nativeThreadId('child'))?.thread).toMatchObject({ id: nativeThreadId('child'), parentThreadId: nativeThreadId('parent'), agentRole: 'explorer' });
    const session = await source.agents('below');
    expect([session.sessionId, session.named]).toEqual(['parent', 'below']);
    expect(session.agents.map(({ agent }) => [agent.agentId, agent.parentAgentId])).toEqual(expect.arrayContaining([['main', undefined], ['child', 'main'], ['below', 'child']]));
  });

  it('are read while they are written, and half a line shows nothing', async () => {
    const home = newHome();
    const tape = await recorded(home, ['one']);
    const source = sourceOf(home);
    appendFileSync(tape.path, '{"ordinal":99,"type":"turn.st');
    expect((await source.read('last')).thread.turns.length).toBe(1);
    expect((await source.list()).rows).toMatchObject([{ turnCount: 1, problem: undefined }]);
  });

  it('a copy of a tape is no second thread, a renamed folder is the same one; what cannot be read is a row with the reason', async () => {
    const home = newHome();
    await (await recorded(home, ['one'], { threadId: 'a' })).close();
    cpSync(join(home, 'a'), join(home, 'a.bak'), { recursive: true });
    utimesSync(join(home, 'a.bak/tape.jsonl'), 1, 1);
    mkdirSync(join(home, 'empty'));
    writeFileSync(join(home, 'empty/tape.jsonl'), '');
    symlinkSync(join(home, 'nowhere'), join(home, 'gone'));
    const source = sourceOf(home);
    const { rows, problems } = await source.list();
    expect(Object.fromEntries(rows.map(({ path, problem }) => [path.slice(home.length), problem]))).toEqual({ '/a/tape.jsonl': undefined, '/empty/tape.jsonl': 'it is empty' });
    expect(problems).toMatchObject([{ reason: 'cannot be read (ENOENT)' }]);
    expect(await source.explain(join(home, 'a.bak/tape.jsonl'))).toMatchObject({ kind: 'supersededTape', isListed: false });
    rmSync(join(home, 'a'), { recursive: true });
    expect((await source.read('a')).thread).toMatchObject({ id: nativeThreadId('a'), path: join(home, 'a.bak/tape.jsonl'), turns: [{ id: 't0' }] });
  });

  it('damage costs its line, and is told', async () => {
    const home = newHome();
    const tape = await recorded(home, ['one', 'two'], { threadId: 'a' });
    await tape.close();
    const lines = readFileSync(tape.path, 'utf8').split('\n');
    const hit = lines.findIndex((line) => line.includes('re: one') && line.includes('item.completed'));
    writeFileSync(tape.path, lines.map((line, i) => (i === hit ? line.slice(5) : line)).join('\n'));
    const { thread, problems } = await sourceOf(home).read('a');
    expect(thread.turns.map(({ items }) => items.map(({ type }) => type))).toEqual([['userMessage'], ['userMessage', 'agentMessage']]);
    expect(problems).toEqual([expect.stringContaining('1 of its lines cannot be read')]);
  });
});
