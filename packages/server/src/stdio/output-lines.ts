import type { Writable } from 'node:stream';
import { OUTPUT_CHUNK_CHARS } from '../limits.js';
import type { JsonChunks } from '../rpc/answer.js';

/**
 * Messages to an output, one line each, one after the other. A message is made piece by piece, and the next piece only when the output has taken the
 * last: what a slow reader has not read is not made yet.
 */
export class OutputLines {
  readonly #stream: Writable;
  #queue: Promise<void> = Promise.resolve();
  #isClosed = false;

  constructor(stream: Writable) {
    this.#stream = stream;
    const close = (): void => { this.#isClosed = true; };
    // Nobody reads any more: what is still to be said is dropped.
    stream.on('error', close).on('close', close);
  }

  /** True once nobody reads any more. */
  get isClosed(): boolean {
    return this.#isClosed;
  }

  /**
   * Sends one message, behind those sent before. Rejects with what the message itself throws while it is made; its line is broken off then, so that it
   * is no JSON, and the next message begins a new one.
   */
  send(message: JsonChunks): Promise<void> {
    const sent = this.#queue.then(() => this.#write(message));
    this.#queue = sent.catch(() => undefined);
    return sent;
  }

  async #write(message: JsonChunks): Promise<void> {
    let pending = '';
    let hasBegun = false;
    try {
      for await (const chunk of message) {
        pending += chunk;
        if (pending.length < OUTPUT_CHUNK_CHARS) continue;
        hasBegun = true;
        await this.#put(pending);
        pending = '';
        if (this.#isClosed) return;
      }
    } catch (error) {
      if (hasBegun) await this.#put('\n');
      throw error;
    }
    await this.#put(`${pending}\n`);
  }

  async #put(text: string): Promise<void> {
    if (this.#isClosed || this.#stream.write(text)) return;
    await new Promise<void>((resolve) => {
      const done = (): void => {
        for (const event of ['drain', 'close', 'error']) this.#stream.off(event, done);
        resolve();
      };
      for (const event of ['drain', 'close', 'error']) this.#stream.on(event, done);
    });
  }
}
