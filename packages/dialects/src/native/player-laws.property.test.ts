import { Buffer } from 'node:buffer';
import { type Fact, LARGE_TEXT_CHARS, encodeNativeFact, encodeNativeHeader, readLarge, stringAtPath } from '@tapefold/facts';
import { anyFact, checkCheckpoints, checkFacts, checkPrefixes, mutated, playAll, randomFrom } from '@tapefold/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createNativePlayer } from './player.js';

const isLong = process.env['TAPEFOLD_LONG'] === '1';
const tape = 'native/t';
const make = (checkpoint?: Parameters<typeof createNativePlayer>[1]) => createNativePlayer({ tape }, checkpoint);

/** A tape as a writer leaves it: references of its facts point anywhere. */
const tapes = fc.array(anyFact, { minLength: 1, maxLength: 12 }).map((facts) => facts.map((fact, ordinal): Fact => ({ ...fact, tape, ordinal })));
const linesOfTape = (facts: readonly Fact[]): string[] => [encodeNativeHeader({ tape }), ...facts.map(encodeNativeFact)];
const bytesOf = (lines: readonly string[]): Buffer => Buffer.from(lines.map((line) => `${line}\n`).join(''));
const bare = (facts: readonly Fact[]): unknown[] => facts.map((fact) => ({ ...fact, line: null }));

describe('[R-DIA-4] laws of the native player', () => {
  it('a tape gives the facts that were written, each from its line', () => fc.assert(fc.property(tapes, (facts) => {
    const played = checkFacts(make, bytesOf(linesOfTape(facts)), { references: 'asWritten' });
    expect(bare(played.facts)).toEqual(bare(facts));
    expect(played.ledger).toMatchObject({ linesPlayed: facts.length + 1, linesTotal: facts.length + 1, damage: [], tornTail: null });
  })));

  it('hold for prefixes at every byte and for checkpoints at every line', () => fc.assert(fc.property(tapes, fc.nat(), (facts, seed) => {
    const bytes = bytesOf(linesOfTape(facts));
    checkPrefixes(make, bytes, { everyByteBelow: 20_000, random: randomFrom(seed), count: 20 });
    checkCheckpoints(make, bytes, randomFrom(seed));
  }), { numRuns: isLong ? 500 : 10 }));

  it('hold for damaged tapes', () => fc.assert(fc.property(tapes, fc.nat(), (facts, seed) => {
    const bytes = mutated(bytesOf(linesOfTape(facts)), randomFrom(seed));
    checkFacts(make, bytes, { references: 'asWritten' });
    checkPrefixes(make, bytes, { everyByteBelow: 800, random: randomFrom(seed), count: 30 });
    checkCheckpoints(make, bytes, randomFrom(seed));
  }), { numRuns: isLong ? 5_000 : 40 }));

  it('[R-TAPE-2] damage to one line costs that line: every other fact keeps its ordinal and content', () => fc.assert(fc.property(tapes, fc.nat(), fc.constantFrom('{"ordinal":', '\u0000\u0000\u0000', 'x', '[1]', ''), (facts, n, noise) => {
    const hit = 1 + (n % facts.length);
    const replaced = linesOfTape(facts).map((line, i) => (i === hit ? noise : line));
    const rest = (played: readonly Fact[]): unknown[] => bare(played.filter(({ ordinal, type }) => ordinal !== hit - 1 && type !== 'record.damaged'));
    const kept = rest(playAll(make, bytesOf(replaced)).facts);
    expect(kept).toEqual(bare(facts.filter(({ ordinal, type }) => ordinal !== hit - 1 && type !== 'record.damaged')));
    const inserted = linesOfTape(facts).flatMap((line, i) => (i === hit ? [noise, line] : [line]));
    expect(bare(playAll(make, bytesOf(inserted)).facts)).toEqual(bare(facts));
  })));

  it('a fact that was written twice is there once', () => fc.assert(fc.property(tapes, fc.nat(), (facts, n) => {
    const again = linesOfTape(facts).flatMap((line, i) => (i === 1 + (n % facts.length) ? [line, line] : [line]));
    const played = playAll(make, bytesOf(again));
    expect(bare(played.facts)).toEqual(bare(facts));
    expect(played.ledger.linesIgnored).toBe(1);
  })));

  it('texts over 32 KiB are carried by reference and read back from the tape', () => fc.assert(fc.property(fc.integer({ min: LARGE_TEXT_CHARS + 1, max: 100_000 }), fc.constantFrom('x', '日', '😀'), (size, character) => {
    const text = character.repeat(Math.ceil(size / character.length));
    const lines = [encodeNativeHeader({ tape }), encodeNativeFact({ type: 'notice.posted', tape, ordinal: 0, line: { offset: 0, length: 0 }, level: 'info', code: 'c', text })];
    const [fact] = checkFacts(make, bytesOf(lines)).facts;
    const ref = fact?.large?.[0];
    expect(JSON.stringify(fact).length).toBeLessThan(10_000);
    expect(ref && readLarge(ref, ({ path }) => stringAtPath(JSON.parse(lines[1] ?? ''), path))).toBe(text);
  }), { numRuns: 20 }));
});
