import { createFileSource } from '@tapefold/store';
import { afterTest, recordedHomes } from '@tapefold/testing';
import { type ClientRequestArgs, type IncomingHttpHeaders, request } from 'node:http';
import { type Socket, connect } from 'node:net';
import { WebSocket } from 'ws';
import { recordedTranscripts } from './recorded-transcripts.suite.js';
import type { Listener } from './listen/listener.js';
import type { TcpAddress } from './listen/listen-url.js';
import { type RunningServer, type ServerOptions, startServer } from './start-server.js';

export { testFolder as folder } from '@tapefold/testing';

export const TOKEN = 'a-token-for-tests-that-nobody-could-guess-44';

const simple = recordedHomes().find(({ name }) => name === 'handmade/1-simple')!;
/** The threads of the server's home. */
export const { threadIds } = simple;

/** What a test server said to whoever runs it. */
export interface Started {
  readonly server: RunningServer;
  readonly listener: Listener;
  readonly log: string[];
}

/** A server over a recorded home, at a free port, stopped after the test. */
export async function started(options: Partial<ServerOptions> = {}): Promise<Started> {
  const log: string[] = [];
  const server = await startServer({
    transcripts: recordedTranscripts(), source: createFileSource([{ program: 'codex', path: simple.home }]), identity: { version: '1.2.3', home: simple.home, platform: 'linux', arch: 'x64' },
    addresses: [{ kind: 'ws', host: '127.0.0.1', port: 0 }], token: TOKEN, nowMs: Date.now, log: (text) => void log.push(text), ...options,
  });
  afterTest(() => server.stop());
  return { server, listener: server.listeners[0]!, log };
}

export const portOf = ({ listener }: Started): number => (listener.address as TcpAddress).port;

export const bearer = (token: string = TOKEN): { authorization: string } => ({ authorization: `Bearer ${token}` });

export interface HttpAnswer { readonly status: number; readonly body: string; readonly headers: IncomingHttpHeaders }

export type Json = Record<string, unknown>;

/** What a REST answer stands in. */
export interface Answer { readonly code: number; readonly msg: string; readonly data: Json; readonly request_id: string; readonly details?: { readonly path: string; readonly message: string }[] }

/** One HTTP request, over TCP or a socket's path. */
export function http(to: ClientRequestArgs, body?: string | Uint8Array): Promise<HttpAnswer> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', agent: false, ...to }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body: Buffer.concat(parts).toString('utf8'), headers: response.headers }));
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

/** A REST server at a free port. */
export async function startedRest(options: Partial<ServerOptions> = {}): Promise<Started & { readonly port: number }> {
  const all = await started({ addresses: [{ kind: 'http', host: '127.0.0.1', port: 0 }], ...options });
  return { ...all, port: portOf(all) };
}

/** The answer to a GET with the token. */
export async function get(port: number, path: string, headers: Readonly<Record<string, string>> = bearer()): Promise<HttpAnswer & { readonly answer: Answer }> {
  const answer = await http({ port, path, headers });
  return { ...answer, answer: JSON.parse(answer.body) as Answer };
}

/** What servers said before a test listened. */
const earlyMessages = new WeakMap<WebSocket, Buffer[]>();

/** A WebSocket that is open, or the HTTP status with which it was refused. */
export async function dial(url: string, headers: Readonly<Record<string, string>> = {}, protocols: string[] = []): Promise<WebSocket | number> {
  const socket = new WebSocket(url, protocols, { headers, perMessageDeflate: false });
  afterTest(() => socket.terminate());
  const early: Buffer[] = [];
  earlyMessages.set(socket, early);
  socket.on('message', (data: Buffer) => early.push(data));
  return new Promise((resolve, reject) => {
    socket.once('open', () => resolve(socket));
    socket.once('unexpected-response', (_, response) => { socket.terminate(); resolve(response.statusCode ?? 0); });
    socket.once('error', reject);
  });
}

/** A WebSocket that must open. */
export async function opened(url: string, headers: Readonly<Record<string, string>> = bearer(), protocols: string[] = []): Promise<WebSocket> {
  const socket = await dial(url, headers, protocols);
  if (typeof socket === 'number') throw new Error(`${url} was refused with ${socket}`);
  return socket;
}

/** A client that speaks bytes, and does not hang up when the server does. */
export async function raw(port: number): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  afterTest(() => { socket.destroy(); });
  socket.on('error', () => undefined);
  await new Promise((resolve) => { socket.once('connect', resolve); });
  return socket;
}

/** Everything that a connection says until it ends, and how long that took. */
export async function untilClosed(socket: Socket): Promise<{ text: string; ms: number }> {
  const began = Date.now();
  let text = '';
  socket.on('data', (data: Buffer) => { text += data.toString('latin1'); });
  await new Promise<void>((resolve) => { socket.once('end', resolve).once('close', () => resolve()); });
  return { text, ms: Date.now() - began };
}

export const closeOf = (socket: WebSocket): Promise<{ code: number; reason: string }> =>
  new Promise((resolve) => { socket.once('close', (code, reason) => resolve({ code, reason: reason.toString('utf8') })); });

/** JSON messages of a WebSocket, in order. */
export class Talk {
  readonly #socket: WebSocket;
  readonly seen: Json[] = [];
  #wakes: (() => void)[] = [];

  constructor(socket: WebSocket) {
    this.#socket = socket;
    const see = (data: Buffer): void => void this.seen.push(JSON.parse(data.toString('utf8')) as Json);
    earlyMessages.get(socket)?.forEach(see);
    socket.on('message', (data: Buffer) => {
      see(data);
      for (const wake of this.#wakes.splice(0)) wake();
    });
  }

  write(message: object | string): void {
    this.#socket.send(typeof message === 'string' ? message : JSON.stringify(message));
  }

  /** The first message, seen or to come, for which something holds. */
  async find(holds: (message: Json) => boolean): Promise<Json> {
    for (;;) {
      const found = this.seen.find(holds);
      if (found) return found;
      await new Promise<void>((resolve) => { this.#wakes.push(resolve); });
    }
  }

  async call(message: { readonly id: string | number } & Json): Promise<Json> {
    this.write(message);
    return this.find(({ id }) => id === message.id);
  }

  /** Says hello as a JSON-RPC client. */
  async initialize(): Promise<Json> {
    const answer = await this.call({ id: 'hello', method: 'initialize', params: { clientInfo: { name: 'test', title: null, version: '1' }, capabilities: { experimentalApi: true } } });
    this.write({ method: 'initialized' });
    return answer;
  }
}
