import { describe, expect, it } from 'vitest';
import { SOCKET_MESSAGE_BYTES } from '../limits.js';
import { Talk, TOKEN, bearer, closeOf, dial, http, opened, portOf, raw, started, threadIds, untilClosed } from '../sockets.suite.js';

const hello = (port: number, more = ''): string =>
  `GET / HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nAuthorization: Bearer ${TOKEN}\r\n${more}\r\n`;

/** A frame of a client, masked with zeroes. */
function frame(first: number, payload: Uint8Array): Buffer {
  const length = payload.length < 126 ? Buffer.of(0x80 | payload.length) : Buffer.of(0x80 | 127, 0, 0, 0, 0, (payload.length >>> 24) & 255, (payload.length >>> 16) & 255, (payload.length >>> 8) & 255, payload.length & 255);
  return Buffer.concat([Buffer.of(first), length, Buffer.alloc(4), payload]);
}

describe('attacks on the JSON-RPC WebSocket', () => {
  it('[R-SEC-1] DNS rebinding: only names of this machine are served, with or without the token', async () => {
    const server = await started();
    const url = server.listener.url;
    for (const host of ['evil.example', 'evil.example:80', 'localhost.evil.example', '127.0.0.1.evil.example', '0.0.0.0', '192.168.1.5', '[::ffff:10.0.0.1]', '127.0.0.1@evil.example', 'localhost evil', '127.1', '0x7f000001', 'localhost:99999999']) {
      expect(await dial(url, { ...bearer(), host }), host).toBe(403);
      expect((await http({ port: portOf(server), path: '/healthz', headers: { host } })).status, host).toBe(403);
    }
    for (const host of ['localhost', 'LOCALHOST:1', '127.0.0.1', '127.9.9.9:5', '[::1]:80']) expect(await dial(url, { ...bearer(), host }), host).toBeTypeOf('object');
    const socket = await raw(portOf(server));
    socket.write('GET /healthz HTTP/1.0\r\n\r\n');
    expect((await untilClosed(socket)).text).toContain('403');
  });

  it('[R-SEC-1] a name that was allowed is served, and on other binds every IP address', async () => {
    const server = await started({ allowedHosts: ['Box.Example'], addresses: [{ kind: 'ws', host: '0.0.0.0', port: 0 }] });
    const url = `ws://127.0.0.1:${portOf(server)}`;
    for (const host of ['box.example', 'BOX.example:443', '10.1.2.3', '[2001:db8::1]:9']) expect(await dial(url, { ...bearer(), host }), host).toBeTypeOf('object');
    expect(await dial(url, { ...bearer(), host: 'sub.box.example' })).toBe(403);
  });

  it('[R-SEC-1] cross-site pages: any Origin is refused, our own address and the token too', async () => {
    const { listener } = await started();
    for (const origin of ['https://evil.example', 'null', listener.url.replace('ws', 'http'), 'http://localhost', '', 'file://', 'vscode-webview://x']) expect(await dial(listener.url, { ...bearer(), origin }), origin).toBe(403);
  });

  it('[R-SEC-1] other users on loopback: without the token nobody gets in, and nothing is told', async () => {
    const { listener } = await started();
    expect(await dial(listener.url)).toBe(401);
    for (const authorization of [`Bearer ${TOKEN}x`, `Bearer ${TOKEN.slice(1)}`, `Basic ${TOKEN}`, TOKEN, 'Bearer', 'Bearer ', `Bearer ${TOKEN} ${TOKEN}`, `Bearer ${TOKEN.toUpperCase()}`]) expect(await dial(listener.url, { authorization }), authorization).toBe(401);
    expect(await dial(`${listener.url}/?token=${TOKEN}`)).toBe(401);
    expect(await dial(listener.url, bearer())).toBeTypeOf('object');
  });

  it('[R-SEC-1] without a token only loopback can be listened at', async () => {
    for (const host of ['0.0.0.0', '::', '10.0.0.1']) await expect(started({ token: undefined, addresses: [{ kind: 'ws', host, port: 0 }] })).rejects.toMatchObject({ code: 'tokenNeeded' });
    const { listener } = await started({ token: undefined });
    expect(await dial(listener.url)).toBeTypeOf('object');
    expect(await dial(listener.url, { host: 'evil.example' })).toBe(403);
    expect(await dial(listener.url, { origin: 'http://localhost' })).toBe(403);
  });

  it('[R-SEC-1] 10,000 bad tokens: refused after ten, and the owner on the same machine still gets in', async () => {
    let nowMs = 1_000_000;
    const server = await started({ nowMs: () => nowMs });
    const statuses = new Map<number, number>();
    const attempt = async (_: unknown, i: number): Promise<void> => {
      const socket = await raw(portOf(server));
      socket.write(`GET / HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nAuthorization: Bearer ${TOKEN.slice(0, -4)}${String(i).padStart(4, '0')}\r\n\r\n`);
      const status = Number(/^HTTP\/1\.1 (\d+)/.exec((await untilClosed(socket)).text)?.[1]);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    };
    for (let i = 0; i < 10_000; i += 50) await Promise.all(Array.from({ length: 50 }, attempt));
    expect(Object.fromEntries(statuses)).toEqual({ 401: 10, 429: 9_990 });
    expect(await dial(server.listener.url, bearer())).toBeTypeOf('object');
    nowMs += 60_000;
    expect(await dial(server.listener.url, bearer('wrong'.repeat(10)))).toBe(401);
  }, 60_000);

  it('[R-SEC-1] on a bind that others reach, an address with too many bad tokens is refused whatever it shows', async () => {
    let nowMs = 1_000_000;
    const server = await started({ nowMs: () => nowMs, addresses: [{ kind: 'ws', host: '0.0.0.0', port: 0 }] });
    const url = `ws://127.0.0.1:${portOf(server)}`;
    for (let i = 0; i < 10; i++) expect(await dial(url, bearer('wrong'.repeat(10)))).toBe(401);
    expect(await dial(url, bearer())).toBe(429);
    nowMs += 59_999;
    expect(await dial(url, bearer())).toBe(429);
    nowMs += 1;
    expect(await dial(url, bearer())).toBeTypeOf('object');
  });

  it('[R-SEC-1] slow-loris: a head that does not end, a connection that says nothing, a body that does not come', async () => {
    const server = await started({ limits: { headMs: 300, requestMs: 400, idleMs: 600 } });
    const slow = await raw(portOf(server));
    slow.write('GET / HTTP/1.1\r\nHost: localhost\r\n');
    const drip = setInterval(() => slow.write('X-A: b\r\n'), 50);
    const silent = await raw(portOf(server));
    const body = await raw(portOf(server));
    body.write('POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100000\r\n\r\nabc');
    const [a, b, c] = await Promise.all([untilClosed(slow), untilClosed(silent), untilClosed(body)]);
    clearInterval(drip);
    expect([a.ms, b.ms, c.ms].every((ms) => ms < 3_000)).toBe(true);
    expect(a.text).toContain('408');
    expect(await dial(server.listener.url, bearer())).toBeTypeOf('object');
  });

  it('[R-SEC-1] oversized: heads, messages, messages in fragments; the next client is served', async () => {
    const server = await started();
    const head = await raw(portOf(server));
    head.write(`GET / HTTP/1.1\r\nHost: localhost\r\nX-Big: ${'x'.repeat(64 * 1024)}\r\n\r\n`);
    expect((await untilClosed(head)).text).toContain('431');
    const whole = await opened(server.listener.url);
    whole.send(`"${'x'.repeat(SOCKET_MESSAGE_BYTES)}"`);
    expect((await closeOf(whole)).code).toBe(1009);
    const pieces = await opened(server.listener.url);
    const closed = closeOf(pieces);
    for (let i = 0; i < 20; i++) pieces.send('x'.repeat(SOCKET_MESSAGE_BYTES / 8), { fin: false });
    expect((await closed).code).toBe(1009);
    const announced = await raw(portOf(server));
    announced.write(hello(portOf(server)));
    await new Promise((resolve) => { announced.once('data', resolve); });
    // A frame that says that it is 2⁶² bytes long.
    announced.write(Buffer.of(0x81, 0xff, 0x40, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0));
    await untilClosed(announced);
    expect(await dial(server.listener.url, bearer())).toBeTypeOf('object');
  });

  it('[R-SEC-1] malformed UTF-8 and frames that break the protocol close that connection alone', async () => {
    const server = await started();
    const kept = new Talk(await opened(server.listener.url));
    await kept.initialize();
    const bad = [
      frame(0x81, Buffer.of(0x22, 0xc3, 0x28, 0x22)), frame(0x81, Buffer.of(0xff, 0xfe)), frame(0x81, Buffer.of(0xed, 0xa0, 0x80)), frame(0x81, Buffer.of(0xf4, 0x90, 0x80, 0x80)),
      frame(0xf1, Buffer.from('{}')), frame(0x83, Buffer.from('{}')), frame(0x80, Buffer.from('{}')), Buffer.of(0x81, 0x02, 0x7b, 0x7d), Buffer.of(0x09, 0x80, 0, 0, 0, 0),
    ];
    for (const bytes of bad) {
      const socket = await raw(portOf(server));
      socket.write(hello(portOf(server)));
      await new Promise((resolve) => { socket.once('data', resolve); });
      const closed = untilClosed(socket);
      socket.write(bytes);
      const { text } = await closed;
      expect(text.charCodeAt(0), bytes.toString('hex')).toBe(0x88);
    }
    expect((await kept.call({ id: 1, method: 'thread/loaded/list', params: {} }))['result']).toBeDefined();
  });

  it('[R-SEC-1] path tricks in ids reach no file', async () => {
    const { listener } = await started();
    const talk = new Talk(await opened(listener.url));
    await talk.initialize();
    const id = threadIds[0]!;
    const tricks = ['../../etc/passwd', '/etc/passwd', `${id}/../${id}`, `${id}\0`, `${id}.jsonl`, '..', '.', '', 'last', id.slice(0, 8), `file://${id}`, '%2e%2e%2f', `${id}%00`, '\u202e', 'C:\\x', `~/${id}`];
    for (const threadId of tricks) {
      for (const [method, more] of [['thread/read', {}], ['thread/turns/list', {}], ['thread/items/list', {}], ['thread/items/read', { turnId: '../x', itemIds: ['../../etc/passwd'] }], ['thread/timeline/list', {}]] as const) {
        const answer = await talk.call({ id: `${method} ${threadId}`, method, params: { threadId, ...more } }) as { error?: { code: number; message: string } };
        expect(answer.error, `${method} ${threadId}`).toMatchObject({ code: -32600 });
        expect(answer.error?.message).not.toContain('/sessions/');
      }
    }
    const items = await talk.call({ id: 'items', method: 'thread/items/read', params: { threadId: id, turnId: '../../..', itemIds: ['/etc/passwd', '..\0'] } });
    expect(JSON.stringify(items)).not.toContain('root:');
  });

  it('[R-SEC-1] connections are bounded: one more is closed, and there is room again when one goes', async () => {
    const server = await started({ limits: { connections: 5 } });
    const sockets = await Promise.all(Array.from({ length: 5 }, () => opened(server.listener.url)));
    await expect(dial(server.listener.url, bearer())).rejects.toThrow();
    const gone = closeOf(sockets[0]!);
    sockets[0]!.terminate();
    await gone;
    await new Promise((resolve) => { setTimeout(resolve, 50); });
    expect(await dial(server.listener.url, bearer())).toBeTypeOf('object');
  });

  it('[R-SEC-1] who is refused, or says what no server understands, does not stay connected', async () => {
    const server = await started({ limits: { connections: 3 } });
    for (const text of ['GET / HTTP/1.1\r\nHost: evil\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n', 'GET / HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n', hello(portOf(server)).replace('Version: 13', 'Version: 99'), '\x16\x03\x01\x02\x00', 'nonsense\r\n\r\n', 'CONNECT evil:80 HTTP/1.1\r\nHost: localhost\r\n\r\n']) {
      const socket = await raw(portOf(server));
      socket.write(text);
      expect((await untilClosed(socket)).ms, text).toBeLessThan(2_000);
    }
  });

  it('[R-SEC-1] a client that answers no ping is cut', async () => {
    const { listener } = await started({ limits: { pingMs: 80 } });
    const socket = await opened(listener.url);
    const alive = await opened(listener.url);
    socket.pause();
    await new Promise((resolve) => { setTimeout(resolve, 400); });
    socket.resume();
    expect((await closeOf(socket)).code).toBe(1006);
    expect(alive.readyState).toBe(alive.OPEN);
  });
});

