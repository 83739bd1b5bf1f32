import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, existsSync, readFileSync, readdirSync, renameSync, statSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { SqliteStore } from '@tapefold/store';
import { RpcServer } from '@tapefold/testing';
import { environment, folder, homeOf, main, samplesCopy, tapefold } from './built.suite.js';

const id = '01990000-0000-7000-8000-000000000001';
const path = `sessions/2026/01/01/rollout-2026-01-01T00-00-00-${id}.jsonl`;
const record = (type: string, payload: object): object => ({ timestamp: '2026-01-01T00:00:00.000Z', type, payload });
const said = (text: string): object[] => [record('event_msg', { type: 'user_message', message: text }), record('event_msg', { type: 'agent_message', message: `re: ${text}` })];
const oneHome = (): string => homeOf({ [path]: [record('session_meta', { id, timestamp: '2026-01-01T00:00:00Z', cwd: '/w', originator: 'codex', cli_version: '1', source: 'cli' }), ...said('one')] });

/** The command over one home, with an index of its own. */
function over(home: string): (...args: string[]) => ReturnType<typeof tapefold> {
  const env = { TAPEFOLD_HOME: folder(), CODEX_HOME: home };
  return (...args) => tapefold(args, { env });
}

/** Each test starts a dozen programs. */
const TIMEOUT_MS = 240_000;

describe('the index on the command line', () => {
  it('is made, said how it stands, proved, and brought up to date', () => {
    const home = oneHome();
    const run = over(home);
    expect(run('status')).toMatchObject({ code: 0, out: '', err: expect.stringContaining('there is no index') });
    expect(run('verify', '--all')).toMatchObject({ code: 2, err: expect.stringContaining('tapefold index') });
    expect(run('index')).toMatchObject({ code: 0, out: expect.stringMatching(/^1 session: 1 new, \d+ B read in .*\n$/) });
    expect(run('index')).toMatchObject({ code: 0, out: '1 session: nothing new\n' });
    expect(run('status').out).toMatch(/sessions {2}1 whole: \d+ B of \d+ B \(100 %\)\nsearch {4}all text\nindexing {2}nobody/);
    expect(run('verify', id)).toMatchObject({ code: 0, out: '1 session equal, 0 different, 0 not indexed\n' });
    appendFileSync(join(home, path), said('two').map((line) => `${JSON.stringify(line)}\n`).join(''));
    expect(run('index').out).toMatch(/^1 session: 1 grown, \d+ B read/);
    expect(run('show', 'last').out).toContain('re: two');
  }, TIMEOUT_MS);

  it('says what it does not have yet', async () => {
    const env = { TAPEFOLD_HOME: folder(), CODEX_HOME: oneHome() };
    const run = (...args: string[]): ReturnType<typeof tapefold> => tapefold(args, { env });
    run('index');
    const store = new SqliteStore(join(env.TAPEFOLD_HOME, 'index.db'), { nowMs: Date.now });
    await store.acquire();
    await store.drop((await store.histories()).map(({ name }) => name));
    await store.release();
    await store.close();
    expect(run('status').out).toContain('\nsessions  0 whole, 1 not yet: 0 B so far\n');
    expect(JSON.parse(run('status', '--json').out)).toMatchObject({ threads: 0, missing: 1, unfinished: 0 });
  }, TIMEOUT_MS);

  it('[R-STO-3] changes no word of what is shown, before, behind and after the indexing', () => {
    const home = samplesCopy();
    const run = over(home);
    const commands = [['list', '--all', '--archived', '--json'], ['show', 'last'], ['show', 'last', '--json'], ['preview', 'last']];
    const before = commands.map((args) => run(...args));
    run('index');
    expect(commands.map((args) => run(...args))).toEqual(before);
    expect(commands.map((args) => run(...args, '--no-index'))).toEqual(before);
    const [file = ''] = readdirSync(home, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.jsonl') && name.includes('rollout'));
    appendFileSync(join(home, file), `${JSON.stringify(said('not yet indexed')[1])}\n`);
    expect(run('show', join(home, file)).out).toContain('not yet indexed');
  }, TIMEOUT_MS);

  it('[R-STO-1] is dropped and made anew; also one that is damaged, which reading does without', () => {
    const home = oneHome();
    const env = { TAPEFOLD_HOME: folder(), CODEX_HOME: home };
    const run = (...args: string[]): ReturnType<typeof tapefold> => tapefold(args, { env });
    run('index');
    expect(run('rebuild')).toMatchObject({ code: 0, out: expect.stringMatching(/^1 session: 1 new/) });
    const database = join(env.TAPEFOLD_HOME, 'index.db');
    writeFileSync(database, 'no database '.repeat(1_000));
    expect(run('show', id)).toMatchObject({ code: 0, out: expect.stringContaining('re: one'), err: expect.stringMatching(/the index .* is damaged .*tapefold rebuild/) });
    expect(run('index')).toMatchObject({ code: 1, err: expect.stringContaining('is damaged') });
    expect(run('rebuild')).toMatchObject({ code: 0 });
    expect(run('verify', '--all')).toMatchObject({ code: 0 });
    expect(statSync(database).mode & 0o777).toBe(0o600);
  }, TIMEOUT_MS);

  it('[R-STO-3] an answer about a thread that is not whole in it says how much of it is', async () => {
    const home = oneHome();
    const tapefoldHome = folder();
    tapefold(['index'], { env: { TAPEFOLD_HOME: tapefoldHome, CODEX_HOME: home } });
    const size = statSync(join(home, path)).size;
    // The indexer of the server would be too quick: another process has the right to write.
    const store = new SqliteStore(join(tapefoldHome, 'index.db'), { nowMs: () => Date.now() });
    await store.acquire();
    appendFileSync(join(home, path), said('two').map((line) => `${JSON.stringify(line)}\n`).join(''));
    const server = new RpcServer(home, undefined, tapefoldHome);
    await server.initialize();
    const ask = async (method: string, more: object = {}): Promise<unknown> => (await server.call(method, { threadId: id, ...more })).result;
    const notYetIndexed = { indexedBytes: size, totalBytes: statSync(join(home, path)).size };
    const methods: readonly (readonly [string, object])[] = [['thread/turns/list', {}], ['thread/items/list', {}], ['thread/timeline/list', {}], ['thread/read', { includeTurns: true }], ['thread/searchOccurrences', { searchTerm: 'two' }]];
    for (const [method, more] of methods) expect(await ask(method, more), method).toMatchObject({ notYetIndexed });
    await store.release();
    await store.close();
    for (let left = 200; (await ask('thread/items/list') as { notYetIndexed?: object }).notYetIndexed !== undefined; left--) {
      if (left === 0) throw new Error('it is never indexed');
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    expect(await server.end()).toBe(0);
  }, TIMEOUT_MS);

  it('[R-STO-3] serve makes it in the background, unless it is to do without', async () => {
    const home = oneHome();
    const [indexed, without] = [folder(), folder()];
    const ask = async (server: RpcServer): Promise<unknown> => ((await server.call('thread/items/list', { threadId: id })).result as { notYetIndexed?: unknown }).notYetIndexed;
    const server = new RpcServer(home, undefined, indexed);
    await server.initialize();
    for (let left = 200; (await ask(server)) !== undefined; left--) {
      if (left === 0) throw new Error('it is never indexed');
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    expect(await server.end()).toBe(0);
    expect(tapefold(['status'], { env: { TAPEFOLD_HOME: indexed, CODEX_HOME: home } }).out).toContain('1 whole');
    const bare = new RpcServer(home, ['serve', '--no-index'], without);
    await bare.initialize();
    expect(await ask(bare)).toBeUndefined();
    expect(await bare.end()).toBe(0);
    expect(existsSync(join(without, 'index.db'))).toBe(false);
  }, TIMEOUT_MS);

  it.each(['SIGINT', 'SIGTERM'] as const)('[R-STO-2] --watch that is asked to end by %s ends what is begun, and then by that signal', async (signal) => {
    const env = { TAPEFOLD_HOME: folder(), CODEX_HOME: oneHome() };
    const child = spawn(process.execPath, [main, 'index', '--watch'], { env: environment(env), stdio: ['ignore', 'pipe', 'inherit'] });
    await once(child.stdout, 'data');
    child.kill(signal);
    expect(await once(child, 'exit')).toEqual([null, signal]);
    expect(tapefold(['status'], { env }).out).toMatch(/1 whole.*\n.*\nindexing {2}nobody/);
  }, TIMEOUT_MS);

  it('[R-STO-2] serve goes on when a home goes, and lists what is in it when it is back', async () => {
    const home = join(folder(), 'home');
    renameSync(oneHome(), home);
    const server = new RpcServer(home, undefined, folder());
    await server.initialize();
    const lists = async (count: number): Promise<void> => {
      const asked = async (): Promise<number> => ((await server.call('thread/list', {})).result as { data: unknown[] }).data.length;
      for (let left = 200; (await asked()) !== count; left--) {
        if (left === 0) throw new Error(`it never lists ${count}`);
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    };
    await lists(1);
    renameSync(home, `${home}.away`);
    await lists(0);
    const second = path.replaceAll('000001', '000002');
    writeFileSync(join(`${home}.away`, second), readFileSync(join(`${home}.away`, path), 'utf8').replaceAll('000001', '000002'));
    renameSync(`${home}.away`, home);
    await lists(2);
    expect(await server.end()).toBe(0);
  }, TIMEOUT_MS);

  it('verify names the first difference, and fails', () => {
    const home = oneHome();
    const run = over(home);
    const text = readFileSync(join(home, path), 'utf8');
    utimesSync(join(home, path), 1_700_000_000, 1_700_000_000);
    run('index');
    // The same length and time: only who folds afresh notices.
    writeFileSync(join(home, path), text.replaceAll('one', 'ten'));
    expect(run('verify', '--all')).toMatchObject({ code: 1, out: expect.stringContaining('its files changed since it was indexed') });
    utimesSync(join(home, path), 1_700_000_000, 1_700_000_000);
    expect(run('verify', '--all')).toMatchObject({ code: 1, out: expect.stringMatching(/differs: .*"one" .*\n0 sessions equal, 1 different/) });
    truncateSync(join(home, path), 20);
    expect(run('index')).toMatchObject({ out: expect.stringContaining('1 new') });
    expect(run('verify', '--all')).toMatchObject({ code: 0 });
    expect(existsSync(join(home, 'index.db'))).toBe(false);
  }, TIMEOUT_MS);
});
