import { Buffer } from 'node:buffer';
import { Socket } from 'node:net';
import type { Writable } from 'node:stream';
import type { JsonChunks } from '../rpc/answer.js';
import { MessageQueue, type PieceSink } from './message-queue.js';

/** A stream as a sink: each message is a line. */
class LineSink implements PieceSink {
  readonly end = '\n';
  readonly #stream: Writable;
  isClosed = false;

  constructor(stream: Writable) {
    this.#stream = stream;
    const close = (): void => { this.isClosed = true; };
    stream.on('error', close).on('close', close);
  }

  async put(piece: Buffer): Promise<void> {
    if (this.isClosed) return;
    // A socket, a pipe or a terminal is done with a piece once it says so. Other streams may hand on the very bytes that they were given, whose memory is used anew.
    const own = this.#stream instanceof Socket ? piece : Buffer.from(piece);
    // Called in any case: with an error where the stream is gone.
    await new Promise<void>((resolve) => { this.#stream.write(own, () => resolve()); });
  }
}

/** Messages to an output, one line each. */
export class OutputLines {
  readonly #sink: LineSink;
  readonly #messages: MessageQueue;

  constructor(stream: Writable) {
    this.#sink = new LineSink(stream);
    this.#messages = new MessageQueue(this.#sink);
  }

  /** True once nobody reads any more. */
  get isClosed(): boolean { return this.#sink.isClosed; }

  /** See `MessageQueue.send`: where a message is broken off, its line is. */
  send(message: JsonChunks): Promise<void> { return this.#messages.send(message); }
}
