import { createFileSource } from '@tapefold/store';
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { READ_AHEAD_AFTER_MS } from '../limits.js';
import { serveStdio } from './serve-stdio.js';

const folders: string[] = [];
afterEach(() => { for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true }); });

const threadId = '01990000-0000-7000-8000-00000000bbbb';
const at = '2025-09-01T10:00:00.000Z';
const line = (type: string, payload: object): string => `${JSON.stringify({ timestamp: at, type, payload })}\n`;
const turn = (n: number): string => ['task_started', 'task_complete'].map((type) => line('event_msg', { type, turn_id: `t${n}` })).join(line('event_msg', { type: 'user_message', message: `question ${n} ${'x'.repeat(20_000)}` }));

/** A home with one thread that is too large to be read whole. */
function largeHome(): { home: string; path: string } {
  const home = mkdtempSync(join(tmpdir(), 'tapefold-ahead-'));
  folders.push(home);
  const folder = join(home, 'sessions/2025/09/01');
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `rollout-2025-09-01T10-00-00-${threadId}.jsonl`);
  const meta = line('session_meta', { id: threadId, timestamp: at, cwd: '/w', originator: 'o', cli_version: '1', source: 'cli', model_provider: 'openai' });
  writeFileSync(path, meta + Array.from({ length: 450 }, (_, n) => turn(n)).join(''));
  return { home, path };
}

/** A server over streams, and the bytes of session files that it read. */
function served(home: string): { call: (method: string, params: object) => Promise<{ result?: { data: { id: string }[] } }>; read: () => number; end: () => Promise<void> } {
  let bytes = 0;
  const [input, output] = [new PassThrough(), new PassThrough()];
  const source = createFileSource([{ program: 'codex', path: home }], (read) => void (bytes += read));
  const done = serveStdio({ source, identity: { version: '1', home, platform: 'linux', arch: 'x64' }, input, output, nowMs: Date.now, log: () => undefined });
  let id = 0;
  const call = async (method: string, params: object): Promise<{ result?: { data: { id: string }[] } }> => {
    input.write(`${JSON.stringify({ id: ++id, method, params })}\n`);
    let text = '';
    while (!text.endsWith('\n')) text += String((await output.read()) ?? (await setTimeout(1)) ?? '');
    return JSON.parse(text) as { result?: { data: { id: string }[] } };
  };
  return { call, read: () => bytes, end: () => (input.end(), done) };
}
const initialize = { clientInfo: { name: 'test', version: '1' } };

describe('reading ahead', () => {
  it('[R-STO-3] a client that pauses finds the newest page read; one more turn is read anew', async () => {
    const { home, path } = largeHome();
    const server = served(home);
    await server.call('initialize', initialize);
    expect(server.read()).toBe(0);
    for (let waited = 0; server.read() < 300_000 && waited < 10_000; waited += 50) await setTimeout(50);
    const before = server.read();
    expect(before).toBeGreaterThan(300_000);
    expect((await server.call('thread/turns/list', { threadId })).result?.data[0]?.id).toBe('t449');
    expect(server.read()).toBe(before);
    appendFileSync(path, turn(450));
    expect((await server.call('thread/turns/list', { threadId })).result?.data[0]?.id).toBe('t450');
    await server.end();
  });

  it('[R-STO-3] nothing is read ahead for a client that asks at once, nor after its end', async () => {
    const { home } = largeHome();
    const server = served(home);
    await server.call('initialize', initialize);
    const asked = server.call('thread/turns/list', { threadId: 'none' });
    await Promise.all([asked, server.end()]);
    const { read } = server;
    const before = read();
    await setTimeout(READ_AHEAD_AFTER_MS * 3);
    expect(read()).toBe(before);
  });
});
