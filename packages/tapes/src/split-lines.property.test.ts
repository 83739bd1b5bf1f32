import { Buffer } from 'node:buffer';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { splitLines } from './split-lines.js';
import { chunkSizes, contents, drain, linesByHand, memorySource } from './tape-bytes.suite.js';

const split = (bytes: Uint8Array, options = {}) => drain(splitLines(memorySource(bytes), options));

describe('forward lines', () => {
  it('[R-TAPE-1] any cut into chunks gives the lines that a byte by byte reader finds', () => {
    fc.assert(fc.property(contents, chunkSizes, (bytes, chunkBytes) => {
      const { all, end } = split(bytes, { chunkBytes });
      expect(all).toEqual(linesByHand(bytes));
      expect(end).toEqual({ endOffset: bytes.length, isTorn: bytes.length > 0 && bytes.at(-1) !== 10 });
    }));
  });

  it('[R-TAPE-1] the spans of all lines are the file, in order, each byte once', () => {
    fc.assert(fc.property(contents, chunkSizes, fc.integer({ min: 0, max: 300 }), (bytes, chunkBytes, maxLineBytes) => {
      const { all } = split(bytes, { chunkBytes, maxLineBytes });
      expect(Buffer.concat(all.map(({ offset, length }) => bytes.subarray(offset, offset + length)))).toEqual(bytes);
      all.reduce((end, line) => (expect(line.offset).toBe(end), line.offset + line.length), 0);
    }));
  });

  it('[R-TAPE-1] a line over the limit is reported and skipped, the others come', () => {
    fc.assert(fc.property(contents, chunkSizes, fc.integer({ min: 0, max: 300 }), (bytes, chunkBytes, maxLineBytes) => {
      expect(split(bytes, { chunkBytes, maxLineBytes }).all).toEqual(linesByHand(bytes, maxLineBytes));
    }));
  });

  it('[R-TAPE-1] from any line start to any byte gives the lines that start between', () => {
    fc.assert(fc.property(contents, chunkSizes, fc.tuple(fc.nat(), fc.nat()), (bytes, chunkBytes, [a, b]) => {
      const lines = linesByHand(bytes);
      const from = lines[a % (lines.length + 1)]?.offset ?? bytes.length;
      const to = b % (bytes.length + 2);
      const { all, end } = drain(splitLines(memorySource(bytes.subarray(from)), { chunkBytes, from, to }));
      expect(all).toEqual(lines.filter(({ offset }) => offset >= from && offset < to));
      expect(end.endOffset).toBe(all.length ? all.at(-1)!.offset + all.at(-1)!.length : from);
    }));
  });

  it('[R-TAPE-1] lines that are passed over by their bytes leave the others as they are, and the end too', () => {
    const hasA = (bytes: Uint8Array, start: number, end: number): boolean => bytes.subarray(start, end).includes(0x61);
    fc.assert(fc.property(contents, chunkSizes, fc.integer({ min: 0, max: 300 }), (bytes, chunkBytes, maxLineBytes) => {
      const { all, end } = split(bytes, { chunkBytes, maxLineBytes, skips: hasA });
      const isAsked = (line: { length: number; isTerminated: boolean }): boolean => line.isTerminated && line.length - 1 <= maxLineBytes;
      expect(all).toEqual(linesByHand(bytes, maxLineBytes).filter((line) => !isAsked(line) || !hasA(bytes, line.offset, line.offset + line.length)));
      expect(end.endOffset).toBe(bytes.length);
    }));
  });

  it('[R-TAPE-2] [D-5] an invalid byte at any place costs its own line only', () => {
    const text = '{"a":"é"}\n\n{"b":"日本😀"}\r\n{"c":1}';
    const clean = linesByHand(Buffer.from(text));
    for (let at = 0; at < Buffer.byteLength(text); at++) {
      for (const chunkBytes of [1, 3, 1_024]) {
        const bytes = Buffer.from(text);
        if (bytes[at] === 10) continue;
        bytes[at] = 0xff;
        const { all } = split(bytes, { chunkBytes });
        expect(all).toEqual(clean.map((line) => (at >= line.offset && at < line.offset + line.length ? { ...line, text: bytes.toString('utf8', line.offset, at).replace(/\ufffd+$/, ''), flaw: 'invalidUtf8' } : line)));
      }
    }
  });

  it('[R-TAPE-2] CRLF, NUL, BOM and U+2028 stay in the text and separate nothing', () => {
    const { all } = split(Buffer.from('\uFEFF{"a":"\u2028"}\r\n\0\0{}\n\n'));
    expect(all.map((line) => line.text)).toEqual(['\uFEFF{"a":"\u2028"}\r', '\0\0{}', '']);
  });

  it('[R-TAPE-1] memory is bounded by the limit, however long a line is', () => {
    const bytes = Buffer.concat([Buffer.from('a\n'), Buffer.alloc(2_000_000, 120), Buffer.from('\nb\n')]);
    const source = memorySource(bytes);
    const { all } = drain(splitLines(source, { chunkBytes: 1_024, maxLineBytes: 10_000 }));
    expect(all.map(({ offset, length, text, flaw }) => ({ offset, length, text, flaw }))).toEqual([
      { offset: 0, length: 2, text: 'a', flaw: undefined },
      { offset: 2, length: 2_000_001, text: undefined, flaw: 'tooLong' },
      { offset: 2_000_003, length: 2, text: 'b', flaw: undefined },
    ]);
    expect(source.largestBuffer).toBeLessThan(2 * 10_000 + 2 * 1_024);
  });

  it('[R-TAPE-1] memory is bounded by the longest line below the limit', () => {
    const source = memorySource(Buffer.from(`${'x'.repeat(5_000)}\n`.repeat(400)));
    expect(drain(splitLines(source, { chunkBytes: 1_024 })).all).toHaveLength(400);
    expect(source.largestBuffer).toBeLessThan(2 * 5_000 + 2 * 1_024);
  });
});
