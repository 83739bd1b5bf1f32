import type { Writable } from 'node:stream';
import { ClosedPipe } from './exit.js';

/** Text is handed on in pieces of about this size: a system call per line would cost more than the line. */
const CHUNK_CHARS = 64 * 1024;

/** Standard output: collects lines into chunks and waits for each to be taken, so that no transcript piles up in memory. */
export class Output {
  readonly #stream: Writable;
  #pending: string[] = [];
  #pendingChars = 0;

  constructor(stream: Writable) {
    this.#stream = stream;
    // Failures are reported to the write that they belong to; without a listener Node would throw them besides.
    stream.on('error', () => undefined);
  }

  /** Throws `ClosedPipe` once nobody reads any more. */
  async write(text: string): Promise<void> {
    this.#pending.push(text);
    this.#pendingChars += text.length;
    if (this.#pendingChars >= CHUNK_CHARS) await this.flush();
  }

  async line(text: string): Promise<void> {
    await this.write(`${text}\n`);
  }

  async lines(texts: Iterable<string>): Promise<void> {
    for (const text of texts) await this.line(text);
  }

  async flush(): Promise<void> {
    if (this.#pendingChars === 0) return;
    const text = this.#pending.join('');
    this.#pending = [];
    this.#pendingChars = 0;
    await new Promise<void>((resolve, reject) => {
      this.#stream.write(text, (error) => (error ? reject(writeError(error)) : resolve()));
    });
  }
}

function writeError(error: Error): Error {
  const code = 'code' in error ? error.code : undefined;
  return code === 'EPIPE' || code === 'ERR_STREAM_DESTROYED' ? new ClosedPipe() : error;
}
