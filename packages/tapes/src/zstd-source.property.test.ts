import { Buffer } from 'node:buffer';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TapeError } from './errors.js';
import { ZSTD_CHUNK_BYTES, ZSTD_WINDOW_BYTES } from './limits.js';
import { splitLines } from './split-lines.js';
import { chunkSizes, contents, drain, linesByHand, memorySource, rawFrame, skippableFrame } from './tape-bytes.suite.js';
import { zstdSource } from './zstd-source.js';

const fixture = (name: string): Buffer => readFileSync(fileURLToPath(new URL(`../fixtures/${name}`, import.meta.url)));
const plain = fixture('lines.jsonl');
const decode = (bytes: Uint8Array, chunkBytes = 1_000) => drain(splitLines(zstdSource(memorySource(bytes)), { chunkBytes }));

describe('compressed files', () => {
  it.each(['one-frame.jsonl.zst', 'many-frames.jsonl.zst'])('[R-TAPE-5] %s of the zstd command reads like the plain file', (name) => {
    for (const chunkBytes of [1, 17, 65_536, 1_048_576]) {
      const { all, end } = decode(fixture(name), chunkBytes);
      expect(all).toEqual(linesByHand(plain));
      expect(end).toEqual({ endOffset: plain.length, isTorn: false });
    }
  });

  it('[R-TAPE-5] any content in any frames, with skippable and empty ones between, reads like plain', () => {
    const cuts = fc.array(fc.record({ bytes: fc.nat(60), blockBytes: fc.integer({ min: 1, max: 40 }), skip: fc.option(fc.uint8Array({ maxLength: 30 })) }), { maxLength: 8 });
    fc.assert(fc.property(contents, cuts, chunkSizes, (bytes, frames, chunkBytes) => {
      let at = 0;
      const pieces = frames.flatMap((frame) => {
        const piece = rawFrame(bytes.subarray(at, at + frame.bytes), frame.blockBytes);
        at += frame.bytes;
        return frame.skip ? [skippableFrame(frame.skip), piece] : [piece];
      });
      const { all, end } = decode(Buffer.concat([...pieces, rawFrame(bytes.subarray(at), 64)]), chunkBytes);
      expect(all).toEqual(linesByHand(bytes));
      expect(end.damage).toBeUndefined();
    }));
  });

  it('[R-TAPE-5] a cut file gives what decodes until the cut, then says that it is damaged', () => {
    const whole = fixture('many-frames.jsonl.zst');
    const lines = linesByHand(plain);
    for (let cut = 1; cut < whole.length; cut += 997) {
      const { all, end } = decode(whole.subarray(0, cut));
      const complete = all.filter((line) => line.isTerminated);
      expect(complete).toEqual(lines.slice(0, complete.length));
      expect(end).toMatchObject({ isTorn: true, damage: { code: 'corruptCompression', offset: end.endOffset } });
    }
  });

  it('[R-TAPE-5] a frame cut exactly after its first block gives that block', () => {
    const { all, end } = decode(rawFrame(Buffer.from('a\nb\nc\n'), 4).subarray(0, 6 + 3 + 4));
    expect(all.map((line) => line.text)).toEqual(['a', 'b']);
    expect(end).toMatchObject({ endOffset: 4, isTorn: true, damage: { code: 'corruptCompression', offset: 4 } });
  });

  it('[R-TAPE-5] any flipped byte under a checksum is noticed, never thrown, and never makes the reader hang', () => {
    const whole = fixture('one-frame.jsonl.zst');
    for (let at = 0; at < whole.length; at += 211) {
      const bytes = Buffer.from(whole);
      bytes[at] = (bytes[at] ?? 0) ^ (1 << at % 8);
      expect({ at, code: decode(bytes).end.damage?.code }).toEqual({ at, code: 'corruptCompression' });
    }
  });

  it('[R-TAPE-5] a wrong checksum doubts the content since the start of its frame', () => {
    const whole = Buffer.concat([rawFrame(Buffer.from('good\n'), 9), fixture('one-frame.jsonl.zst')]);
    whole[whole.length - 1] = (whole.at(-1) ?? 0) ^ 1;
    expect(decode(whole).end).toMatchObject({ endOffset: 5 + plain.length, damage: { offset: 5 } });
  });

  it.each([
    ['text', Buffer.from('{"a":1}\n'), 0],
    ['text after a frame', Buffer.concat([rawFrame(Buffer.from('a\n'), 9), Buffer.from('{"a":1}')]), 2],
    ['a reserved bit', Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x08, 0x40, 1, 0, 0]), 0],
    ['a reserved block', Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0, 0x40, 7, 0, 0]), 0],
    ['a dictionary', Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 1, 0x40, 9, 1, 0, 0]), 0],
    ['a window of terabytes', Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0, 0xff, 1, 0, 0]), 0],
    ['a single segment of terabytes', Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0xe0, 0, 0, 0, 0, 0, 9, 0, 0, 1, 0, 0]), 0],
  ])('[R-TAPE-5] %s where a frame should be is damage', (_what, bytes, offset) => {
    const { end } = decode(bytes);
    expect(end.damage).toBeInstanceOf(TapeError);
    expect(end).toMatchObject({ endOffset: offset, damage: { code: 'corruptCompression', offset } });
  });

  it('[R-TAPE-5] a decoder keeps no memory of the blocks that it has read', () => {
    // One frame of 150 MB in raw blocks, made as it is read.
    const block = rawFrame(Buffer.alloc(120_000, 10), 120_000).subarray(6);
    block[0] = (block[0] ?? 0) & ~1;
    const parts = [rawFrame(new Uint8Array(0), 1).subarray(0, 6), ...Array.from({ length: 1_250 }, () => block), Buffer.from([1, 0, 0])];
    let part = 0;
    let at = 0;
    const readInto = (target: Uint8Array): number => {
      const count = parts[part]?.copy(target, 0, at) ?? 0;
      at += count;
      if (at === parts[part]?.length) { part += 1; at = 0; }
      return count;
    };
    const source = zstdSource({ path: 'made', damage: undefined, close: () => undefined, readInto });
    const target = new Uint8Array(100_000);
    const before = process.memoryUsage().arrayBuffers;
    let bytes = 0;
    let peak = 0;
    for (let read = -1; read !== 0; bytes += read) {
      read = source.readInto(target);
      peak = Math.max(peak, process.memoryUsage().arrayBuffers - before);
    }
    expect({ bytes, damage: source.damage }).toEqual({ bytes: 150_000_000, damage: undefined });
    expect(peak).toBeLessThan(100_000_000);
  });

  it('[R-TAPE-5] memory is bounded by chunk, block and window, not by the file', () => {
    const source = memorySource(Buffer.concat(Array.from({ length: 200 }, () => rawFrame(Buffer.alloc(10_000, 10), 1_000))));
    expect(drain(splitLines(zstdSource(source), {})).all).toHaveLength(2_000_000);
    expect(source.largestBuffer).toBeLessThan(3 * ZSTD_CHUNK_BYTES);
    expect(ZSTD_WINDOW_BYTES).toBeLessThanOrEqual(2 ** 25);
  });
});
