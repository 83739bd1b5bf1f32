import { Buffer } from 'node:buffer';
import type { ByteSource } from './byte-source.js';

/**
 * The part of a source that is in memory: `bytes[0, end)` are the source's bytes from `base` on. One buffer, reused, grown by doubling
 * to what the caller keeps plus one chunk.
 */
export class ByteWindow {
  bytes: Buffer;
  end = 0;
  base: number;

  constructor(private readonly source: ByteSource, private readonly chunkBytes: number, from = 0) {
    this.bytes = Buffer.allocUnsafeSlow(chunkBytes);
    this.base = from;
  }

  /** Forgets everything before index `keepFrom`, which becomes index 0, and reads one more chunk. Returns the bytes read, 0 at the end. */
  refill(keepFrom: number): number {
    this.keep(keepFrom);
    const read = this.source.readInto(this.bytes.subarray(this.end, this.end + this.chunkBytes));
    this.end += read;
    return read;
  }

  /** The bytes in memory, as a view that the next `refill` invalidates. */
  view(): Buffer {
    return this.bytes.subarray(0, this.end);
  }

  private keep(from: number): void {
    const kept = this.end - from;
    const needed = kept + this.chunkBytes;
    if (needed > this.bytes.length) {
      const grown = Buffer.allocUnsafeSlow(Math.max(needed, Math.min(this.bytes.length * 2, needed + kept)));
      this.bytes.copy(grown, 0, from, this.end);
      this.bytes = grown;
    } else if (from > 0) this.bytes.copyWithin(0, from, this.end);
    this.base += from;
    this.end = kept;
  }
}
