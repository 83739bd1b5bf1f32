import type { FastifyInstance } from 'fastify';
import type { IncomingMessage, RequestListener, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import type { Guard, Refusal } from '../guard/guard.js';
import { FRAME_BYTES, type ListenerLimits } from '../limits.js';
import { BoundServer, refuseUpgrade } from '../listen/bound-server.js';
import { type TcpAddress, listenUrl } from '../listen/listen-url.js';
import type { Listener } from '../listen/listener.js';
import { TranscriptSocket, type TranscriptHost } from '../live/transcript-socket.js';
import { CODES } from './codes.js';
import { errorEnvelope } from './envelope.js';
import { requestIdOf } from './request-id.js';
import { type RestAppOptions, createRestApp } from './rest-app.js';

/** What a REST listener needs. */
export interface RestListenerOptions extends Omit<RestAppOptions, 'serve'> {
  readonly address: TcpAddress;
  readonly limits: ListenerLimits;
  readonly host: TranscriptHost;
}

const SOCKET_PATH = '/api/v1/ws';
/** Browsers cannot set headers on a WebSocket, so the page puts its token into a subprotocol. */
const TOKEN_PROTOCOL = 'kimi-code.bearer.';

function offeredProtocols({ headers }: IncomingMessage): string[] {
  return (headers['sec-websocket-protocol'] ?? '').split(',').map((name) => name.trim());
}

const tokenProtocol = (names: Iterable<string>): string | undefined => [...names].find((name) => name.startsWith(TOKEN_PROTOCOL));

/** The upgrades that are let in: those of the transcript WebSocket, from the same origin or no page at all, with the token. */
function refusalOf(request: IncomingMessage, guard: Guard): Refusal | { readonly status: 404; readonly code: number; readonly message: string } | undefined {
  const refusal = guard.refusesSender(request, 'sameOrigin');
  if (refusal) return refusal;
  if ((request.url ?? '').split('?', 1)[0] !== SOCKET_PATH) return { status: 404, code: CODES.routeNotFound, message: 'There is no WebSocket at this address.' };
  const given = tokenProtocol(offeredProtocols(request))?.slice(TOKEN_PROTOCOL.length);
  return given === undefined ? guard.refusesCredential(request) : guard.refusesCredential(request, given);
}

interface Sockets { readonly stop: () => Promise<void> }

/** Each message for itself, so that a reader costs no memory between two, and quickly: what is sent was made a moment ago. */
const perMessageDeflate = { serverNoContextTakeover: true, clientNoContextTakeover: true, zlibDeflateOptions: { level: 3, memLevel: 7 }, concurrencyLimit: 4 };

function acceptSockets(server: Server, { guard, limits, host, nowMs }: RestListenerOptions): Sockets {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: FRAME_BYTES, perMessageDeflate, handleProtocols: (names) => tokenProtocol(names) ?? false });
  const clients = new Set<TranscriptSocket>();
  let isStopping = false;
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const refusal = isStopping ? { status: 503, code: CODES.busy, message: 'The server stops.' } : refusalOf(request, guard);
    if (refusal) {
      const text = JSON.stringify(errorEnvelope(refusal, requestIdOf(request.headers['x-request-id'], nowMs())));
      return refuseUpgrade(socket, refusal.status, { type: 'application/json', text });
    }
    sockets.handleUpgrade(request, socket, head, (client) => {
      const taken = new TranscriptSocket(client, host);
      clients.add(taken);
      client.once('close', () => clients.delete(taken));
    });
  });
  return {
    stop: async () => {
      isStopping = true;
      await Promise.all([...clients].map((client) => client.stop(limits.graceMs)));
    },
  };
}

/** REST, and the transcript WebSocket beside it, on a TCP port. Rejects with a `ServerError` where it cannot listen. */
export async function serveRest(options: RestListenerOptions): Promise<Listener> {
  let server: BoundServer | undefined;
  const serve = (handler: RequestListener): Server => {
    server = new BoundServer(handler, options.limits);
    return server.http;
  };
  const app: FastifyInstance = createRestApp({ ...options, serve });
  await app.ready();
  if (!server) throw new Error('the app made no server');
  const bound = server;
  const sockets = acceptSockets(bound.http, options);
  const address = await bound.bind(options.address);
  return {
    address, url: listenUrl(address),
    stop: async () => {
      await bound.stop(() => sockets.stop());
      await app.close();
    },
  };
}
