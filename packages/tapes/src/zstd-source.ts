import { Decompress } from 'fzstd';
import type { ByteSource } from './byte-source.js';
import { ByteWindow } from './byte-window.js';
import { TapeError } from './errors.js';
import { ZSTD_CHUNK_BYTES } from './limits.js';
import {
  BLOCK_HEADER_BYTES, CHECKSUM_BYTES, FRAME_HEADER_LIMIT, MAGIC_BYTES, SKIPPABLE_HEADER_BYTES,
  blockHeader, frameHeader, littleEndian, skippableBytes, withoutChecksumFlag, zstdKind,
} from './zstd-frames.js';
import { XxHash64 } from './xxhash64.js';

/** Six blocks of no bytes: with them a frame's header is never too short for fzstd to look at it, and each block is decoded as it comes. */
const EMPTY_BLOCKS = new Uint8Array(6 * BLOCK_HEADER_BYTES);

/** Ends the decoding: the compressed bytes are cut or wrong. `goodBytes`: plain bytes before the doubtful ones, where that is less than was decoded. */
class Damage extends Error {
  constructor(message: string, readonly detail: { readonly goodBytes?: number; readonly cause?: unknown } = {}) {
    super(message, detail);
  }
}

/** A frame that is being decoded; `hash` where it ends with a checksum. */
interface OpenFrame {
  readonly decoder: Decompress;
  readonly hash: XxHash64 | undefined;
  readonly startOffset: number;
}

/**
 * The plain bytes of a zstd stream.
 *
 *   frame ──header──▶ block ──last──▶ checksum ──▶ frame …
 *     ├─ skippable: skipped          end of the file between frames: the clean end
 *     └─ anything else, or the end anywhere inside: damage
 *
 * Frames and blocks are walked here and fzstd only decodes blocks: its own streaming never decodes what is shorter than 18 bytes
 * unless told that nothing follows (seen in 0.1.1), takes whatever window a header claims, and skips checksums: most flipped bits of
 * compressed text decode to other text without complaint.
 */
class ZstdDecoder {
  private readonly window: ByteWindow;
  private at = 0;
  private frame: OpenFrame | undefined;
  private readonly out: Uint8Array[] = [];
  /** A frame whose blocks are all decoded, and handed out before its checksum is looked at: what came out of it comes even if the file ends here. */
  private unverified: OpenFrame | undefined;
  private decodedBytes = 0;

  constructor(compressed: ByteSource) {
    this.window = new ByteWindow(compressed, ZSTD_CHUNK_BYTES);
  }

  /** The next decoded bytes (never empty), or undefined at the clean end. Throws `Damage`, and what the source throws. */
  next(): Uint8Array | undefined {
    for (;;) {
      const piece = this.out.shift();
      if (piece) return piece;
      if (this.frame) this.decodeBlock(this.frame);
      else if (this.unverified) this.verify(this.unverified);
      else if (!this.has(1)) return undefined;
      else this.enterFrame();
    }
  }

  /** True when `count` bytes are in memory from `at` on, read if need be. */
  private has(count: number): boolean {
    while (this.window.end - this.at < count) {
      const keepFrom = this.at;
      this.at = 0;
      if (this.window.refill(keepFrom) === 0) return false;
    }
    return true;
  }

  private peek(count: number): Uint8Array {
    if (!this.has(count)) throw new Damage('the file ends inside a frame');
    return this.window.bytes.subarray(this.at, this.at + count);
  }

  private enterFrame(): void {
    const kind = zstdKind(this.peek(MAGIC_BYTES));
    if (kind === 'skippable') return this.skip(skippableBytes(this.peek(SKIPPABLE_HEADER_BYTES)));
    if (kind === undefined) throw new Damage('no frame begins where one should');
    this.has(FRAME_HEADER_LIMIT);
    const header = frameHeader(this.window.bytes.subarray(this.at, Math.min(this.window.end, this.at + FRAME_HEADER_LIMIT)));
    if (header === 'short') throw new Damage('the file ends inside a frame');
    if ('why' in header) throw new Damage(header.why);
    const hash = header.hasChecksum ? new XxHash64() : undefined;
    const decoder = new Decompress((data) => this.emit(data, hash));
    this.frame = { decoder, hash, startOffset: this.decodedBytes };
    decoder.push(concat(withoutChecksumFlag(this.peek(header.headerBytes)), EMPTY_BLOCKS));
    this.at += header.headerBytes;
  }

  private emit(data: Uint8Array, hash: XxHash64 | undefined): void {
    if (!data.length) return;
    hash?.update(data);
    this.decodedBytes += data.length;
    this.out.push(data);
  }

  private decodeBlock(frame: OpenFrame): void {
    const block = blockHeader(this.peek(BLOCK_HEADER_BYTES));
    if ('why' in block) throw new Damage(block.why);
    const bytes = this.peek(BLOCK_HEADER_BYTES + block.bodyBytes);
    this.at += bytes.length;
    // Not a copy: fzstd copies what it needs of a whole block, but keeps an empty view of each piece, and with it the piece's memory.
    try { frame.decoder.push(bytes, block.isLast); } catch (error) { throw new Damage('a block does not decode', { cause: error }); }
    if (!block.isLast) return;
    this.frame = undefined;
    if (frame.hash) this.unverified = frame;
  }

  private verify({ hash, startOffset }: OpenFrame): void {
    this.unverified = undefined;
    const stored = this.peek(CHECKSUM_BYTES);
    this.at += CHECKSUM_BYTES;
    if (littleEndian(stored, 0, CHECKSUM_BYTES) !== hash?.low32()) throw new Damage('the checksum of a frame does not match its content', { goodBytes: startOffset });
  }

  private skip(count: number): void {
    let left = count;
    while (left > 0) {
      if (!this.has(1)) throw new Damage('the file ends inside a frame');
      const step = Math.min(left, this.window.end - this.at);
      this.at += step;
      left -= step;
    }
  }
}

function concat(a: Uint8Array, b: Uint8Array): Uint8Array {
  const both = new Uint8Array(a.length + b.length);
  both.set(a);
  both.set(b, a.length);
  return both;
}

/** Plain bytes of a compressed source. Where it is cut or corrupt the bytes end and `damage` says so (`corruptCompression`); only I/O errors are thrown. */
export function zstdSource(compressed: ByteSource): ByteSource {
  const decoder = new ZstdDecoder(compressed);
  let piece: Uint8Array = new Uint8Array(0);
  let delivered = 0;
  let damage: TapeError | undefined;
  const nextPiece = (): Uint8Array | undefined => {
    try {
      return decoder.next();
    } catch (error) {
      if (!(error instanceof Damage)) throw error;
      damage = new TapeError('corruptCompression', { path: compressed.path, offset: error.detail.goodBytes ?? delivered, cause: error });
      return undefined;
    }
  };
  return {
    path: compressed.path,
    get damage() { return damage; },
    close: () => compressed.close(),
    readInto(target) {
      if (damage) return 0;
      if (!piece.length) piece = nextPiece() ?? piece;
      const count = Math.min(piece.length, target.length);
      target.set(piece.subarray(0, count));
      piece = piece.subarray(count);
      delivered += count;
      return count;
    },
  };
}
