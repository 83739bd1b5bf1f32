import { Buffer } from 'node:buffer';
import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { TapeLine } from '@tapefold/facts';
import fc from 'fast-check';
import type { ByteSource } from './byte-source.js';
import { MAX_LINE_BYTES } from './limits.js';

export { testFolder as temporaryFolder } from '@tapefold/testing';

/** Writes a file of a test and returns its path. */
export function writeTape(folder: string, name: string, bytes: string | Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, bytes);
  return path;
}

/** A new home in `folder` with these files and links, by their paths in it; returns its path. */
export function writeHome(folder: string, files: Record<string, string | Uint8Array>, links: Record<string, string> = {}): string {
  const home = mkdtempSync(join(folder, 'home-'));
  const place = (path: string): string => (mkdirSync(dirname(join(home, path)), { recursive: true }), join(home, path));
  for (const [path, content] of Object.entries(files)) writeFileSync(place(path), content);
  for (const [path, target] of Object.entries(links)) symlinkSync(target, place(path));
  return home;
}

const nasty = [
  '\n', '\n', '\r\n', '\r', '\n\n', '\0', '\0\0\0\n', '\u2028', '\u2029', '\uFEFF', '{"a":1}\n', '{"a":1}{"b":2}\n', 'é', '日本', '😀', '“', ' ', '"', 'x'.repeat(200), 'ü'.repeat(90),
].map((text) => Buffer.from(text));
const invalid = [[0xff], [0xc3], [0xe2, 0x80], [0xf0, 0x9f, 0x98], [0x80], [0xed, 0xa0, 0x80], [0xc0, 0xaf]].map((bytes) => Buffer.from(bytes));

/** Contents with everything that a line can hold: endings of all kinds, NUL, marks, cut and invalid characters, long lines. */
export const contents: fc.Arbitrary<Buffer> = fc
  .array(fc.oneof({ weight: 8, arbitrary: fc.constantFrom(...nasty) }, { weight: 1, arbitrary: fc.constantFrom(...invalid) }, { weight: 2, arbitrary: fc.uint8Array({ maxLength: 12 }) }), { maxLength: 40 })
  .map((parts) => Buffer.concat(parts));

/** Chunk sizes from one byte to one MiB, mostly small. */
export const chunkSizes = fc.oneof(fc.integer({ min: 1, max: 24 }), fc.constantFrom(64, 255, 4_096, 1_048_576));

/** Lines as the slowest and most obvious reader finds them. */
export function linesByHand(bytes: Uint8Array, maxLineBytes = MAX_LINE_BYTES): TapeLine[] {
  const lines: TapeLine[] = [];
  for (let start = 0; start < bytes.length;) {
    let end = start;
    while (end < bytes.length && bytes[end] !== 10) end += 1;
    const isTerminated = end < bytes.length;
    lines.push({ offset: start, length: end - start + Number(isTerminated), ...textByHand(bytes.slice(start, end), maxLineBytes), isTerminated });
    start = end + 1;
  }
  return lines;
}

function textByHand(bytes: Uint8Array, maxLineBytes: number): Pick<TapeLine, 'text' | 'flaw'> {
  if (bytes.length > maxLineBytes) return { text: undefined, flaw: 'tooLong' };
  try {
    return { text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch {
    return { text: goodStart(bytes), flaw: 'invalidUtf8' };
  }
}

/** The longest start that decodes, found the slow way. */
function goodStart(bytes: Uint8Array): string {
  for (let end = bytes.length - 1; end > 0; end--) {
    try { return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes.slice(0, end)); } catch { /* one byte less */ }
  }
  return '';
}

/** A source over bytes in memory that notes the largest buffer it was asked to read into. */
export function memorySource(bytes: Uint8Array): ByteSource & { largestBuffer: number } {
  let at = 0;
  return {
    path: 'memory',
    damage: undefined,
    largestBuffer: 0,
    close: () => undefined,
    readInto(target) {
      this.largestBuffer = Math.max(this.largestBuffer, target.buffer.byteLength);
      const count = Math.min(target.length, bytes.length - at);
      target.set(bytes.subarray(at, at + count));
      at += count;
      return count;
    },
  };
}

/** Everything a generator of batches yields, flat, and what it returns. */
export function drain<T, R>(batches: Generator<T[], R>): { all: T[]; end: R } {
  const all: T[] = [];
  for (;;) {
    const next = batches.next();
    if (next.done) return { all, end: next.value };
    all.push(...next.value);
  }
}

const rawBlock = (bytes: Uint8Array, isLast: boolean): Buffer => {
  const header = (bytes.length << 3) | Number(isLast);
  return Buffer.concat([Buffer.from([header & 255, (header >> 8) & 255, (header >> 16) & 255]), bytes]);
};

/** A zstd frame of raw blocks of at most `blockBytes`: enough to test frames, since compressed blocks are tested with real files. */
export function rawFrame(bytes: Uint8Array, blockBytes: number): Buffer {
  const blocks: Buffer[] = [];
  for (let at = 0; at === 0 || at < bytes.length; at += blockBytes) blocks.push(rawBlock(bytes.subarray(at, at + blockBytes), at + blockBytes >= bytes.length));
  // Window of 256 KiB, no content size, no checksum.
  return Buffer.concat([Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x40]), ...blocks]);
}

/** A skippable frame. */
export function skippableFrame(bytes: Uint8Array): Buffer {
  const header = Buffer.from([0x5a, 0x2a, 0x4d, 0x18, 0, 0, 0, 0]);
  header.writeUInt32LE(bytes.length, 4);
  return Buffer.concat([header, bytes]);
}
