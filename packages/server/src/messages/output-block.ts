import { Buffer } from 'node:buffer';

/** Bytes of UTF-8 that a UTF-16 unit takes at most. */
const UNIT_BYTES = 3;

/** Text as UTF-8, put together piece by piece: to join the pieces as text and to write that out costs several times as much. */
export class OutputBlock {
  readonly #bytes: Buffer;
  #used = 0;

  constructor(sizeBytes: number) {
    this.#bytes = Buffer.allocUnsafeSlow(sizeBytes);
  }

  /** Takes a piece; false where there may be no room for it. */
  add(text: string): boolean {
    if (text.length * UNIT_BYTES > this.#bytes.length - this.#used) return false;
    this.#used += this.#bytes.write(text, this.#used);
    return true;
  }

  /** What was taken. Nothing is added behind it. */
  bytes(): Buffer {
    return this.#bytes.subarray(0, this.#used);
  }
}
