import { OUTPUT_CHUNK_CHARS } from '../limits.js';
import type { JsonChunks } from '../rpc/answer.js';

/** Where the pieces of messages go. */
export interface PieceSink {
  /** Nobody reads any more: what is still to be said is dropped. */
  readonly isClosed: boolean;
  /** Takes a piece of the message at hand; resolves when the reader's side has taken it. `isLast`: the message ends with it. */
  put(text: string, isLast: boolean): Promise<void>;
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
    let pending = '';
    let hasBegun = false;
    try {
      for await (const chunk of message) {
        pending += chunk;
        if (pending.length < OUTPUT_CHUNK_CHARS) continue;
        hasBegun = true;
        await this.#sink.put(pending, false);
        if (this.#sink.isClosed) return;
        pending = '';
      }
    } catch (error) {
      if (hasBegun) await this.#sink.put('', true);
      throw error;
    }
    await this.#sink.put(pending, true);
  }
}
