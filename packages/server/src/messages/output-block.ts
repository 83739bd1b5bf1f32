import { Buffer } from 'node:buffer';

/** Bytes of UTF-8 that a UTF-16 unit takes at most. */
const UNIT_BYTES = 3;

/** Pieces of a text that fit into an empty block of a size, no character cut in two. */
export function* fittingParts(text: string, sizeBytes: number): Generator<string> {
  const units = Math.floor(sizeBytes / UNIT_BYTES) - 1;
  for (let from = 0; from < text.length;) {
    const end = Math.min(from + units, text.length);
    const isCut = end < text.length && (text.charCodeAt(end - 1) & 0xfc00) === 0xd800;
    yield text.slice(from, isCut ? end + 1 : end);
    from = isCut ? end + 1 : end;
  }
}

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

  /** What was taken; until the block is begun anew. */
  bytes(): Buffer {
    return this.#bytes.subarray(0, this.#used);
  }

  /** Empties it: what it held was taken by the other side. */
  clear(): void {
    this.#used = 0;
  }
}
