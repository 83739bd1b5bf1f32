import { Buffer } from 'node:buffer';
import type { JsonChunk } from '@tapefold/threads';
import { FIRST_BLOCK_BYTES, OUTPUT_BLOCK_BYTES } from '../limits.js';
import type { JsonChunks } from '../rpc/answer.js';
import { OutputBlock, fittingParts } from './output-block.js';

/** Where the pieces of messages go. */
export interface PieceSink {
  /** Nobody reads any more: what is still to be said is dropped. */
  readonly isClosed: boolean;
  /** What stands behind each message. */
  readonly end: string;
  /** Takes a piece of the message at hand, as UTF-8; resolves when the reader's side has taken it, so that its memory can be used anew. `isLast`: the message ends with it. */
  put(piece: Buffer, isLast: boolean): Promise<void>;
}

/**
 * Messages to one reader, one after the other. A long one is made piece by piece, and the next piece only when the reader's side has taken the last: what a
 * slow reader has not read is not made yet.
 */
export class MessageQueue {
  readonly #sink: PieceSink;
  #queue: Promise<void> = Promise.resolve();

  constructor(sink: PieceSink) {
    this.#sink = sink;
  }

  /**
   * Sends one message, behind those sent before. Rejects with what the message itself throws while it is made; it is broken off then, so that it is no JSON,
   * and the next message begins anew.
   */
  send(message: JsonChunks): Promise<void> {
    return this.inTurn(() => this.#write(message));
  }

  /** Does something in the turn of a message. */
  inTurn(act: () => Promise<void>): Promise<void> {
    const done = this.#queue.then(act);
    this.#queue = done.catch(() => undefined);
    return done;
  }

  async #write(message: JsonChunks): Promise<void> {
    const blocks = new MessageBlocks(this.#sink);
    try {
      for await (const chunk of message) {
        if (blocks.add(chunk)) continue;
        await blocks.handOn(chunk);
        if (this.#sink.isClosed) return;
      }
    } catch (error) {
      if (blocks.hasBegun) await this.#sink.put(Buffer.from(this.#sink.end), true);
      throw error;
    }
    await blocks.end();
  }
}

/** One message on its way: texts are put together, what comes as bytes goes as it is. */
class MessageBlocks {
  readonly #sink: PieceSink;
  #block = new OutputBlock(FIRST_BLOCK_BYTES);
  /** Something of it was handed on. */
  hasBegun = false;

  constructor(sink: PieceSink) {
    this.#sink = sink;
  }

  /** Takes a chunk that needs no waiting; false where it does. */
  add(chunk: JsonChunk): boolean {
    return typeof chunk === 'string' && this.#block.add(chunk);
  }

  /** Takes any chunk. */
  async handOn(chunk: JsonChunk): Promise<void> {
    if (typeof chunk !== 'string') {
      await this.#flush();
      return this.#sink.put(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength), false);
    }
    for (const part of fittingParts(chunk, OUTPUT_BLOCK_BYTES)) {
      if (this.hasBegun && this.#block.add(part)) continue;
      await this.#flush();
      if (this.#sink.isClosed) return;
      this.#block.add(part);
    }
  }

  async end(): Promise<void> {
    if (this.#block.add(this.#sink.end)) return this.#sink.put(this.#block.bytes(), true);
    await this.#flush();
    return this.#sink.put(Buffer.from(this.#sink.end), true);
  }

  async #flush(): Promise<void> {
    const bytes = this.#block.bytes();
    if (bytes.length > 0) await this.#sink.put(bytes, false);
    if (this.hasBegun) this.#block.clear();
    else this.#block = new OutputBlock(OUTPUT_BLOCK_BYTES);
    this.hasBegun = true;
  }
}
