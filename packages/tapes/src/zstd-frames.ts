import { ZSTD_WINDOW_BYTES } from './limits.js';

/** Header of one frame (RFC 8878 §3.1.1.1), as far as a reader needs it before it decodes. */
export interface ZstdFrameHeader {
  readonly headerBytes: number;
  readonly windowBytes: number;
  readonly hasChecksum: boolean;
}

/** One block: `bodyBytes` follow its three bytes of header. */
export interface ZstdBlockHeader {
  readonly bodyBytes: number;
  readonly isLast: boolean;
}

/** Bytes of the shortest thing that tells frame from skippable frame. */
export const MAGIC_BYTES = 4;
/** Stands before every block (§3.1.1.2). */
export const BLOCK_HEADER_BYTES = 3;
/** Stand behind the last block of a frame that says so: the low half of XXH64 of its content (§3.1.1). */
export const CHECKSUM_BYTES = 4;
/** Magic number and length, before bytes that are no content (§3.1.2). */
export const SKIPPABLE_HEADER_BYTES = 8;
/** No frame header is longer. */
export const FRAME_HEADER_LIMIT = 18;
/** A block holds at most this many bytes, compressed or not (§3.1.1.2.4). */
const BLOCK_LIMIT = 131_072;
const RLE = 1;
const RESERVED = 3;

/** What begins at `bytes[0]`: needs `MAGIC_BYTES` bytes. */
export function zstdKind(bytes: Uint8Array): 'frame' | 'skippable' | undefined {
  const [a, b, c, d] = bytes;
  if (a === 0x28 && b === 0xb5 && c === 0x2f && d === 0xfd) return 'frame';
  return a !== undefined && a >> 4 === 5 && b === 0x2a && c === 0x4d && d === 0x18 ? 'skippable' : undefined;
}

/** An unsigned little-endian number of `count` bytes. */
export function littleEndian(bytes: Uint8Array, from: number, count: number): number {
  let value = 0;
  for (let i = count - 1; i >= 0; i--) value = value * 256 + (bytes[from + i] ?? 0);
  return value;
}

/** Bytes of a skippable frame, its header included; needs `SKIPPABLE_HEADER_BYTES` bytes. */
export function skippableBytes(bytes: Uint8Array): number {
  return SKIPPABLE_HEADER_BYTES + littleEndian(bytes, MAGIC_BYTES, 4);
}

/**
 * Reads the frame header at `bytes[0]`. 'short' when more bytes are needed; a sentence's end when this reader cannot decode the frame.
 *
 *   magic 4 · descriptor 1 · window 0–1 · dictionary id 0–4 · content size 0–8
 */
export function frameHeader(bytes: Uint8Array): ZstdFrameHeader | 'short' | { readonly why: string } {
  const descriptor = bytes[MAGIC_BYTES];
  if (descriptor === undefined) return 'short';
  const isSingleSegment = (descriptor & 0x20) !== 0;
  const dictionaryBytes = [0, 1, 2, 4][descriptor & 3] ?? 0;
  const sizeFlag = descriptor >> 6;
  const sizeBytes = sizeFlag ? 1 << sizeFlag : Number(isSingleSegment);
  const sizeAt = MAGIC_BYTES + 1 + Number(!isSingleSegment) + dictionaryBytes;
  if (bytes.length < sizeAt + sizeBytes) return 'short';
  if (descriptor & 8) return { why: 'a reserved bit is set' };
  if (littleEndian(bytes, sizeAt - dictionaryBytes, dictionaryBytes) > 0) return { why: 'it needs a dictionary' };
  const contentBytes = littleEndian(bytes, sizeAt, sizeBytes) + (sizeFlag === 1 ? 256 : 0);
  const windowBytes = isSingleSegment ? contentBytes : windowOf(bytes[MAGIC_BYTES + 1] ?? 0);
  if (windowBytes > ZSTD_WINDOW_BYTES) return { why: `its window of ${windowBytes} bytes is larger than the ${ZSTD_WINDOW_BYTES} that are held` };
  return { headerBytes: sizeAt + sizeBytes, windowBytes, hasChecksum: (descriptor & 4) !== 0 };
}

function windowOf(byte: number): number {
  const base = 2 ** (10 + (byte >> 3));
  return base + (base / 8) * (byte & 7);
}

/** Reads the block header at `bytes[0]` (three bytes); a sentence's end when it is none. */
export function blockHeader(bytes: Uint8Array): ZstdBlockHeader | { readonly why: string } {
  const value = littleEndian(bytes, 0, BLOCK_HEADER_BYTES);
  const type = (value >> 1) & 3;
  const size = value >> 3;
  if (type === RESERVED) return { why: 'a block has the reserved type' };
  if (size > BLOCK_LIMIT) return { why: `a block of ${size} bytes is larger than the format allows` };
  return { bodyBytes: type === RLE ? 1 : size, isLast: (value & 1) === 1 };
}

/** The frame header with the checksum flag cleared: fzstd would wait for four bytes that the caller skips itself. */
export function withoutChecksumFlag(header: Uint8Array): Uint8Array {
  const copy = Uint8Array.from(header);
  copy[MAGIC_BYTES] = (copy[MAGIC_BYTES] ?? 0) & ~4;
  return copy;
}
