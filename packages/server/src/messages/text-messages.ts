import type { Buffer } from 'node:buffer';
import type { WebSocket } from 'ws';
import { COMPRESSED_BYTES } from '../limits.js';
import type { JsonChunks } from '../rpc/answer.js';
import { MessageQueue, type PieceSink } from './message-queue.js';

/** A WebSocket as a sink: each message is a text message, a long one goes in fragments. */
class SocketSink implements PieceSink {
  readonly end = '';
  readonly #socket: WebSocket;

  constructor(socket: WebSocket) {
    this.#socket = socket;
  }

  get isClosed(): boolean { return this.#socket.readyState !== this.#socket.OPEN; }

  /** Whether a message is compressed, where the client takes that, its first fragment says. */
  put(piece: Buffer, isLast: boolean): Promise<void> {
    if (this.isClosed) return Promise.resolve();
    const compress = !isLast || piece.length >= COMPRESSED_BYTES;
    return new Promise((resolve) => { this.#socket.send(piece, { fin: isLast, binary: false, compress }, () => resolve()); });
  }
}

/** Messages to a WebSocket, one text message each; nothing once the socket closes. */
export class TextMessages {
  readonly #sink: SocketSink;
  readonly #messages: MessageQueue;

  constructor(socket: WebSocket) {
    this.#sink = new SocketSink(socket);
    this.#messages = new MessageQueue(this.#sink);
  }

  /** See `MessageQueue.send`. */
  send(message: JsonChunks): Promise<void> { return this.#messages.send(message); }

  /** Sends a message that is written out already, for many readers, say: UTF-8. */
  sendWhole(message: Buffer): Promise<void> { return this.#messages.inTurn(() => this.#sink.put(message, true)); }
}
