import type { JsonValue } from '@tapefold/facts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hostile, unsafe } from '../render/hostile.suite.js';
import { cellWidth, cutEnd, cutStart, padCells } from './cell-width.js';
import { jsonText } from './json-text.js';
import { durationText, shortPath, sizeText } from './measures.js';
import { safeLine, safeLines } from './safe-text.js';
import { createTimes } from './times.js';

describe('widths', () => {
  test.each([
    ['abc', 3], ['配達', 4], ['é', 1], ['👩‍👩‍👧', 2], ['', 0],
  ])('%s takes %i cells', (text, width) => expect(cellWidth(text)).toBe(width));

  test('cuts between graphemes, at the end and at the beginning', () => {
    expect(cutEnd('配達済み', 6)).toBe('配達…');
    expect(cutEnd('配達済み', 8)).toBe('配達済み');
    expect(cutStart('/a/配達/b', 6)).toBe('…達/b');
    expect(cutEnd('abc', 0)).toBe('');
    expect(padCells('配', 4)).toBe('配  ');
    expect(padCells('7', 3, 'right')).toBe('  7');
  });

  test('what is cut to a width is never wider', () => {
    fc.assert(fc.property(hostile, fc.nat({ max: 40 }), (words, width) => {
      const line = safeLine(words);
      expect(cellWidth(cutEnd(line, width))).toBeLessThanOrEqual(width);
      expect(cellWidth(cutStart(line, width))).toBeLessThanOrEqual(width);
    }));
  });
});

describe('[R-SEC-2] safe text', () => {
  test('is safe, and safe to pass through again', () => {
    fc.assert(fc.property(hostile, (words) => {
      const lines = safeLines(words);
      for (const line of lines) expect(unsafe.test(line)).toBe(false);
      expect(safeLines(lines.join('\n'))).toEqual(lines);
    }));
  });

  test('colours go, other sequences are written out, progress bars become lines, tabs spaces', () => {
    expect(safeLines('\u001b[1;32mok\u001b[m\t\u001b[Kx\r10 %\r20 %\r\nend')).toEqual(['ok  \\u{1b}[Kx', '10 %', '20 %', 'end']);
  });
});

describe('JSON', () => {
  test('is what JSON.stringify writes', () => {
    const depth = 20_000;
    fc.assert(fc.property(fc.jsonValue(), (value) => {
      let deep = value as JsonValue;
      for (let i = 0; i < depth; i += 1) deep = [deep];
      expect(jsonText(value as JsonValue)).toBe(JSON.stringify(value));
      expect(jsonText(deep)).toBe('['.repeat(depth) + JSON.stringify(value) + ']'.repeat(depth));
    }), { numRuns: 50 });
    expect(jsonText({ a: undefined, b: [undefined, 1] })).toBe('{"b":[null,1]}');
  });

  test('of any depth is written, members that are not there left out', () => {
    let deep: object = { skipped: undefined, text: 'a"\u001b' };
    for (let i = 0; i < 200_000; i += 1) deep = i % 2 === 0 ? { k: deep, n: null } : [1, deep];
    const text = jsonText(deep);
    expect(text.slice(0, 24)).toBe('[1,{"k":[1,{"k":[1,{"k":');
    expect(text).toContain('{"text":"a\\"\\u001b"}');
    expect(text.endsWith(',"n":null}]')).toBe(true);
  });
});

test.each([[0, '0 B'], [999, '999 B'], [1000, '1.0 kB'], [12_400, '12.4 kB'], [999_960, '1.0 MB'], [123_456_789, '123 MB'], [5e15, '5000 TB']])('%i bytes are %s', (bytes, words) => expect(sizeText(bytes)).toBe(words));
test.each([[85, '85 ms'], [3200, '3.2 s'], [59_960, '1m 00s'], [125_000, '2m 05s'], [3_720_000, '1h 02m']])('%i ms are %s', (ms, words) => expect(durationText(ms)).toBe(words));

test('a path below home is short', () => {
  expect([shortPath('/home/sam', '/home/sam'), shortPath('/home/sam/a', '/home/sam'), shortPath('/home/samuel', '/home/sam'), shortPath('/a', '/')]).toEqual(['~', '~/a', '/home/samuel', '/a']);
});

test('times are the person\'s own', () => {
  const times = createTimes(Date.parse('2026-03-07T12:00:00Z'), 'Asia/Tokyo');
  expect([times.short(Date.parse('2026-03-04T23:05:00Z')), times.short(Date.parse('2024-12-31T20:00:00Z')), times.minute(Date.parse('2026-03-04T23:05:00Z'))]).toEqual(['Mar  5 08:05', 'Jan  1  2025', '2026-03-05 08:05']);
});
