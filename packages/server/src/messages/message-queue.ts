import { Buffer } from 'node:buffer';
import { FIRST_BLOCK_BYTES, OUTPUT_BLOCK_BYTES } from '../limits.js';
import { type JsonChunks, textsOf } from '../rpc/answer.js';
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
    let block = new OutputBlock(FIRST_BLOCK_BYTES);
    let hasBegun = false;
    try {
      for await (const chunk of message) for (const text of textsOf(chunk)) {
        if (block.add(text)) continue;
        for (const part of fittingParts(text, OUTPUT_BLOCK_BYTES)) {
          if (hasBegun && block.add(part)) continue;
          await this.#sink.put(block.bytes(), false);
          if (this.#sink.isClosed) return;
          if (hasBegun) block.clear();
          else block = new OutputBlock(OUTPUT_BLOCK_BYTES);
          hasBegun = true;
          block.add(part);
        }
      }
    } catch (error) {
      if (hasBegun) await this.#sink.put(Buffer.from(this.#sink.end), true);
      throw error;
    }
    await this.#end(block);
  }

  async #end(block: OutputBlock): Promise<void> {
    if (block.add(this.#sink.end)) return this.#sink.put(block.bytes(), true);
    await this.#sink.put(block.bytes(), false);
    return this.#sink.put(Buffer.from(this.#sink.end), true);
  }
}
