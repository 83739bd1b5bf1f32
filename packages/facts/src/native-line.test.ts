import { describe, expect, it } from 'vitest';
import { NATIVE_TAPE_VERSION, decodeNativeLine, encodeNativeFact, encodeNativeHeader } from './native-line.js';

const here = { tape: 'native/t', version: NATIVE_TAPE_VERSION, line: { offset: 5, length: 7 } };
const read = (text: string) => decodeNativeLine(text, here);

describe('the header of a native tape', () => {
  it('[R-DIA-4] says the version that it was written with', () => {
    expect(encodeNativeHeader({ tape: 'native/t', createdAt: '2026-01-01T00:00:00Z' })).toBe('{"tapefold":"tape","version":1,"tape":"native/t","createdAt":"2026-01-01T00:00:00Z"}');
    expect(read(encodeNativeHeader({ tape: 'native/t' }))).toEqual({ header: { tapefold: 'tape', version: 1, tape: 'native/t' } });
  });
  it('of a newer version says what to do', () => {
    expect(read('{"tapefold":"tape","version":9,"tape":"t"}')).toEqual({ error: { code: 'newerVersion', message: 'the tape is of version 9, this reader knows up to 1: update Tapefold' } });
  });
  it.each(['{"tapefold":"tape"}', '{"tapefold":"x","version":1,"tape":"t"}', '{"tapefold":"tape","version":0,"tape":"t"}', '{"tapefold":"tape","version":1.5,"tape":"t"}', '{"tapefold":"tape","version":1,"tape":""}'])('%s is none', (text) => {
    expect(read(text)).toEqual({ error: { code: 'notAFact', message: 'the header of the tape has a field missing' } });
  });
});

describe('a fact as a line', () => {
  const fact = { type: 'turn.started' as const, tape: 'native/t', ordinal: 3, line: { offset: 5, length: 7 }, id: 'T', isImplicit: false, replacesOlder: false };

  it('leaves out what the tape and the place say', () => expect(encodeNativeFact(fact)).toBe('{"ordinal":3,"type":"turn.started","id":"T","isImplicit":false,"replacesOlder":false}'));
  it('takes tape and place from where it lies, whatever the line says of them', () => {
    expect(read('{"type":"turn.started","ordinal":3,"id":"T","isImplicit":false,"replacesOlder":false,"tape":"other","line":7}')).toEqual({ fact });
  });
  it('drops fields that a later version may add', () => expect(read('{"type":"turn.started","ordinal":3,"id":"T","isImplicit":false,"replacesOlder":false,"tomorrow":1}')).toEqual({ fact }));
  it.each([
    ['not json', 'invalidJson', 'the line is not JSON'], ['[1]', 'notAFact', 'the line is not an object'], ['null', 'notAFact', 'the line is not an object'],
    ['{"type":"tomorrow"}', 'notAFact', expect.stringMatching(/^type: /) as string], ['{}', 'notAFact', expect.stringMatching(/^type: /) as string],
    ['{"type":"turn.started","ordinal":-1,"id":"T","isImplicit":false,"replacesOlder":false}', 'notAFact', expect.stringMatching(/^ordinal: /) as string],
    ['{"type":"turn.changed","ordinal":1,"turn":"no key"}', 'notAFact', expect.stringMatching(/^turn: /) as string],
  ])('%s: an error that names the field', (text, code, message) => expect(read(text)).toEqual({ error: { code, message } }));
  it.each([[2, 'newerVersion', 'the tape is of version 2, this reader knows up to 1: update Tapefold'], [0, 'notAFact', 'the tape has no version 0'], [-1, 'notAFact', 'the tape has no version -1'], [0.5, 'notAFact', 'the tape has no version 0.5']])('of version %d, which this reader does not have, is an error and not a guess', (version, code, message) => {
    expect(decodeNativeLine(encodeNativeFact(fact), { ...here, version })).toEqual({ error: { code, message } });
  });
});
