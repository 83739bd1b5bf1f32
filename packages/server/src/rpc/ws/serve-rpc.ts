import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import type { Guard } from '../../guard/guard.js';
import { type ListenerLimits, SOCKET_MESSAGE_BYTES } from '../../limits.js';
import { BoundServer, refuseUpgrade } from '../../listen/bound-server.js';
import { type TcpAddress, type UnixAddress, listenUrl } from '../../listen/listen-url.js';
import type { Listener } from '../../listen/listener.js';
import { keepAlive } from '../../sockets/heartbeat.js';
import type { ConnectionHost } from '../connection.js';
import { RpcSocket } from './rpc-socket.js';

/** What a JSON-RPC listener needs. */
export interface RpcListenerOptions {
  readonly address: TcpAddress | UnixAddress;
  readonly guard: Guard;
  readonly limits: ListenerLimits;
  /** What each connection is built over. */
  readonly host: Omit<ConnectionHost, 'send'>;
}

const plain = (text: string): { type: string; text: string } => ({ type: 'text/plain', text });

function say(response: ServerResponse, status: number, text = ''): void {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', 'content-length': Buffer.byteLength(text), connection: 'close' }).end(text);
}

/** Plain requests: the two that ask whether the server is there, and refusals. */
function answerPlain(request: IncomingMessage, response: ServerResponse, guard: Guard): void {
  const refusal = guard.refusesSender(request, 'none');
  if (refusal) say(response, refusal.status, refusal.message);
  else if (request.method === 'GET' && (request.url === '/healthz' || request.url === '/readyz')) say(response, 200);
  else say(response, 400, 'JSON-RPC is spoken over WebSocket here: ask for an upgrade.');
}

/**
 * JSON-RPC over WebSocket, on a TCP port or a socket in the file system, as Codex's app-server speaks it: one message per text frame, any path, and no
 * request with an `Origin`, so no page. Rejects with a `ServerError` where it cannot listen.
 */
export async function serveRpc({ address, guard, limits, host }: RpcListenerOptions): Promise<Listener> {
  const server = new BoundServer((request, response) => answerPlain(request, response, guard), limits);
  const sockets = new WebSocketServer({ noServer: true, maxPayload: SOCKET_MESSAGE_BYTES, perMessageDeflate: false });
  const clients = new Set<RpcSocket>();
  let isStopping = false;
  server.http.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const refusal = guard.refusesSender(request, 'none') ?? guard.refusesCredential(request);
    if (refusal) return refuseUpgrade(socket, refusal.status, plain(refusal.message));
    if (isStopping) return refuseUpgrade(socket, 503, plain('The server stops.'));
    sockets.handleUpgrade(request, socket, head, (client) => {
      const taken = new RpcSocket(client, host);
      clients.add(taken);
      client.once('close', () => clients.delete(taken));
      sockets.emit('connection', client, request);
    });
  });
  const endKeepAlive = keepAlive(sockets, limits.pingMs);
  const bound = await server.bind(address);
  return {
    address: bound, url: listenUrl(bound),
    stop: async () => {
      isStopping = true;
      await server.stop(async () => void await Promise.all([...clients].map((client) => client.stop(limits.graceMs))));
      endKeepAlive();
    },
  };
}
