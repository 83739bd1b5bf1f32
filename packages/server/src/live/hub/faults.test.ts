import { StoreError, createFileSource } from '@tapefold/store';
import { TranscriptFold, settleTranscript } from '@tapefold/transcript/fold';
import { randomBytes } from 'node:crypto';
import { appendFileSync, mkdirSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { folder } from '../../sockets.suite.js';
import { type TestClient, LiveServer, followAgents, followSession, until } from './live-server.suite.js';
import { Recorded, expectInStep } from './recorded.suite.js';

const threadId = '01a22b99-774f-7000-8000-000000000001';
type Options = ConstructorParameters<typeof LiveServer>[2];

const endings: (() => Promise<void>)[] = [];
// Before the folders go: hooks end in the opposite order.
afterEach(async () => { for (const end of endings.splice(0)) await end(); });

async function recording(options: Options = {}): Promise<{ server: LiveServer; recorded: Recorded; follow: (grade?: 'turn' | 'block' | 'delta') => TestClient }> {
  const home = folder();
  const server = new LiveServer(folder(), [{ program: 'native', path: home }], options);
  await server.start();
  const recorded = new Recorded();
  await recorded.open(server, home, threadId);
  const clients: TestClient[] = [];
  endings.push(async () => {
    for (const { client } of clients) client.close();
    await recorded.recorder.close();
    await server.stop();
  });
  return { server, recorded, follow: (grade = 'delta') => { const client = followSession(server, threadId, grade); clients.push(client); return client; } };
}

/** 20,000 characters that no compression makes small. */
const noise = (): string => randomBytes(15_000).toString('base64');

const isLive = ({ session }: TestClient): boolean => session.state('main')?.kind === 'live';

describe('live transcripts that meet with trouble', () => {
  it('[R-LIVE-1] a session that the server does not know yet is asked for until it is there, though the client knows none of its agents', async () => {
    const home = folder();
    const server = new LiveServer(folder(), [{ program: 'native', path: home }]);
    await server.start();
    const client = followAgents(server, threadId, { grade: 'delta', agents: [] });
    const recorded = new Recorded();
    endings.push(async () => {
      client.client.close();
      await recorded.recorder.close();
      await server.stop();
    });
    await until('a refusal', () => client.transport.frames >= 2);
    expect(client.session.agents()).toEqual([]);
    await recorded.open(server, home, threadId);
    await recorded.make({ move: 'message', of: 1, text: 'there' });
    await until('its agent', () => client.session.agents().includes('main'));
    recorded.end();
    await expectInStep(client, recorded.settled());
  });

  it('[R-LIVE-3] a client that never reads holds up nobody, is sent no more than fits, and catches up once it reads', async () => {
    const { recorded, follow } = await recording({ isHasty: true });
    const [slow, quick] = [follow(), follow()];
    await until('two clients', () => isLive(slow) && isLive(quick));
    slow.transport.pause(true);
    const turn = recorded.recorder.turn('write much');
    const step = turn.step();
    for (let n = 0; n < 40; n += 1) {
      const message = step.message();
      for (let i = 0; i < 25; i += 1) message.delta(noise());
      // Else it would be the comparing that takes the time.
      if (n === 39) await message.complete(); else message.drop();
      await until('the quick one to read', () => quick.transport.frames >= (n + 1) * 25);
    }
    turn.end();
    await expectInStep(quick, recorded.settled());
    const unread = slow.transport.frames;
    await expectInStep(slow, recorded.settled());
    // A thousand pieces were sent; the kernel held some hundred of them, and the server what may wait.
    expect(quick.transport.frames).toBeGreaterThan(900);
    expect(slow.transport.frames - unread).toBeLessThan(700);
  }, 30_000);

  it('[R-LIVE-3] a flood of clients that come, ask and go leaves nothing behind that harms who stays', async () => {
    const { server, recorded, follow } = await recording();
    const stays = follow();
    for (let wave = 0; wave < 5; wave += 1) {
      const clients = Array.from({ length: 60 }, () => follow(wave % 2 === 0 ? 'turn' : 'delta'));
      await recorded.make({ move: 'message', of: 1, text: `wave ${wave}` });
      await until('some of the flood', () => clients.some(isLive));
      for (const { client, transport } of clients) { transport.cut(); client.close(); }
    }
    recorded.end();
    await expectInStep(stays, recorded.settled());
    expect(server.failures).toEqual([]);
  }, 30_000);

  it('[R-LIVE-2] a disk that is full while numbers and batches are written down costs who comes back a baseline, and nobody the transcript', async () => {
    const { server, recorded, follow } = await recording({ pages: 8, isHasty: true });
    const client = follow();
    await until('the client', () => isLive(client));
    for (let n = 0; n < 1_100; n += 1) await recorded.make({ move: 'call', of: 9, text: 'y'.repeat(100) });
    recorded.end();
    await expectInStep(client, recorded.settled());
    expect(server.failures.length).toBeGreaterThan(0);
    expect(server.failures.every((failure) => failure instanceof StoreError && failure.code === 'storeFull')).toBe(true);
    const late = follow();
    await expectInStep(late, recorded.settled());
    client.transport.cut();
    await expectInStep(client, recorded.settled());
  }, 30_000);
});

const sessionId = '01a22b99-774f-7000-8000-0000000000f1';
const record = (at: number, type: string, payload: object): string => `${JSON.stringify({ timestamp: `2026-03-01T10:00:${String(at).padStart(2, '0')}.000Z`, type, payload })}\n`;
const head = record(0, 'session_meta', { id: sessionId, timestamp: '2026-03-01T10:00:00.000Z', cwd: '/w', originator: 'test', cli_version: '0.171.0', source: 'cli' });
const said = (at: number, prompt: string, answer: string): string => record(at, 'event_msg', { type: 'user_message', message: prompt, images: [] }) + record(at + 1, 'event_msg', { type: 'agent_message', message: answer });

describe('files that are not what they were', () => {
  it('[R-STO-2] [R-LIVE-2] a session file that is truncated, goes on and is rewritten while it is followed is shown as it is', async () => {
    const home = folder();
    mkdirSync(join(home, 'sessions/2026/03/01'), { recursive: true });
    const path = join(home, `sessions/2026/03/01/rollout-2026-03-01T10-00-00-${sessionId}.jsonl`);
    writeFileSync(path, head + said(1, 'one', 'first') + said(3, 'two', 'second'));
    const server = new LiveServer(folder(), [{ program: 'codex', path: home }]);
    await server.start();
    const client = followSession(server, sessionId, 'delta');
    endings.push(async () => { client.client.close(); await server.stop(); });
    const cold = async (): Promise<ReturnType<Recorded['settled']>> => {
      const fold = new TranscriptFold({ agentId: 'main', sessionId });
      for await (const { fact } of createFileSource([{ program: 'codex', path: home }]).facts(sessionId, { isOwn: true })) fold.load(fact);
      return settleTranscript(fold.view());
    };
    await until('the client', () => isLive(client));
    await expectInStep(client, await cold());
    truncateSync(path, (head + said(1, 'one', 'first')).length);
    await expectInStep(client, await cold());
    appendFileSync(path, said(5, 'other', 'third'));
    await until('what was appended', () => client.session.state('main')!.synced.transcript.items.length === 2);
    writeFileSync(path, head + said(7, 'all new', 'fourth'));
    await expectInStep(client, await cold());
    expect(server.failures).toEqual([]);
  }, 30_000);
});
