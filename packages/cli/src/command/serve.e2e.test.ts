import { RpcServer, copyOfHome, recordedHomes } from '@tapefold/testing';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';

const folders: string[] = [];
afterEach(() => { for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true }); });

const big = recordedHomes().find(({ name }) => name === 'recorded/0.171/big-300-turns')!;
const threadId = big.threadIds[0]!;

/** Memory of a process now, in MiB (Linux). */
function residentMiB(pid: number | undefined): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
}

/** A home with one legacy thread whose turns hold long texts: its full answer is far larger than any buffer. */
function longHome(turns: number, textChars: number): { home: string; id: string } {
  const home = mkdtempSync(join(tmpdir(), 'tapefold-long-'));
  folders.push(home);
  const id = '01990000-0000-7000-8000-00000000aaaa';
  const at = '2025-09-01T10:00:00.000Z';
  const line = (type: string, payload: object): string => JSON.stringify({ timestamp: at, type, payload });
  const lines = [line('session_meta', { id, timestamp: at, cwd: '/w', originator: 'o', cli_version: '1', source: 'cli', model_provider: 'openai' })];
  for (let i = 0; i < turns; i++) {
    lines.push(line('event_msg', { type: 'task_started', turn_id: `t${i}` }), line('event_msg', { type: 'user_message', message: `question ${i}`, images: [] }));
    lines.push(line('event_msg', { type: 'agent_message', message: `${i} `.repeat(textChars / 4) }), line('event_msg', { type: 'task_complete', turn_id: `t${i}` }));
  }
  mkdirSync(join(home, 'sessions/2025/09/01'), { recursive: true });
  writeFileSync(join(home, `sessions/2025/09/01/rollout-2025-09-01T10-00-00-${id}.jsonl`), `${lines.join('\n')}\n`);
  return { home, id };
}

describe('serve over standard input and output, put to the test', () => {
  it('[R-RPC-1] the handshake: nothing before it, never twice; an unknown method is told even before', async () => {
    const server = new RpcServer(big.home);
    expect((await server.call('thread/list')).error).toEqual({ code: -32600, message: 'Not initialized' });
    expect((await server.call('thread/nope')).error?.message).toContain('unknown variant `thread/nope`');
    expect((await server.call('thread/read')).error?.message).toBe('Invalid request: missing field `threadId`');
    const { result } = await server.initialize({ stable: true });
    expect(result).toEqual({ userAgent: expect.stringMatching(/^test\/\d+\.\d+\.\d+ \(/), codexHome: big.home, platformFamily: 'unix', platformOs: expect.any(String) });
    expect((await server.call('initialize', { clientInfo: { name: 'again', version: '1' } })).error).toEqual({ code: -32600, message: 'Already initialized' });
    for (const method of ['thread/search', 'thread/searchOccurrences', 'thread/items/read', 'thread/timeline/list']) {
      const params = { threadId, searchTerm: 'x', turnId: 'x', itemIds: ['x'] };
      expect((await server.call(method, params)).error, method).toEqual({ code: -32600, message: `${method} requires experimentalApi capability` });
    }
    expect((await server.call('thread/resume', { threadId })).error?.message).toContain('read-only');
    expect(await server.end()).toBe(0);
  });

  it('[R-RPC-1] 1,000 calls in flight: every one is answered, each with its own', async () => {
    const server = new RpcServer(big.home);
    await server.initialize();
    const calls = Array.from({ length: 1_000 }, (_, i) => [server.call('thread/turns/list', { threadId, limit: 1 + (i % 7) }), server.call('thread/read', { threadId: i % 2 ? threadId : 'x' })] as const);
    for (const [i, [turns, read]] of calls.entries()) {
      expect(((await turns).result as { data: unknown[] }).data).toHaveLength(1 + (i % 7));
      expect((await read).error === undefined).toBe(i % 2 === 1);
    }
    expect(await server.end()).toBe(0);
  }, 60_000);

  it('[R-RPC-1] calls that are open at the end of the input are answered, a last line without an end too', async () => {
    const server = new RpcServer(big.home);
    await server.initialize();
    const open = Array.from({ length: 20 }, () => server.call('thread/items/list', { threadId, limit: 100 }));
    const last = new Promise<string>((resolve) => { server.child.stdout.on('data', (text: string) => { if (text.includes('"last"')) resolve(text); }); });
    server.child.stdin.write('{"id":"last","method":"thread/loaded/list","params":{}}');
    expect(await server.end()).toBe(0);
    for (const call of open) expect(((await call).result as { data: unknown[] }).data).toHaveLength(100);
    expect(await last).toContain('"result":{"data":[],"nextCursor":null}');
  });

  it('[R-RPC-1] bad lines get no answer and stop nothing: no JSON, lists, halves, huge lines, lines in pieces', async () => {
    const server = new RpcServer(big.home);
    await server.initialize();
    for (const line of ['', '   ', 'nonsense', '[1,2]', '{"id":77}', '{"id":1.5,"method":"thread/list"}', '{"id":null,"method":"thread/list","params":{}}', '{"method":"thread/list","params":{}}', '5', `{"id":3,"method":"${'x'.repeat(6_000_000)}`, '\uFFFD']) server.write(line);
    const request = Buffer.from('{"id":"pieces","method":"thread/loaded/list","params":{"cursor":"é日本"}}\n');
    for (const byte of request) {
      server.child.stdin.write(Buffer.of(byte));
      if (byte % 16 === 0) await new Promise((resolve) => { setTimeout(resolve, 1); });
    }
    expect((await server.call('thread/list')).result).toBeDefined();
    expect(await server.end()).toBe(0);
    expect(server.stderr).toContain('is longer than');
    expect(server.stderr.split('\n').filter((line) => line !== '').every((line) => line.length < 400)).toBe(true);
  });

  it('a client that goes away ends the server', async () => {
    const { home, id } = longHome(40, 400_000);
    const server = new RpcServer(home);
    await server.initialize();
    server.write(JSON.stringify({ id: 'long', method: 'thread/read', params: { threadId: id, includeTurns: true } }));
    server.child.stdout.destroy();
    const code = await new Promise((resolve) => { server.child.once('exit', resolve); });
    expect(code).toBe(0);
  });

  it('[R-LIVE-3] a reader that does not read costs no memory, and gets everything once it does', async () => {
    const { home, id } = longHome(25, 500_000);
    const server = new RpcServer(home);
    await server.initialize();
    await server.call('thread/turns/list', { threadId: id, limit: 1 });
    server.child.stdout.pause();
    const reads = Array.from({ length: 24 }, () => server.call('thread/read', { threadId: id, includeTurns: true }));
    await new Promise((resolve) => { setTimeout(resolve, 1_500); });
    const waitingMiB = residentMiB(server.child.pid);
    server.child.stdout.resume();
    const sizes = (await Promise.all(reads)).map(({ result }) => (result as { thread: { turns: { items: { text: string }[] }[] } }).thread.turns.map(({ items }) => items[1]?.text.length));
    for (const size of sizes) expect(size).toHaveLength(25);
    expect(await server.end()).toBe(0);
    // Twenty-four answers are 300 MB; what the server holds is the thread's rows and one turn.
    expect(waitingMiB).toBeLessThan(200);
  }, 60_000);

  it('[R-STO-3] a large thread is paged from the end of its file: each turn once, and round again from any page', async () => {
    const { home, id } = longHome(45, 400_000);
    const server = new RpcServer(home);
    await server.initialize();
    type TurnsPage = { data: { id: string }[]; nextCursor: string | null; backwardsCursor: string };
    const list = async (params: object): Promise<TurnsPage> => (await server.call('thread/turns/list', { threadId: id, ...params })).result as TurnsPage;
    const ids: string[] = [];
    const rounds: [string, string][] = [];
    for (let cursor: string | null = null; ;) {
      const page: TurnsPage = await list({ cursor, limit: 7 });
      ids.push(...page.data.map((turn) => turn.id));
      rounds.push([page.data[0]!.id, page.backwardsCursor]);
      if (page.nextCursor === null) break;
      expect(page.nextCursor).toContain('"mark"');
      cursor = page.nextCursor;
    }
    expect(ids).toEqual(Array.from({ length: 45 }, (_, i) => `t${44 - i}`));
    for (const [first, cursor] of rounds) {
      const round = await list({ cursor, sortDirection: 'asc', limit: 3 });
      const at = Number(first.slice(1));
      expect(round.data.map((turn) => turn.id)).toEqual([at, at + 1, at + 2].filter((n) => n < 45).map((n) => `t${n}`));
    }
    expect((await server.call('thread/items/list', { threadId: id, cursor: rounds[0]![1] })).error?.message).toContain('invalid cursor: ');
    expect(await server.end()).toBe(0);
  });

  it('[R-RPC-1] tells a client of paginated threads that full reads are old, unless it does not want to hear it', async () => {
    const home = copyOfHome('handmade/12-paginated');
    folders.push(home);
    const read = { threadId: '01990000-0000-7000-8000-000000000050', includeTurns: true };
    const server = new RpcServer(home);
    await server.initialize();
    await server.call('thread/read', read);
    expect(server.notifications).toEqual([{ method: 'deprecationNotice', params: { summary: expect.stringContaining('Full-history hydration is deprecated'), details: null }, emittedAtMs: expect.any(Number) }]);
    expect(await server.end()).toBe(0);
    const deaf = new RpcServer(home);
    await deaf.call('initialize', { clientInfo: { name: 'deaf', version: '1' }, capabilities: { optOutNotificationMethods: ['deprecationNotice'] } });
    await deaf.call('thread/read', read);
    expect(deaf.notifications).toEqual([]);
    expect(await deaf.end()).toBe(0);
  });
});
