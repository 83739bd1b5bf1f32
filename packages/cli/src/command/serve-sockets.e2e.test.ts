import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { type ClientRequestArgs, request } from 'node:http';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { claudeSamples, folder, samples, tapefold } from '../built.suite.js';
import { Served } from '../served.suite.js';

// Each starts a few processes.
vi.setConfig({ testTimeout: 90_000 });

const home = ['--home', `codex=${samples}`];

/** The status that an upgrade gets: 101 where it is let in. */
function upgrade(to: ClientRequestArgs): Promise<number> {
  const { headers, ...where } = to;
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', ...where, headers: { ...headers as Record<string, string>, connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-version': '13', 'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==' } });
    sent.once('upgrade', (response, socket) => { socket.destroy(); resolve(response.statusCode ?? 0); });
    sent.once('response', (response) => { response.resume(); resolve(response.statusCode ?? 0); });
    sent.once('error', reject);
    sent.end();
  });
}

describe('serve over sockets', () => {
  it('[R-RPC-1] [R-SEC-1] several listeners, a line for each, a token that is made; a signal ends it well', async () => {
    const state = folder();
    chmodSync(state, 0o700);
    const served = new Served([...home, '--listen', 'ws://127.0.0.1:0', '--listen', 'unix://', '--listen', 'ws://[::1]:0'], state);
    const [, port] = await served.says(/listening at ws:\/\/127\.0\.0\.1:(\d+) \(JSON-RPC; the token is in (\S+)\)/);
    await served.says(/listening at unix:\/\/\S+server\.sock \(JSON-RPC; only for you\)/);
    await served.says(/listening at ws:\/\/\[::1\]:\d+ /);
    const token = readFileSync(join(state, 'server.token'), 'utf8').trim();
    expect(token).toMatch(/^[\w-]{43}$/);
    expect(served.stderr).not.toContain(token);
    expect(await upgrade({ port: Number(port) })).toBe(401);
    expect(await upgrade({ port: Number(port), headers: { authorization: `Bearer ${token}` } })).toBe(101);
    const socketPath = join(state, 'server.sock');
    expect(statSync(socketPath).mode & 0o777).toBe(0o600);
    expect(await upgrade({ socketPath })).toBe(101);
    served.child.kill('SIGTERM');
    expect(await served.ended).toBe(0);
    expect(served.stdout).toBe('');
    expect(existsSync(socketPath)).toBe(false);
  });

  it('[R-REST-1] REST beside JSON-RPC: the sessions of all agents, and their transcripts, for who has the token', async () => {
    const served = new Served([...home, '--home', `claude=${claudeSamples}`, '--listen', 'http://127.0.0.1:0', '--listen', 'ws://127.0.0.1:0']);
    const [, url, token] = await served.says(/listening at (http:\/\/127\.0\.0\.1:\d+)\/#token=(\S{43}) \(REST; the token is in /);
    const get = async (path: string): Promise<{ code: number; data: Record<string, unknown> }> => (await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${token}` } })).json() as Promise<{ code: number; data: Record<string, unknown> }>;
    expect((await fetch(`${url}/api/v1/sessions`)).status).toBe(401);
    const { items } = (await get('/api/v1/sessions')).data as { items: { id: string; title: string }[] };
    expect(items.map(({ title }) => title)).toEqual(expect.arrayContaining(['CSV export of all parcels', 'Why does the map take five seconds to open?']));
    for (const { id } of items) {
      const { code, data } = await get(`/api/v1/sessions/${id}/transcript?agent_id=main&page_size=1`);
      expect([code, data['agent_id'], data['seq']], id).toEqual([0, 'main', 0]);
      expect((data['items'] as { kind: string }[]).filter(({ kind }) => kind === 'turn'), id).toHaveLength(1);
    }
    served.child.kill('SIGTERM');
    expect(await served.ended).toBe(0);
  });

  it('[R-SEC-1] --no-auth is said aloud, and only loopback has it', async () => {
    const served = new Served([...home, '--listen', 'ws://127.0.0.1:0', '--no-auth']);
    const [, port] = await served.says(/ws:\/\/127\.0\.0\.1:(\d+) \(JSON-RPC\), WITHOUT A TOKEN: every user and program of this machine can read these sessions/);
    expect(await upgrade({ port: Number(port) })).toBe(101);
    expect(await upgrade({ port: Number(port), headers: { origin: 'http://localhost' } })).toBe(403);
    expect(await upgrade({ port: Number(port), headers: { host: 'evil.example' } })).toBe(403);
    served.child.kill('SIGINT');
    expect(await served.ended).toBe(0);
    const open = new Served([...home, '--listen', 'ws://0.0.0.0:0', '--no-auth']);
    expect(await open.ended).toBe(2);
    expect(open.stderr).toContain('can be reached from other machines, so it needs a token');
  });

  it('[R-SEC-1] a bind that others reach says that nothing is encrypted', async () => {
    const served = new Served([...home, '--listen', 'ws://0.0.0.0:0', '--allow-host', 'box.example']);
    const [, port] = await served.says(/ws:\/\/0\.0\.0\.0:(\d+) can be reached from other machines, and nothing is encrypted on the way/);
    expect(await upgrade({ port: Number(port), headers: { host: 'box.example' } })).toBe(401);
    expect(await upgrade({ port: Number(port), headers: { host: 'other.example' } })).toBe(403);
    served.child.kill('SIGTERM');
    expect(await served.ended).toBe(0);
  });

  it('a port that is taken, a token file that is open, and wrong options are told', async () => {
    const first = new Served([...home, '--listen', 'ws://127.0.0.1:0']);
    const [, port] = await first.says(/ws:\/\/127\.0\.0\.1:(\d+)/);
    const url = `ws://127.0.0.1:${port}`;
    const taken = new Served([...home, '--listen', url]);
    expect(await taken.ended).toBe(1);
    expect(taken.stderr).toBe(`tapefold: ${url} is taken by another program: give another port, or 0 for any free one.\n`);
    const file = join(folder(), 'token');
    writeFileSync(file, 'x'.repeat(50), { mode: 0o644 });
    chmodSync(file, 0o644);
    const wrong: [string[], number, string][] = [
      [['--listen', 'ws://127.0.0.1:0', '--token-file', file], 1, 'can be read by others (mode 644)'], [['--listen', 'ws://127.0.0.1:0', '--token-file', file, '--no-auth'], 2, 'exclude each other'],
      [['--listen', 'tcp://x'], 2, 'tcp://x is no place to listen at'], [['--listen', 'ws://example.com:80'], 2, 'example.com is no IP address'],
    ];
    for (const [args, code, text] of wrong) {
      const ran = tapefold(['serve', '--home', `codex=${samples}`, ...args]);
      expect([ran.code, ran.err], args.join(' ')).toEqual([code, expect.stringContaining(text)]);
    }
    expect(first.child.exitCode).toBeNull();
  });
});
