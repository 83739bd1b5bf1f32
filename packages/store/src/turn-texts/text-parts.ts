import { Buffer } from 'node:buffer';
import type { Order } from '@tapefold/threads';
import { BLOCK_BYTES } from '../sqlite/limits.js';
import { PackedBlock } from '../sqlite/packed-block.js';
import type { WrittenTurns } from '../sqlite/written-turns.js';
import { TEXT_BLOCK_MOST_BYTES } from './limits.js';

/** Turns that follow each other, as JSON with commas between. `last`: the order of the last of them. */
export interface TextPart {
  readonly text: Buffer;
  readonly last: Order;
}

/** Chunks on their way to a part. */
class OpenPart {
  readonly block = new PackedBlock(BLOCK_BYTES);
  #chunks: Buffer[] = [];
  #bytes = 0;

  get bytes(): number { return this.#bytes + this.block.usedBytes; }

  /** The memory of a chunk is used again. */
  take(chunks: Iterable<string | Uint8Array>): boolean {
    for (const chunk of chunks) {
      const copy = Buffer.from(chunk as Uint8Array);
      this.#chunks.push(copy);
      this.#bytes += copy.length;
      if (this.#bytes > TEXT_BLOCK_MOST_BYTES) return false;
    }
    return true;
  }

  end(): Buffer {
    this.take(this.block.rest());
    const text = Buffer.concat(this.#chunks);
    this.#chunks = [];
    this.#bytes = 0;
    return text;
  }
}

/** Turns behind one in parts of so many bytes at least; it ends with undefined where a part would be too long. */
export function* textParts(turns: WrittenTurns, { after, leastBytes }: { readonly after: Order | undefined; readonly leastBytes: number }): Generator<TextPart | undefined, void> {
  const part = new OpenPart();
  let last: Order | undefined;
  for (const each of turns.each(after && { order: after, isIncluded: false })) {
    if (last) part.take(part.block.add(','));
    if (!part.take(turns.text(each, { block: part.block }))) return yield undefined;
    last = each.order;
    if (part.bytes < leastBytes) continue;
    yield { text: part.end(), last };
    last = undefined;
  }
  if (last) yield { text: part.end(), last };
}
