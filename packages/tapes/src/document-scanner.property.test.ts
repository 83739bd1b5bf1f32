import { Buffer } from 'node:buffer';
import { isJsonObject } from '@tapefold/facts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type DocumentOptions, scanDocument } from './document-scanner.js';
import { chunkSizes, drain, memorySource } from './tape-bytes.suite.js';

function scan(bytes: Uint8Array, options: DocumentOptions = {}) {
  const between: { offset: number; length: number }[] = [];
  const { all, end } = drain(scanDocument(memorySource(bytes), { ...options, onBetween: (span) => between.push(span) }));
  return { all, end, between };
}

const strings = fc.oneof(fc.string({ unit: 'binary', maxLength: 8 }), fc.constantFrom('"', '\\', '\\"', '{', '}', '[', ']', ',', ':', '],"items":[', '\u2028', '\n', 'é日😀', '\\u0022'));
const { json } = fc.letrec<{ json: unknown }>((tie) => ({
  json: fc.oneof({ maxDepth: 3 }, strings, fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }), fc.boolean(), fc.constant(null), fc.array(tie('json'), { maxLength: 3 }), fc.dictionary(strings, tie('json'), { maxKeys: 3 })),
}));
const documents = fc.record({ session: fc.dictionary(strings, json, { maxKeys: 3 }), items: fc.array(json, { maxLength: 6 }), others: fc.dictionary(strings.filter((key) => key !== 'session' && key !== 'items'), json, { maxKeys: 2 }), order: fc.nat(5), indent: fc.constantFrom('', '  ', '\t') })
  .map(({ session, items, others, order, indent }) => {
    const entries: [string, unknown][] = [['session', session], ...Object.entries(others), ['items', items]];
    const turned = [...entries.slice(order % entries.length), ...entries.slice(0, order % entries.length)];
    return { turned, text: JSON.stringify(Object.fromEntries(turned), null, indent) };
  });

/** What a parser of the whole document finds, in the order of the file. */
function valuesByHand(text: string): unknown[] {
  const parsed: unknown = JSON.parse(text);
  if (!isJsonObject(parsed)) throw new Error('no document');
  return Object.entries(parsed).flatMap(([key, value]) => (key === 'session' ? [value] : key === 'items' && Array.isArray(value) ? value : []));
}

describe('a session document', () => {
  it('[R-TAPE-1] gives the values that JSON.parse finds, whatever the chunks, the strings and the order of keys', () => {
    fc.assert(fc.property(documents, chunkSizes, ({ text }, chunkBytes) => {
      const bytes = Buffer.from(text);
      const { all, end } = scan(bytes, { chunkBytes });
      expect(all.map((line) => JSON.parse(line.text!) as unknown)).toEqual(valuesByHand(text));
      expect(all.every((line) => line.isTerminated && line.text === bytes.toString('utf8', line.offset, line.offset + line.length))).toBe(true);
      expect(end).toEqual({ endOffset: bytes.length, isTorn: false });
    }));
  });

  it('[R-TAPE-2] cut anywhere: the complete values come, the torn one last, and every byte is accounted for once', () => {
    fc.assert(fc.property(documents, chunkSizes, ({ text }, chunkBytes) => {
      const bytes = Buffer.from(text);
      const whole = scan(bytes).all;
      for (let cut = 0; cut < bytes.length; cut++) {
        const { all, end, between } = scan(bytes.subarray(0, cut), { chunkBytes });
        const complete = all.filter((line) => line.isTerminated);
        expect(complete).toEqual(whole.filter((line) => line.offset + line.length <= cut && (line.offset + line.length < cut || !/[\w.+-]$/.test(line.text!))));
        expect(all.length - complete.length).toBeLessThanOrEqual(1);
        expect(end.isTorn).toBe(true);
        const spans = [...all, ...between].sort((a, b) => a.offset - b.offset);
        expect(spans.reduce((to, span) => (expect(span.offset).toBe(to), to + span.length), 0)).toBe(cut);
      }
    }), { numRuns: process.env['TAPEFOLD_LONG'] === '1' ? 500 : 25 });
  });

  it('[R-TAPE-2] garbage costs its own place', () => {
    const { all, end } = scan(Buffer.from('{"session":{"id":1} xyz,"items":[{"a":1} oops, {"b":2},,true "s"]}'));
    expect(all.map((line) => line.text)).toEqual(['{"id":1}', 'xyz', '{"a":1}', 'oops', '{"b":2}', 'true', '"s"']);
    expect(end.isTorn).toBe(false);
  });

  it('[R-TAPE-2] something that is no document is one line without end', () => {
    for (const text of ['[1,2]', 'hello', '{} trailing']) {
      const { all, end } = scan(Buffer.from(text), { chunkBytes: 2 });
      expect(all).toEqual([{ offset: text.startsWith('{') ? 3 : 0, length: text.startsWith('{') ? 8 : text.length, text: text.replace('{} ', ''), isTerminated: false }]);
      expect(end.isTorn).toBe(true);
    }
    expect(scan(Buffer.from('')).all).toEqual([]);
  });

  it('[R-TAPE-2] a byte order mark, escaped keys and items that are no array are understood', () => {
    expect(scan(Buffer.from('\uFEFF{"\\u0073ession":1,"items":{"a":[]}}')).all.map((line) => line.text)).toEqual(['1', '{"a":[]}']);
  });

  it('[D-5] an invalid byte costs its value only', () => {
    const bytes = Buffer.from('{"session":{},"items":["a","b","c"]}');
    bytes[bytes.indexOf('b')] = 0xff;
    expect(scan(bytes).all.map((line) => line.flaw ?? line.text)).toEqual(['{}', '"a"', 'invalidUtf8', '"c"']);
  });

  it('[R-TAPE-1] a value over the limit is reported, never held, and the next ones come', () => {
    const source = memorySource(Buffer.from(`{"session":{},"items":["${'x'.repeat(300_000)}",{"a":"]"}]}`));
    const { all } = drain(scanDocument(source, { chunkBytes: 512, maxLineBytes: 2_000 }));
    expect(all.map((line) => line.flaw ?? line.text)).toEqual(['{}', 'tooLong', '{"a":"]"}']);
    expect(all[1]).toMatchObject({ offset: 23, length: 300_002 });
    expect(source.largestBuffer).toBeLessThan(6_000);
  });
});
