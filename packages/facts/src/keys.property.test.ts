import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { factKey, factKeySchema, parseFactKey } from './keys.js';

describe('a key', () => {
  it('is taken apart into what it was made of, whatever the tape is called', () => fc.assert(fc.property(fc.string({ minLength: 1, unit: 'binary' }), fc.nat({ max: Number.MAX_SAFE_INTEGER }), (tape, ordinal) => {
    expect(parseFactKey(factKey(tape, ordinal))).toEqual({ tape, ordinal });
  })));
  it('has the schema', () => fc.assert(fc.property(fc.string({ minLength: 1, unit: 'binary' }), fc.nat(), (tape, ordinal) => { expect(factKeySchema.safeParse(factKey(tape, ordinal)).success).toBe(true); })));
  it.each(['', '#', '#1', 'tape', 'tape#', 'tape#x', 'tape#-1', 'tape#1.5', 'tape#1e3', 'tape# 1', 'tape#0x1', 'tape#9007199254740993', 'tape#Infinity', 'tape#+1', 'tape#01', 'tape#-0'])('%j is none', (text) => expect(parseFactKey(text)).toBeUndefined());
  it('of a tape with marks in its name ends at the last one', () => expect(parseFactKey('a#1#2')).toEqual({ tape: 'a#1', ordinal: 2 }));
});
