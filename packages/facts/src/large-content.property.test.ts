import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Fact } from './fact.js';
import { factSchema } from './fact.js';
import { LARGE_TEXT_CHARS, type PieceReader, carryLarge, contentDigest, growLarge, readLarge, restoreLarge, stringAtPath, valueAtPath } from './large-content.js';

const tape = 't';
const line = { offset: 0, length: 100_000 };
const readerOf = (value: unknown): PieceReader => ({ path }) => stringAtPath(value, path);
const toolCall = (args: unknown, output: string): Fact => ({
  type: 'item.completed', tape, ordinal: 0, line, id: 'i', visibility: 'shown', isAdded: false, body: { kind: 'toolCall', tool: 't', arguments: args as null, status: 'completed', output: [{ kind: 'text', text: output }] },
});
/** Texts of three sizes, some alike, some inside one another. */
const text = fc.tuple(fc.constantFrom('a', 'b', '日', '😀'), fc.constantFrom(3, LARGE_TEXT_CHARS, LARGE_TEXT_CHARS + 1, 50_000)).map(([unit, size]) => unit.repeat(size).slice(0, size));
const json = fc.dictionary(fc.constantFrom('a', '__proto__', 'constructor', '0'), fc.oneof(text, fc.array(text, { maxLength: 2 }), text.map((inner) => JSON.stringify({ inner })), fc.constant(null)), { maxKeys: 3, noNullPrototype: true });

describe('large texts of a fact', () => {
  it('[R-TAPE-8] come back exactly, in pieces of the record or verbatim; the fact keeps its schema', () => fc.assert(fc.property(json, fc.array(text, { minLength: 1, maxLength: 3 }), (args, texts) => {
    const value = { payload: { args, texts, inner: JSON.stringify({ args }) } };
    const fact = toolCall(args, texts.join(' | '));
    const carried = carryLarge(fact, { tape, line, record: 0, value });
    expect(factSchema.safeParse(carried).success).toBe(true);
    expect(JSON.parse(JSON.stringify(carried))).toEqual(carried);
    expect(restoreLarge(carried, { refs: carried.large ?? [], read: readerOf(value) })).toEqual({ ...fact, ...(carried.large ? { large: carried.large } : {}) });
    for (const ref of carried.large ?? []) expect(readLarge(ref, readerOf(value))?.length).toBe(ref.sizeChars);
  }), { numRuns: 30 }));

  it('are carried wherever the record has them: whole, in a row with others, as a part, inside a string of JSON', () => {
    const large = Array.from({ length: 20_000 }, (_, i) => `${i} `).join('');
    const small = (body: Fact): number => JSON.stringify(carryLarge(body, { tape, line, record: 0, value: { text: large, list: [large.toUpperCase()], json: JSON.stringify({ deep: [`<${large}>`] }) } })).length;
    for (const words of [large, `head ${large} tail`, large.slice(7), large.slice(0, -7), `<${large}>`, `${large}${large}`]) expect(small(toolCall(null, words))).toBeLessThan(20_000);
    expect(small(toolCall(null, `new ${'x'.repeat(90_000)}`))).toBeGreaterThan(90_000);
  });

  it('a stand-in shows both ends and how much is between, and cuts no character in two', () => {
    const large = `${'x'.repeat(4_095)}😀${'y'.repeat(50_000)}😀${'z'.repeat(2_047)}`;
    const carried = carryLarge(toolCall(null, large), { tape, line, record: 0, value: { large } });
    expect(valueAtPath(carried, ['body', 'output', 0, 'text'])).toBe(`${'x'.repeat(4_095)}\n… 50004 characters …\n${'z'.repeat(2_047)}`);
  });

  it('what stood there before is no longer said to be there', () => {
    const large = 'a'.repeat(40_000);
    const old = { at: ['body', 'output', 0, 'text'], pieces: [{ text: 'old' }], sizeChars: 3, digest: contentDigest('old') };
    const kept = { at: ['body', 'arguments'], pieces: [{ text: 'args' }], sizeChars: 4, digest: contentDigest('args') };
    const carried = carryLarge({ ...toolCall('stand-in', large), large: [old, kept] }, { tape, line, record: 0, value: { large } });
    expect(carried.large?.map(({ at, sizeChars }) => [at.join('.'), sizeChars])).toEqual([['body.arguments', 4], ['body.output.0.text', 40_000]]);
  });

  it('grow, and are still read back as one', () => fc.assert(fc.property(fc.array(fc.string({ unit: 'binary' }), { maxLength: 5 }), (parts) => {
    const large = 'a'.repeat(40_000);
    const carried = carryLarge(toolCall(null, large), { tape, line, record: 0, value: { large } });
    let ref = carried.large?.[0];
    let shown = 'a'.repeat(4_096);
    for (const part of parts) if (ref) ({ text: shown, ref } = growLarge(shown, ref, part));
    expect(ref && readLarge(ref, readerOf({ large }))).toBe(`${large}${parts.join('')}`);
  })));

  it('a part of a fact is restored by its prefix', () => {
    const large = 'a'.repeat(40_000);
    const carried = carryLarge(toolCall({ x: large }, 'small'), { tape, line, record: 0, value: { large } }) as Extract<Fact, { type: 'item.completed' }>;
    expect(restoreLarge(carried.body, { refs: carried.large ?? [], read: readerOf({ large }), prefix: ['body'] })).toMatchObject({ arguments: { x: large } });
    expect(restoreLarge(carried.visibility, { refs: carried.large ?? [], read: readerOf({ large }), prefix: ['visibility'] })).toBe('shown');
  });

  it('references that lead nowhere, of a hostile tape, change nothing and reach no prototype', () => {
    const fact = toolCall({ a: 1 }, 'small');
    const ref = (at: (string | number)[]) => ({ at, pieces: [{ text: 'x' }], sizeChars: 1, digest: contentDigest('x') });
    for (const at of [['__proto__', 'polluted'], ['constructor', 'name'], ['body', 'arguments', 'b'], ['id', 'length'], ['nothing'], ['body', 'output', 7, 'text']]) {
      expect(restoreLarge(fact, { refs: [ref(at)], read: () => undefined })).toEqual(fact);
    }
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
    expect(restoreLarge('whole', { refs: [ref([])], read: () => undefined })).toBe('x');
  });
});

describe('digests', () => {
  it('go on from one another', () => fc.assert(fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (a, b) => { expect(contentDigest(b, contentDigest(a))).toBe(contentDigest(a + b)); })));
  it('tell texts apart', () => fc.assert(fc.property(fc.uniqueArray(fc.string(), { minLength: 2, maxLength: 20 }), (texts) => { expect(new Set(texts.map((each) => contentDigest(each))).size).toBe(texts.length); })));
  it('are the same for ever', () => expect([contentDigest(''), contentDigest('a'), contentDigest('日本 😀')]).toEqual(['fnv2:811c9dc501000193', 'fnv2:e40c292cefafc426', 'fnv2:b0a65bd94d84bf3b']));
});

describe('the value at a path', () => {
  const record = { a: [{ b: '{"c":["x"]}' }], s: 'text' };
  it.each<[Parameters<typeof valueAtPath>[1], unknown]>([
    [[], record], [['a', 0, 'b'], '{"c":["x"]}'], [['a', 0, 'b', { json: true }, 'c', 0], 'x'], [['a', 0, 'b', { json: true }], { c: ['x'] }], [['s', { json: true }], undefined], [['a', 'length'], 1], [['s', 0], undefined], [['__proto__'], undefined],
    [['a', { json: true }], undefined], [['nothing', 'further'], undefined],
  ])('%j', (path, value) => expect(valueAtPath(record, path)).toEqual(value));
});
