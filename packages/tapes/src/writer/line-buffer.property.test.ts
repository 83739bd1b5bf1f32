import { type Fact, type FactDraft, encodeNativeDraft } from '@tapefold/facts';
import { anyFact } from '@tapefold/testing';
import { Buffer } from 'node:buffer';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LineBuffer } from './line-buffer.js';

const draftOf = ({ tape: _tape, line: _line, ordinal: _ordinal, ...draft }: Fact): FactDraft => draft as FactDraft;
const text = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary', minLength: 1, maxLength: 3 }).map((some) => some.repeat(30_000)));
const drafts = fc.oneof(anyFact.map(draftOf), text.map((code): FactDraft => ({ type: 'notice.posted', level: 'info', code, text: '' })));
/** Ordinals as writers count them, at the places where numbers get longer too; now and then one comes again, or none before it did. */
const ordinals = fc.oneof(fc.nat(2_000), fc.constantFrom(0, 8, 98, 9_997, 99_998, 2 ** 40)).chain((from) => fc.array(fc.constantFrom(1, 1, 1, 1, 0, 5, -1), { maxLength: 30 }).map((steps) => steps.reduce((all, step) => [...all, Math.max(0, (all.at(-1) ?? 0) + step)], [from])));

describe('a buffer of lines', () => {
  it('[R-TAPE-7] holds the bytes of the lines that facts are encoded as, whatever they say and whichever ordinals they get', () => fc.assert(fc.property(ordinals, fc.array(drafts, { minLength: 1, maxLength: 5 }), fc.boolean(), (counted, some, isFromStart) => {
    const lines = new LineBuffer({ path: 'tape', maxLineBytes: 64 * 1024 * 1024 });
    let [at, expected] = [0, ''];
    for (const [n, ordinal] of counted.entries()) {
      const draft = some[n % some.length] as FactDraft;
      if (isFromStart) [at, expected] = [0, ''];
      at += lines.put(draft, ordinal, at);
      expected += `${encodeNativeDraft(draft, ordinal)}\n`;
    }
    expect(lines.bytes.subarray(0, at).equals(Buffer.from(expected))).toBe(true);
  }), { numRuns: 60 }));

  it('[R-TAPE-7] takes a line of exactly the bytes that it may have, and refuses one more; what is there stays', () => fc.assert(fc.property(text, (code) => {
    const draft: FactDraft = { type: 'notice.posted', level: 'info', code, text: '' };
    const line = Buffer.from(`${encodeNativeDraft(draft, 9)}\n`);
    expect(new LineBuffer({ path: 'tape', maxLineBytes: line.length }).put(draft, 9, 0)).toBe(line.length);
    const lines = new LineBuffer({ path: 'tape', maxLineBytes: line.length - 1 });
    const before = lines.put({ type: 'turn.ended', status: 'completed' } as FactDraft, 9, 0);
    const kept = Buffer.from(lines.bytes.subarray(0, before));
    expect(() => lines.put(draft, 10, before)).toThrow(expect.objectContaining({ code: 'tooLarge' }) as Error);
    expect(lines.bytes.subarray(0, before).equals(kept)).toBe(true);
  }), { numRuns: 40 }));
});
