import { Buffer } from 'node:buffer';
import { createInflateRaw, deflateRawSync, inflateRawSync } from 'node:zlib';

/** The fastest level: JSON of facts shrinks to a sixth by it, and to little less by a slower one. */
const LEVEL = 1;

/** A text, small. */
export function deflated(text: string): Buffer {
  return deflatedBytes(text);
}

/** The same of UTF-8. */
export function deflatedBytes(text: string | Buffer): Buffer {
  return deflateRawSync(text, { level: LEVEL });
}

/** The text again. */
export function inflated(bytes: Buffer): string {
  return inflatedBytes(bytes).toString('utf8');
}

/** The same as UTF-8. */
export function inflatedBytes(bytes: Buffer): Buffer {
  return inflateRawSync(bytes);
}

/** Bytes of texts that share a piece of memory. */
const SHARED_BYTES = 512 * 1024;

/** Makes texts of their small forms beside other work, one after the other, all with one engine: each engine takes memory that the heap is collected for. */
export class Inflater {
  readonly #engine = createInflateRaw({ chunkSize: SHARED_BYTES });
  readonly #pieces: Buffer[] = [];
  #last: Promise<unknown> = Promise.resolve();
  #fail: (error: Error) => void = () => undefined;

  constructor() {
    const fail = (error = new Error('a text ends before its bytes do')): void => this.#fail(error);
    // Pieces of a text come before the engine says that it took all of it. Where it takes no more, it does not say so of what it has.
    this.#engine.on('data', (piece: Buffer) => this.#pieces.push(piece)).on('error', fail).on('end', fail).on('close', fail);
  }

  /** The text as UTF-8. Rejects with what is wrong with it, as do all that follow. */
  inflated(bytes: Buffer): Promise<Buffer> {
    const text = this.#last.then(() => this.#one(bytes));
    this.#last = text;
    return text;
  }

  close(): void {
    this.#engine.destroy();
  }

  async #one(bytes: Buffer): Promise<Buffer> {
    await new Promise<void>((resolve, reject) => {
      this.#fail = reject;
      this.#engine.write(bytes, (error) => (error ? reject(error) : resolve()));
    });
    this.#engine.reset();
    const pieces = this.#pieces.splice(0);
    return pieces.length === 1 && pieces[0] ? pieces[0] : Buffer.concat(pieces);
  }
}
