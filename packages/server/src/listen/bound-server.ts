import { type RequestListener, type Server, createServer } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { ServerError } from '../errors.js';
import { HEAD_BYTES, type ListenerLimits } from '../limits.js';
import { type TcpAddress, type UnixAddress, listenUrl } from './listen-url.js';
import { closeSocketToOthers, freeSocketPath } from './unix-place.js';

/** How often connections are looked at for being too slow: a fraction of the shortest time that is allowed. */
function checkingMs({ headMs }: ListenerLimits): number {
  return Math.max(50, Math.min(1_000, headMs / 4));
}

function bindError(address: TcpAddress | UnixAddress, cause: NodeJS.ErrnoException): ServerError {
  const about = listenUrl(address);
  return cause.code === 'EADDRINUSE' ? new ServerError('addressTaken', { about, cause }) : new ServerError('addressUnusable', { about, reason: cause.message, cause });
}

/** An HTTP server with bounds on everything that a client can hold up: heads, bodies, connections, silence, its end. */
export class BoundServer {
  readonly http: Server;
  readonly #limits: ListenerLimits;
  /** Every open connection; the server itself loses sight of those that were upgraded. */
  readonly #sockets = new Set<Socket>();

  constructor(handler: RequestListener, limits: ListenerLimits) {
    this.#limits = limits;
    this.http = createServer({
      maxHeaderSize: HEAD_BYTES, headersTimeout: limits.headMs, requestTimeout: limits.requestMs, connectionsCheckingInterval: checkingMs(limits), keepAliveTimeout: 5_000,
    }, handler);
    this.http.maxConnections = limits.connections;
    this.http.maxHeadersCount = 64;
    // A reader that takes nothing for so long is closed too: what it was sent does not stay in memory.
    this.http.setTimeout(limits.idleMs);
    this.http.on('connection', (socket: Socket) => {
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
    });
  }

  /** Begins to listen. Answers the address with the port that was bound. Refusals are `ServerError`s. */
  async bind<A extends TcpAddress | UnixAddress>(address: A): Promise<A> {
    if (address.kind === 'unix') await freeSocketPath(address.path);
    await new Promise<void>((resolve, reject) => {
      this.http.once('error', (cause: NodeJS.ErrnoException) => reject(bindError(address, cause)));
      if (address.kind === 'unix') this.http.listen({ path: address.path }, resolve);
      else this.http.listen({ host: address.host, port: address.port }, resolve);
    });
    if (address.kind === 'unix') closeSocketToOthers(address.path);
    const bound = this.http.address();
    return typeof bound === 'object' && bound !== null ? { ...address, port: bound.port } : address;
  }

  /** Ends the server: no new connections, idle ones are closed, what is being answered has the time of grace, then everything is cut. `drain` ends what was upgraded. */
  async stop(drain: () => Promise<void>): Promise<void> {
    const closed = new Promise<void>((resolve) => { this.http.close(() => resolve()); });
    const cut = setTimeout(() => { for (const socket of this.#sockets) socket.destroy(); }, this.#limits.graceMs + 1_000);
    await drain();
    await closed;
    clearTimeout(cut);
  }
}

const reasons: Readonly<Record<number, string>> = { 400: 'Bad Request', 401: 'Unauthorized', 403: 'Forbidden', 404: 'Not Found', 408: 'Request Timeout', 429: 'Too Many Requests', 431: 'Request Header Fields Too Large', 503: 'Service Unavailable' };

/** Answers an upgrade that is refused: a short HTTP answer, then the end, whatever the client does. */
export function refuseUpgrade(socket: Duplex, status: number, { type, text }: { readonly type: string; readonly text: string }): void {
  socket.on('error', () => undefined);
  socket.once('finish', () => socket.destroy());
  const head = [`HTTP/1.1 ${status} ${reasons[status] ?? 'Refused'}`, 'Connection: close', `Content-Type: ${type}; charset=utf-8`, `Content-Length: ${Buffer.byteLength(text)}`];
  socket.end(`${head.join('\r\n')}\r\n\r\n${text}`);
}
