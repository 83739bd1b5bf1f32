import type { ThreadNotification } from '@tapefold/threads';
import { describe, expect, it } from 'vitest';
import { CLIENT_THREADS, NOTICE_CHARS } from '../../limits.js';
import { ClientNotices } from './client-notices.js';

/** A connection that takes what it is sent when it is told to. */
class Connection {
  readonly taken: { method: string; params: { threadId: string } }[] = [];
  #waiting: { readonly text: string; readonly resolve: () => void }[] = [];
  readonly send = (text: string): Promise<void> => new Promise((resolve) => { this.#waiting.push({ text, resolve }); });
  get waitingChars(): number { return this.#waiting.reduce((sum, { text }) => sum + text.length, 0); }

  async read(): Promise<void> {
    while (this.#waiting.length > 0) {
      for (const { text, resolve } of this.#waiting.splice(0)) {
        this.taken.push(JSON.parse(text) as never);
        resolve();
      }
      await new Promise((resolve) => { setImmediate(resolve); });
    }
  }
}

const at = { threadId: 't', turnId: 'turn' };
const message = (id: string, text: string): { readonly type: 'agentMessage'; readonly id: string; readonly text: string; readonly phase: null; readonly memoryCitation: null; readonly moderation: null; readonly delivery: null; readonly questions: null; readonly startedAtMs: null; readonly completedAtMs: null } =>
  ({ type: 'agentMessage', id, text, phase: null, memoryCitation: null, moderation: null, delivery: null, questions: null, startedAtMs: null, completedAtMs: null });
const started = (id: string): ThreadNotification => ({ method: 'item/started', params: { item: message(id, ''), ...at, startedAtMs: 1 } });
const delta = (itemId: string, text: string): ThreadNotification => ({ method: 'item/agentMessage/delta', params: { ...at, itemId, delta: text } });
const completed = (id: string, text: string): ThreadNotification => ({ method: 'item/completed', params: { item: message(id, text), ...at, contentTokenCount: null, completedAtMs: 1 } });

function client(): { readonly notices: ClientNotices; readonly connection: Connection } {
  const connection = new Connection();
  const notices = new ClientNotices({ send: connection.send, nowMs: () => 7, optedOut: new Set() });
  notices.follow('t');
  return { notices, connection };
}

describe('[R-LIVE-3] what one client is told', () => {
  it('holds no more than it may: deltas go first, and none of an item that lost one comes any more', async () => {
    const { notices, connection } = client();
    const tell = (notification: ThreadNotification): void => notices.tell('t', notification);
    tell(started('a'));
    for (let i = 0; i < 300; i += 1) tell(delta('a', 'x'.repeat(10_000)));
    tell(completed('a', 'the whole'));
    expect(connection.waitingChars).toBeLessThan(NOTICE_CHARS + 20_000);
    await connection.read();
    tell(delta('a', 'too late'));
    tell(started('b'));
    tell(delta('b', 'in time'));
    await connection.read();
    expect(connection.taken.slice(-3).map(({ method }) => method)).toEqual(['item/completed', 'item/started', 'item/agentMessage/delta']);
    expect(connection.taken.every((sent) => (sent as { emittedAtMs?: number }).emittedAtMs === 7)).toBe(true);
  });

  it('a client that reads nothing at all loses everything, and is told to read anew when it does', async () => {
    const { notices, connection } = client();
    for (let i = 0; i < 1_000; i += 1) notices.tell('t', completed(`i${i}`, 'x'.repeat(20_000)));
    expect(connection.waitingChars).toBeLessThan(NOTICE_CHARS * 4 + 30_000);
    await connection.read();
    expect(connection.taken.at(-1)).toMatchObject({ method: 'thread/reverted', params: { threadId: 't' } });
    notices.tell('t', completed('z', 'again'));
    await connection.read();
    expect(connection.taken.at(-1)).toMatchObject({ method: 'item/completed', params: { item: { id: 'z' } } });
  });

  it('of other threads only what every client is told; the threads asked for last count', async () => {
    const { notices, connection } = client();
    notices.tell('other', { method: 'thread/status/changed', params: { threadId: 'other', status: { type: 'idle' } } });
    notices.tell('other', completed('a', 'x'));
    for (let i = 0; i < CLIENT_THREADS; i += 1) notices.follow(`more-${i}`);
    notices.tell('t', completed('b', 'x'));
    await connection.read();
    expect(connection.taken.map(({ method }) => method)).toEqual(['thread/status/changed']);
    expect(notices.isFollowing('t')).toBe(false);
  });
});
