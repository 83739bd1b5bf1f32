import { chmodSync, existsSync, mkdirSync, renameSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Talk, TOKEN, bearer, closeOf, dial, folder, http, opened, portOf, started, threadIds } from '../../sockets.suite.js';

describe('JSON-RPC over WebSocket', () => {
  it('[R-RPC-1] speaks as over standard input and output: one message per frame, any path', async () => {
    const { listener } = await started();
    const talk = new Talk(await opened(`${listener.url}/any/path?x=1`));
    expect((await talk.call({ id: 0, method: 'thread/list', params: {} }))['error']).toEqual({ code: -32600, message: 'Not initialized' });
    expect((await talk.initialize())['result']).toMatchObject({ userAgent: 'test/1.2.3 (linux; x64) tapefold (test; 1)' });
    const { result } = await talk.call({ id: 'é日', method: 'thread/list', params: { modelProviders: [] } }) as { result: { data: { id: string }[] } };
    expect(new Set(result.data.map(({ id }) => id))).toEqual(new Set(threadIds));
    const read = await talk.call({ id: 2, method: 'thread/read', params: { threadId: threadIds[0], includeTurns: true } }) as { result: { thread: { turns: unknown[] } } };
    expect(read.result.thread.turns.length).toBeGreaterThan(0);
  });

  it('[R-RPC-2] what would run or change something is refused as read-only', async () => {
    const { listener } = await started();
    const talk = new Talk(await opened(listener.url));
    await talk.initialize();
    for (const method of ['thread/resume', 'thread/start', 'turn/start', 'thread/archive', 'thread/name/set', 'thread/fork', 'config/value/write', 'command/exec']) {
      const { error } = await talk.call({ id: method, method, params: { threadId: threadIds[0] } }) as { error: { code: number; message: string } };
      expect(error, method).toMatchObject({ code: -32601, message: expect.stringContaining('read-only') });
    }
  });

  it('[R-RPC-1] many connections, each with its own handshake and its own answers', async () => {
    const { listener } = await started();
    const talks = await Promise.all(Array.from({ length: 40 }, async () => new Talk(await opened(listener.url))));
    await Promise.all(talks.map((talk) => talk.initialize()));
    const answers = await Promise.all(talks.flatMap((talk, i) => [0, 1, 2].map((j) => talk.call({ id: `${i}.${j}`, method: 'thread/turns/list', params: { threadId: threadIds[0], limit: j + 1 } }))));
    expect(answers.every(({ result }) => result !== undefined)).toBe(true);
    for (const [i, talk] of talks.entries()) expect(new Set(talk.seen.map(({ id }) => id))).toEqual(new Set(['hello', `${i}.0`, `${i}.1`, `${i}.2`]));
  });

  it('[R-RPC-1] bad messages get no answer and stop nothing: no JSON, lists, binary', async () => {
    const { listener, log } = await started();
    const socket = await opened(listener.url);
    const talk = new Talk(socket);
    await talk.initialize();
    for (const text of ['nonsense', '[1,2]', '{"id":7}', '5', '']) talk.write(text);
    socket.send(Buffer.from('{"id":8,"method":"thread/list","params":{}}'));
    expect((await talk.call({ id: 9, method: 'thread/loaded/list', params: {} }))['result']).toEqual({ data: [], nextCursor: null });
    expect(talk.seen).toHaveLength(2);
    expect(log.join('\n')).toContain('not JSON: nonsense');
    expect(log.join('\n')).toContain('a binary message of');
  });

  it('[R-RPC-1] plain requests: whether it is there, and that JSON-RPC wants an upgrade', async () => {
    const server = await started();
    const at = { port: portOf(server) };
    expect(await http({ ...at, path: '/healthz' })).toMatchObject({ status: 200, body: '' });
    expect(await http({ ...at, path: '/readyz' })).toMatchObject({ status: 200, body: '' });
    for (const path of ['/', '/x', '/healthz/..']) expect((await http({ ...at, path })).status).toBe(400);
    expect((await http({ ...at, path: '/healthz', headers: { origin: 'http://127.0.0.1' } })).status).toBe(403);
  });

  it('[R-SEC-1] a stop lets what was asked be answered, says goodbye, and takes nobody new', async () => {
    const started_ = await started();
    const socket = await opened(started_.listener.url);
    const talk = new Talk(socket);
    await talk.initialize();
    const asked = Array.from({ length: 30 }, (_, id) => talk.call({ id, method: 'thread/read', params: { threadId: threadIds[0], includeTurns: true } }));
    await talk.find(({ id }) => id === 0);
    const closed = closeOf(socket);
    const stopped = started_.server.stop();
    expect((await Promise.all(asked)).every(({ result }) => result !== undefined)).toBe(true);
    expect(await closed).toEqual({ code: 1001, reason: 'the server stops' });
    await stopped;
    await expect(dial(started_.listener.url, bearer())).rejects.toThrow('ECONNREFUSED');
  });

  it('[R-SEC-1] a client that does not say goodbye is cut at a stop', async () => {
    const { server, listener } = await started({ limits: { graceMs: 200 } });
    const socket = await opened(listener.url);
    socket.pause();
    const began = Date.now();
    await server.stop();
    expect(Date.now() - began).toBeLessThan(3_000);
  });

  it('a port that is taken is told, and so is an address that is not ours', async () => {
    const { listener } = await started();
    await expect(started({ addresses: [listener.address] })).rejects.toThrow(`${listener.url} is taken by another program: give another port`);
    await expect(started({ addresses: [{ kind: 'ws', host: '192.0.2.1', port: 0 }] })).rejects.toMatchObject({ code: 'addressUnusable' });
  });
});

describe('JSON-RPC over a socket in the file system', () => {
  const at = (path: string) => ({ addresses: [{ kind: 'unix', path } as const], token: undefined });

  it('[R-SEC-1] speaks WebSocket, needs no token, and is 0600 in a folder that is 0700', async () => {
    const path = join(folder(), 'new/deep/server.sock');
    const { server, listener } = await started(at(path));
    expect(listener.url).toBe(`unix://${path}`);
    expect([statSync(path).mode & 0o777, statSync(join(path, '..')).mode & 0o777]).toEqual([0o600, 0o700]);
    const talk = new Talk(await opened(`ws+unix://${path}:/`, {}));
    expect((await talk.initialize())['result']).toBeDefined();
    expect(await dial(`ws+unix://${path}:/`, { origin: 'http://evil.example' })).toBe(403);
    expect((await http({ socketPath: path, path: '/healthz' })).status).toBe(200);
    await server.stop();
    expect(existsSync(path)).toBe(false);
  });

  it('[R-SEC-1] refuses a folder that others can look into', async () => {
    const open = join(folder(), 'open');
    mkdirSync(open);
    chmodSync(open, 0o755);
    await expect(started(at(join(open, 'x.sock')))).rejects.toThrow('is open to others (mode 755)');
    expect(existsSync(join(open, 'x.sock'))).toBe(false);
  });

  it('takes over a socket that nobody listens at; never one that is answered, a file, or a link', async () => {
    const home = folder();
    chmodSync(home, 0o700);
    const path = join(home, 'x.sock');
    const dead = createServer().listen(path);
    await new Promise((resolve) => { dead.once('listening', resolve); });
    await expect(started(at(path))).rejects.toThrow('a program listens there');
    // A killed process leaves its socket behind: closing the server under another name does the same.
    renameSync(path, `${path}.left`);
    await new Promise((resolve) => { dead.close(resolve); });
    renameSync(`${path}.left`, path);
    const { listener } = await started(at(path));
    expect(listener.url).toBe(`unix://${path}`);
    const file = join(home, 'file');
    writeFileSync(file, 'mine');
    await expect(started(at(file))).rejects.toThrow('it is no socket');
    symlinkSync(path, join(home, 'link'));
    await expect(started(at(join(home, 'link')))).rejects.toThrow('it is no socket');
    await expect(started(at(join(home, 'x'.repeat(120))))).rejects.toMatchObject({ code: 'socketPathTooLong' });
  });
});

it('the token of the tests is one that would be taken', () => { expect(TOKEN.length).toBeGreaterThanOrEqual(43); });
