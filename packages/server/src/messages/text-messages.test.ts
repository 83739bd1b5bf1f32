import { createServer } from 'node:http';
import { describe, expect, it, onTestFinished } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { TextMessages } from './text-messages.js';

/** Both ends of an open WebSocket. */
async function pair(perMessageDeflate = false): Promise<{ server: WebSocket; client: WebSocket }> {
  const http = createServer();
  const sockets = new WebSocketServer({ server: http, perMessageDeflate });
  await new Promise<void>((resolve) => { http.listen(0, '127.0.0.1', resolve); });
  const address = http.address();
  const client = new WebSocket(`ws://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`, { perMessageDeflate, maxPayload: 0 });
  onTestFinished(() => {
    client.terminate();
    sockets.close();
    http.close();
  });
  const [server] = await Promise.all([new Promise<WebSocket>((resolve) => { sockets.once('connection', resolve); }), new Promise((resolve) => { client.once('open', resolve); })]);
  return { server, client };
}

const PIECE = `${'x'.repeat(64 * 1024)}\n`;

describe('messages to a WebSocket', () => {
  it('[R-LIVE-3] what a client that does not read has not taken is not made yet; it gets everything once it reads', async () => {
    const { server, client } = await pair();
    client.pause();
    let made = 0;
    const pieces = function* (): Generator<string> {
      for (; made < 400; made += 1) yield PIECE;
    };
    const messages = new TextMessages(server);
    const sent = messages.send(pieces());
    let before = -1;
    while (made !== before) {
      before = made;
      await new Promise((resolve) => { setTimeout(resolve, 150); });
    }
    // What the kernel holds for a connection is a few megabytes; the message is 25.
    expect(made).toBeLessThan(250);
    const received = new Promise<string>((resolve) => { client.once('message', (data: Buffer) => resolve(data.toString('utf8'))); });
    client.resume();
    expect((await received).length).toBe(400 * PIECE.length);
    await sent;
  });

  it('messages go whole and in order, also those that are sent at once', async () => {
    const { server, client } = await pair();
    const seen: string[] = [];
    client.on('message', (data: Buffer) => seen.push(data.toString('utf8')));
    const messages = new TextMessages(server);
    await Promise.all([messages.send([PIECE, PIECE, 'a']), messages.send(['b']), messages.send([]), messages.send(['c', 'd'])]);
    while (seen.length < 4) await new Promise((resolve) => { setTimeout(resolve, 5); });
    expect(seen).toEqual([`${PIECE}${PIECE}a`, 'b', '', 'cd']);
  });

  it('a message that cannot be made is broken off, and the next one is whole', async () => {
    const { server, client } = await pair();
    const seen: string[] = [];
    client.on('message', (data: Buffer) => seen.push(data.toString('utf8')));
    const messages = new TextMessages(server);
    const broken = function* (): Generator<string> {
      yield '{"a":';
      yield JSON.stringify(PIECE);
      throw new Error('damaged');
    };
    await expect(messages.send(broken())).rejects.toThrow('damaged');
    await messages.send(['{"b":1}']);
    while (seen.length < 2) await new Promise((resolve) => { setTimeout(resolve, 5); });
    expect(() => JSON.parse(seen[0]!) as unknown).toThrow(SyntaxError);
    expect(seen[1]).toBe('{"b":1}');
  });

  it('nothing is made for a client that went away', async () => {
    const { server, client } = await pair();
    const gone = new Promise((resolve) => { server.once('close', resolve); });
    client.terminate();
    await gone;
    let made = 0;
    const pieces = function* (): Generator<string> {
      for (; made < 400; made += 1) yield PIECE;
    };
    await new TextMessages(server).send(pieces());
    expect(made).toBeLessThan(2);
  });

  it('[R-REST-1] long messages are compressed for clients that take it, short ones for nobody', async () => {
    const bytesOf = async (text: string, isCompressing: boolean): Promise<number> => {
      const { server, client } = await pair(isCompressing);
      const socket = (server as unknown as { readonly _socket: { readonly bytesWritten: number } })._socket;
      const before = socket.bytesWritten;
      const received = new Promise<string>((resolve) => { client.once('message', (data: Buffer) => resolve(data.toString('utf8'))); });
      const messages = new TextMessages(server);
      await (text.length > 100_000 ? messages.send([text.slice(0, 90_000), text.slice(90_000)]) : messages.sendWhole(Buffer.from(text)));
      expect(await received).toBe(text);
      return socket.bytesWritten - before;
    };
    const [short, long, fragments] = ['{"op":"append"}', '{"op":"append"}'.repeat(1_000), PIECE.repeat(3)];
    expect([await bytesOf(short, true), await bytesOf(long, false)]).toEqual([short.length + 2, long.length + 4]);
    expect(await bytesOf(long, true)).toBeLessThan(long.length / 10);
    expect(await bytesOf(fragments, true)).toBeLessThan(fragments.length / 10);
  });
});
