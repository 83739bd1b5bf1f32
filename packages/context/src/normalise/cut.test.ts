import fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { estimateTextTokens, utf8Bytes } from '../estimate.js';
import { isItems } from '../recorded.suite.js';
import { cutMiddle, cutOutput, cutParts } from './cut.js';

const recordings = fileURLToPath(new URL('../../../../fixtures/codex/recorded/', import.meta.url));

/** Outputs of commands in a recorded request. */
function outputsOf(scenario: string): string[] {
  const items: unknown = JSON.parse(readFileSync(`${recordings}${scenario}/last-request-input.json`, 'utf8'));
  return isItems(items) ? items.flatMap(({ output }) => (typeof output === 'string' ? output : [])) : [];
}

const recordedCut = (scenario: string): string => outputsOf(scenario).find((output) => output.includes('tokens truncated')) ?? '';
const lines = (count: number, words: string): string => Array.from({ length: count }, (_, i) => `line ${i + 1} ${words}\n`).join('');

describe('[R-CTX-4] outputs are cut in the middle', () => {
  it.each([
    ['0.98.0/exec-basic', 3_000, 'long'], ['0.145.0/exec-basic', 3_000, 'long'], ['0.152.0/exec-basic', 3_000, 'long'], ['0.160.0/exec-basic', 3_000, 'long'], ['0.171/shell', 12_000, 'of a long output'],
  ])('as Codex cut it to 10,000 tokens in %s', (scenario, count, words) => {
    const recorded = recordedCut(scenario);
    const whole = lines(count, words);
    const cut = recorded.includes('Warning: truncated') ? cutOutput(whole, { unit: 'tokens', limit: 10_000 }) : `Total output lines: ${count}\n\n${cutMiddle(whole, { unit: 'tokens', limit: 10_000 })}`;
    expect(recorded.slice(recorded.indexOf('Output:\n') + 'Output:\n'.length)).toBe(cut);
  });

  it('says how many tokens or characters went, between whole characters', () => {
    expect(cutMiddle('abcdefghij', { unit: 'bytes', limit: 4 })).toBe('ab…6 chars truncated…ij');
    expect(cutMiddle('日本語日本語', { unit: 'bytes', limit: 7 })).toBe('日…4 chars truncated…語');
    expect(cutMiddle('😀😀😀', { unit: 'bytes', limit: 8 })).toBe('😀…1 chars truncated…😀');
    expect(cutMiddle('abc', { unit: 'tokens', limit: 1 })).toBe('abc');
  });

  it('gives a text that fits unchanged, and one that does not both its ends', () => {
    fc.assert(fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), fc.nat({ max: 80 }), fc.constantFrom('bytes' as const, 'tokens' as const), (text, limit, unit) => {
      const cut = cutMiddle(text, { unit, limit });
      const budget = limit * (unit === 'tokens' ? 4 : 1);
      if (utf8Bytes(text) <= budget) {
        expect(cut).toBe(text);
        return;
      }
      const [head = '', tail = ''] = cut.split(/…\d+ (?:chars|tokens) truncated…/);
      expect(text.startsWith(head) && text.endsWith(tail)).toBe(true);
      expect(utf8Bytes(head) + utf8Bytes(tail)).toBeLessThanOrEqual(budget);
    }));
  });

  it('goes over a list of parts: whole ones, then one cut, then a word of how many are left out', () => {
    const text = (words: string) => ({ kind: 'text' as const, text: words });
    const picture = { kind: 'image' as const, source: { url: 'data:x' } };
    expect(cutParts([text('aaaa'), picture, text('bbbbbbbb'), text('c'), text('d')], { unit: 'bytes', limit: 8 })).toEqual([text('aaaa'), picture, text('bb…4 chars truncated…bb'), text('[omitted 2 text items ...]')]);
    const fits = [text('a'), text('b')];
    expect(cutParts(fits, { unit: 'bytes', limit: 8 })).toBe(fits);
  });
});

describe('[R-CTX-4] estimates', () => {
  it('counts UTF-8 as its encoder does', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => { expect(utf8Bytes(text)).toBe(new TextEncoder().encode(text).length); }));
  });
  it('takes four bytes for a token, rounded up, as Codex counted its own outputs', () => {
    const recorded = recordedCut('0.171/shell');
    expect(estimateTextTokens(lines(12_000, 'of a long output'))).toBe(Number(/Original token count: (\d+)/.exec(recorded)?.[1]));
    expect([estimateTextTokens(''), estimateTextTokens('a'), estimateTextTokens('abcde')]).toEqual([0, 1, 2]);
  });
});
