import { anyFact, factOf, factTypes } from '@tapefold/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { factSchema } from './fact.js';
import { NATIVE_TAPE_VERSION, decodeNativeLine, encodeNativeFact } from './native-line.js';

const at = (fact: { tape: string; line: { offset: number; length: number } }) => ({ tape: fact.tape, version: NATIVE_TAPE_VERSION, line: fact.line });
const here = { tape: 'native/t', version: NATIVE_TAPE_VERSION, line: { offset: 5, length: 7 } };

describe('a native line', () => {
  it('has a fact type for each arbitrary', () => expect(new Set(factTypes).size).toBe(factTypes.length));

  it.each(factTypes)('[R-DIA-4] gives back the fact that it was made of: %s', (type) => fc.assert(fc.property(factOf(type), (fact) => {
    expect(factSchema.safeParse(fact).error).toBeUndefined();
    const line = encodeNativeFact(fact);
    expect(line).not.toMatch(/[\n\r]/);
    expect(decodeNativeLine(line, at(fact))).toEqual({ fact });
  }), { numRuns: 40 }));

  it('never throws and never takes what is no fact for one', () => fc.assert(fc.property(fc.oneof(fc.string(), fc.json(), anyFact.map((fact) => encodeNativeFact(fact).slice(0, -1))), (text) => {
    const read = decodeNativeLine(text, here);
    if ('fact' in read) expect(factSchema.safeParse(read.fact).success).toBe(true);
    else expect('error' in read || 'header' in read).toBe(true);
  })));

  it('without one field, or with a field of a wrong type, names the field', () => fc.assert(fc.property(anyFact, fc.nat(), (fact, n) => {
    const raw = JSON.parse(encodeNativeFact(fact)) as Record<string, unknown>;
    const field = Object.keys(raw)[n % Object.keys(raw).length] ?? 'type';
    const read = decodeNativeLine(JSON.stringify({ ...raw, [field]: { wrong: [field] } }), here);
    if ('error' in read) expect(read.error).toMatchObject({ code: 'notAFact', message: expect.stringMatching(/^[\w.]+: /) as string });
  })));
});
