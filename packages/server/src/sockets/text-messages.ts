import type { WebSocket } from 'ws';
import { OUTPUT_CHUNK_CHARS } from '../limits.js';
import type { JsonChunks } from '../rpc/answer.js';

/**
 * Messages to a WebSocket, one text message each, one after the other. A long one goes in fragments, and the next is made only when the socket has taken
 * the last: what a slow reader has not read is not made yet.
 */
export class TextMessages {
  readonly #socket: WebSocket;
  #queue: Promise<void> = Promise.resolve();

  constructor(socket: WebSocket) {
    this.#socket = socket;
  }

  /**
   * Sends one message, behind those sent before; nothing once the socket closes. Rejects with what the message itself throws while it is made; it is
   * broken off then, so that it is no JSON.
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
        if (this.#isGone) return;
        hasBegun = true;
        await this.#put(pending, { fin: false });
        pending = '';
      }
    } catch (error) {
      if (hasBegun) await this.#put('', { fin: true });
      throw error;
    }
    await this.#put(pending, { fin: true });
  }

  get #isGone(): boolean {
    return this.#socket.readyState !== this.#socket.OPEN;
  }

  #put(text: string, { fin }: { readonly fin: boolean }): Promise<void> {
    if (this.#isGone) return Promise.resolve();
    return new Promise((resolve) => { this.#socket.send(text, { fin, binary: false, compress: false }, () => resolve()); });
  }
}
