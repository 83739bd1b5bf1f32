import type { WebSocket } from 'ws';
import { READ_AHEAD_AFTER_MS, SOCKET_PENDING_BYTES, SOCKET_RUNNING_CALLS } from '../../limits.js';
import { closeSocket } from '../../sockets/heartbeat.js';
import { TextMessages } from '../../messages/text-messages.js';
import { WorkQueue } from '../../work/work-queue.js';
import { Connection, type ConnectionHost } from '../connection.js';
import { readAhead } from '../warm-up.js';

/** One client on a WebSocket: a message is a request, and no more are taken than can wait. */
export class RpcSocket {
  readonly #socket: WebSocket;
  readonly #queue = new WorkQueue({ running: SOCKET_RUNNING_CALLS, pendingBytes: SOCKET_PENDING_BYTES });
  #isStopping = false;

  constructor(socket: WebSocket, host: Omit<ConnectionHost, 'send' | 'onInitialized'>) {
    this.#socket = socket;
    const messages = new TextMessages(socket);
    const isFree = (): boolean => this.#queue.isIdle && socket.readyState === socket.OPEN;
    const onInitialized = (): void => void setTimeout(() => void (isFree() && readAhead(host.reader)), READ_AHEAD_AFTER_MS).unref();
    const connection = new Connection({ ...host, send: (message) => messages.send(message), onInitialized });
    socket.on('message', (data: Buffer, isBinary) => {
      if (this.#isStopping) return;
      if (isBinary) host.log(`a binary message of ${data.length} bytes was left out: requests come as text`);
      else this.#take(connection.accept(data.toString('utf8')), data.length);
    });
    // What broke the protocol (bad UTF-8, too long a message) is answered with a close code; it is no news to whoever runs the server.
    socket.on('error', (error) => host.log(`a WebSocket was closed: ${error.message}`));
    socket.on('close', () => {
      this.#queue.clear();
      connection.close();
    });
  }

  #take(call: (() => Promise<void>) | undefined, bytes: number): void {
    if (!call) return;
    const room = this.#queue.add(call, bytes);
    if (this.#queue.hasRoom) return;
    this.#socket.pause();
    void room.then(() => this.#socket.resume());
  }

  /** Takes no more requests; closes when those that were taken are answered, or after `graceMs`. */
  async stop(graceMs: number): Promise<void> {
    this.#isStopping = true;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => { timer = setTimeout(resolve, graceMs); });
    await Promise.race([this.#queue.idle(), late]);
    clearTimeout(timer);
    await closeSocket(this.#socket, Math.min(graceMs, 1_000));
  }
}
