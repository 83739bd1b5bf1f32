import { describe, expect, it } from 'vitest';
import { recordedTranscripts } from '../recorded-transcripts.suite.js';
import { type Answer, TOKEN, bearer, dial, get, http, raw, startedRest, threadIds, untilClosed } from '../sockets.suite.js';

const id = threadIds[0]!;

describe('attacks on REST and the transcript WebSocket', () => {
  it('[R-SEC-1] other users on loopback: without the token nothing is told but that the server is there', async () => {
    const { port } = await startedRest();
    for (const path of ['/api/v1/auth', '/api/v1/sessions', '/api/v2/sessions', `/api/v1/sessions/${id}/transcript?agent_id=main`, '/openapi.json', '/nope', '/']) {
      for (const headers of [{}, bearer('wrong'.repeat(9)), { authorization: `Basic ${TOKEN}` }, { cookie: `token=${TOKEN}` }, { 'x-token': TOKEN }] as Record<string, string>[]) {
        const { status, answer } = await get(port, path, headers);
        expect([status === 401 || status === 429, answer.data, answer.code === 40101 || answer.code === 42901], path).toEqual([true, null, true]);
      }
      expect((await get(port, `${path}${path.includes('?') ? '&' : '?'}token=${TOKEN}`, {})).status).toBe(401);
    }
    for (const path of ['/api/v1/healthz/..%2fsessions', '/api/v1/healthz%2f..%2fsessions', '/API/V1/HEALTHZ', '//api/v1/healthz', '/api/v1/healthz/']) expect((await http({ port, path })).status, path).not.toBe(200);
    expect((await http({ port, path: '/api/v1/healthz', method: 'POST' })).status).toBe(401);
  });

  it('[R-SEC-1] DNS rebinding: other host names are refused, with the token too', async () => {
    const { port } = await startedRest();
    for (const host of ['evil.example', 'localhost.evil.example', '10.0.0.1']) {
      const { status, body } = await http({ port, path: '/api/v1/sessions', headers: { ...bearer(), host } });
      expect([status, (JSON.parse(body) as Answer).code], host).toEqual([403, 40301]);
      expect(await dial(`ws://127.0.0.1:${port}/api/v1/ws`, { ...bearer(), host }), host).toBe(403);
    }
    expect((await http({ port, path: '/healthz', headers: { host: 'evil.example' } })).status).toBe(403);
  });

  it('[R-SEC-1] cross-site pages: only the same origin is answered, and no header lets another read', async () => {
    const { port } = await startedRest({ token: undefined });
    const host = `127.0.0.1:${port}`;
    const others: Record<string, string>[] = [
      { origin: 'https://evil.example' }, { origin: 'null' }, { origin: `http://localhost:${port}` }, { origin: `http://127.0.0.1:${port + 1}` }, { origin: '' }, { origin: 'x' }, { origin: `http://${host}.evil.example` },
      { 'sec-fetch-site': 'cross-site' }, { 'sec-fetch-site': 'same-site' }, { 'sec-fetch-site': 'cross-site', origin: `http://${host}` },
    ];
    for (const headers of others) {
      const answer = await http({ port, path: '/api/v1/sessions', headers: { host, ...headers } });
      expect(answer.status, JSON.stringify(headers)).toBe(403);
      expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
      expect(await dial(`ws://${host}/api/v1/ws`, headers), JSON.stringify(headers)).toBe(403);
    }
    for (const headers of [{ origin: `http://${host}` }, { origin: `http://${host}`, 'sec-fetch-site': 'same-origin' }, { 'sec-fetch-site': 'none' }] as Record<string, string>[]) {
      expect((await http({ port, path: '/api/v1/sessions', headers: { host, ...headers } })).status, JSON.stringify(headers)).toBe(200);
      expect(await dial(`ws://${host}/api/v1/ws`, headers)).toBeTypeOf('object');
    }
    const preflight = await http({ port, path: '/api/v1/sessions', method: 'OPTIONS', headers: { origin: 'https://evil.example', 'access-control-request-method': 'GET', 'access-control-request-headers': 'authorization' } });
    expect([preflight.status, Object.keys(preflight.headers).filter((name) => name.startsWith('access-control'))]).toEqual([403, []]);
  });

  it('[R-SEC-1] no answer can run, be framed, be kept, or be taken for a page', async () => {
    const { port } = await startedRest();
    for (const path of ['/api/v1/sessions', '/nope', '/healthz']) {
      const { headers } = await http({ port, path, headers: bearer() });
      expect(headers, path).toMatchObject({ 'x-content-type-options': 'nosniff', 'cache-control': 'no-store', 'content-security-policy': expect.stringMatching(/default-src 'none'.*frame-ancestors 'none'/), 'cross-origin-resource-policy': 'same-origin', 'referrer-policy': 'no-referrer' });
    }
  });

  it('[R-SEC-1] the transcript WebSocket: the token as header or subprotocol, and no other path', async () => {
    const { port } = await startedRest();
    const url = `ws://127.0.0.1:${port}/api/v1/ws`;
    expect(await dial(url)).toBe(401);
    expect(await dial(`${url}?token=${TOKEN}`)).toBe(401);
    expect(await dial(url, {}, [`kimi-code.bearer.${TOKEN}x`])).toBe(401);
    expect(await dial(url, bearer(), ['kimi-code.bearer.wrong'])).toBe(401);
    const socket = await dial(`${url}?client_id=x`, {}, ['other', `kimi-code.bearer.${TOKEN}`]);
    expect(socket).toMatchObject({ protocol: `kimi-code.bearer.${TOKEN}` });
    expect(await dial(url, bearer())).toBeTypeOf('object');
    for (const path of ['/', '/api/v1', '/api/v1/ws/', '/api/v1/ws/../ws', '/api/v1/WS', '/api/v1/ws%2f']) expect(await dial(`ws://127.0.0.1:${port}${path}`, bearer()), path).toSatisfy((status) => status === 404 || typeof status === 'object' && path.includes('..'));
  });

  it('[R-SEC-1] path tricks in every id reach no file, and nothing that reads one', async () => {
    const transcripts = recordedTranscripts();
    const { port } = await startedRest({ transcripts });
    const tricks = ['..', '.', '../../etc/passwd', '/etc/passwd', `${id}/../${id}`, `${id}\0`, `${id}.jsonl`, 'last', id.slice(0, 8), `~/${id}`, 'C:\\x', '\u202e', '%2e%2e', `${id}%00`, 'x'.repeat(400), '*', '__proto__', 'constructor'];
    for (const trick of tricks) {
      const name = encodeURIComponent(trick);
      for (const more of ['', '/transcript?agent_id=main', '/transcript/ops?agent_id=main&since_seq=0', '/transcript/user-messages', '/transcript/plan?agent_id=main']) {
        const { answer } = await get(port, `/api/v1/sessions/${name}${more}`);
        expect([40401, 40400, 40002], `${trick} ${more}`).toContain(answer.code);
        expect(answer.data).toBeNull();
      }
      const agent = await get(port, `/api/v1/sessions/${id}/transcript?agent_id=${name}`);
      if (!/^[\w.-]{1,128}$/.test(trick) || /^\.+$/.test(trick)) expect(agent.answer.code, trick).toBe(40001);
      expect((await get(port, `/api/v1/sessions/${id}/transcript?agent_id=main&before_turn=${name}`)).status).toBe(200);
    }
    expect(new Set(transcripts.asked.map((asked) => asked.split(' ')[0]))).toEqual(new Set([id]));
  });

  it('[R-SEC-1] malformed: percent signs, UTF-8, requests; oversized: bodies, heads, paths', async () => {
    const { port } = await startedRest();
    for (const path of ['/api/v1/sessions/%', '/api/v1/sessions/%ff%fe', '/api/v1/sessions/%c3%28/transcript?agent_id=main', '/api/v1/sessions/%ed%a0%80']) expect([400, 200, 404], path).toContain((await http({ port, path, headers: bearer() })).status);
    expect((await get(port, `/api/v1/sessions/${id}/transcript?agent_id=%ff`)).answer.code).toBe(40001);
    const large = await http({ port, path: '/api/v1/sessions', method: 'POST', headers: { ...bearer(), 'content-length': 2 ** 40 } });
    expect([large.status, (JSON.parse(large.body) as Answer).code]).toEqual([404, 40400]);
    const endless = await raw(port);
    endless.write(`POST /x HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${TOKEN}\r\nTransfer-Encoding: chunked\r\nContent-Type: x\r\n\r\n`);
    const pump = setInterval(() => endless.write(`4000\r\n${'x'.repeat(0x4000)}\r\n`), 5);
    expect((await untilClosed(endless)).text).toContain('404');
    clearInterval(pump);
    const head = await raw(port);
    head.write(`GET /${'x'.repeat(64 * 1024)} HTTP/1.1\r\n`);
    expect((await untilClosed(head)).text).toContain('431');
    const smuggled = await raw(port);
    smuggled.write('POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /api/v1/sessions HTTP/1.1\r\n\r\n');
    expect((await untilClosed(smuggled)).text).toMatch(/^HTTP\/1\.1 400/);
    expect((await get(port, '/api/v1/auth')).answer.code).toBe(0);
  });

  it('[R-SEC-1] slow-loris: heads and bodies that do not end are cut', async () => {
    const { port } = await startedRest({ limits: { headMs: 300, requestMs: 400, idleMs: 600 } });
    const head = await raw(port);
    head.write('GET /api/v1/sessions HTTP/1.1\r\nHost: localhost\r\n');
    const body = await raw(port);
    body.write(`POST /x HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${TOKEN}\r\nContent-Length: 1000\r\n\r\n`);
    const drip = setInterval(() => { head.write('X: y\r\n'); body.write('x'); }, 50);
    const [a, b] = await Promise.all([untilClosed(head), untilClosed(body)]);
    clearInterval(drip);
    expect([a.ms < 3_000, b.ms < 3_000]).toEqual([true, true]);
    expect((await get(port, '/api/v1/auth')).answer.code).toBe(0);
  });

  it('[R-SEC-1] bad tokens: refused after ten for a minute, with the original\'s number', async () => {
    let nowMs = 1_000_000;
    const { port } = await startedRest({ nowMs: () => nowMs });
    const codes = new Map<number, number>();
    for (let i = 0; i < 40; i++) {
      const { answer } = await get(port, '/api/v1/auth', bearer(`${'x'.repeat(40)}${i}`));
      codes.set(answer.code, (codes.get(answer.code) ?? 0) + 1);
    }
    expect(Object.fromEntries(codes)).toEqual({ 40101: 10, 42901: 30 });
    expect((await get(port, '/api/v1/auth')).answer.code).toBe(0);
    nowMs += 60_000;
    expect((await get(port, '/api/v1/auth', bearer('y'.repeat(43)))).answer.code).toBe(40101);
  });

  it('[R-SEC-1] a flood is answered, or told to come back; connections are bounded', async () => {
    const { port } = await startedRest({ limits: { connections: 20 } });
    const answers = await Promise.allSettled(Array.from({ length: 200 }, () => get(port, '/api/v1/sessions')));
    const codes = answers.map((answer) => (answer.status === 'fulfilled' ? answer.value.answer.code : 'closed'));
    expect(codes.every((code) => code === 0 || code === 50301 || code === 'closed')).toBe(true);
    expect(codes.filter((code) => code === 0).length).toBeGreaterThanOrEqual(20);
    expect((await get(port, '/api/v1/sessions')).answer.code).toBe(0);
  });

  it('[R-SEC-1] a stop lets an answer in flight finish', async () => {
    let finish: (() => void) | undefined;
    const slow = recordedTranscripts();
    const begun = new Promise<void>((begin) => {
      slow.userMessages = () => new Promise((resolve) => { finish = () => resolve({ agents: [] }); begin(); });
    });
    const { port, server } = await startedRest({ transcripts: slow });
    const asked = get(port, `/api/v1/sessions/${id}/transcript/user-messages`);
    await begun;
    const stopped = server.stop();
    await expect(http({ port, path: '/healthz' })).rejects.toThrow('ECONNREFUSED');
    finish?.();
    expect((await asked).answer.data).toEqual({ agents: [] });
    await stopped;
  });
});
