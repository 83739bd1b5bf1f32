import { Buffer } from 'node:buffer';

/** Packed text as bytes, a block at a time, each in the same memory. */
export class PackedBlock {
  readonly #bytes: Buffer;
  #used = 0;

  constructor(sizeBytes: number) {
    this.#bytes = Buffer.allocUnsafeSlow(sizeBytes);
  }

  get usedBytes(): number { return this.#used; }

  /** Takes a text that the block has room for; false where it has not. */
  take(packed: string): boolean {
    if (packed.length > this.#bytes.length - this.#used) return false;
    this.#used += this.#bytes.write(packed, this.#used, 'latin1');
    return true;
  }

  /** Takes any text, and gives the blocks that are full: each is to be used before the next is asked for. */
  *add(packed: string): Generator<Uint8Array> {
    for (let from = 0; from < packed.length;) {
      const part = packed.slice(from, from + this.#bytes.length - this.#used);
      this.take(part);
      from += part.length;
      if (this.#used === this.#bytes.length) yield* this.rest();
    }
  }

  /** What is left in the block. */
  *rest(): Generator<Uint8Array> {
    const used = this.#bytes.subarray(0, this.#used);
    this.#used = 0;
    if (used.length > 0) yield used;
  }
}
