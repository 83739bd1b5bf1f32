import { Buffer } from 'node:buffer';
import type { JsonValue } from '@tapefold/facts';
import { type CorpusFile, checkCheckpoints, checkFacts, checkLinksAreAlive, checkPrefixes, codexRollouts, fileOf, linesOf, minimal, mutated, randomFrom } from '@tapefold/testing';
import { describe, expect, it } from 'vitest';
import { createCodexPlayer } from './player.js';

const isLong = process.env['TAPEFOLD_LONG'] === '1';
const seed = Number(process.env['TAPEFOLD_SEED'] ?? 20_260_101);
const make = (checkpoint?: JsonValue) => createCodexPlayer({ tape: 'codex/tape', namedThreadId: 'named', namedCreatedAt: '2026-01-01T00:00:00' }, checkpoint);

/** Every law over one file; `effort` bounds the prefixes tried. */
function checkAll(bytes: Uint8Array, effort: { everyByteBelow: number; cuts: number; seed: number }): void {
  const { facts } = checkFacts(make, bytes);
  checkLinksAreAlive(facts);
  checkCheckpoints(make, bytes, randomFrom(effort.seed));
  checkPrefixes(make, bytes, { everyByteBelow: effort.everyByteBelow, random: randomFrom(effort.seed + 1), count: effort.cuts });
}

/** The first file that breaks a law, as small as it gets. */
function failure(bytes: Uint8Array, effort: { everyByteBelow: number; cuts: number; seed: number }): string | undefined {
  try {
    checkAll(bytes, effort);
    return undefined;
  } catch (error) {
    const kind = (text: unknown): string => String(text).slice(0, 40);
    const same = (part: Uint8Array): boolean => {
      try { checkAll(part, effort); return false; } catch (other) { return kind(other) === kind(error); }
    };
    const least = bytes.length < 300_000 ? minimal(bytes, same) : Buffer.from(bytes);
    let words = String(error);
    try { checkAll(least, effort); } catch (last) { words = String(last); }
    return `${words}\n${least.toString('utf8').slice(0, 6_000)}`;
  }
}

const corpus = codexRollouts();

describe.skipIf(!corpus.length)('files of the real program (needs fixtures/codex or ../shared/corpus)', () => {
  const small = corpus.filter(({ bytes }) => bytes.length < 1_000_000);

  it('[R-TAPE-2] every law holds for every file', () => {
    const failures = corpus.flatMap(({ name, bytes }, i) => {
      const effort = { everyByteBelow: isLong ? 20_000 : 3_000, cuts: isLong ? 300 : 20, seed: seed + i };
      const found = failure(bytes, effort);
      return found === undefined ? [] : [`${name}: ${found}`];
    });
    expect(failures).toEqual([]);
  }, 600_000);

  it('[R-TAPE-2] every law holds for damaged copies', () => {
    const count = isLong ? 10_000 : 300;
    const sources = small.filter(({ bytes }) => bytes.length < 30_000);
    for (let n = 0; n < count; n++) {
      const random = randomFrom(seed + n);
      const source = random.pick<CorpusFile>(sources);
      const lines = linesOf(source.bytes).slice(0, 40);
      const part = Buffer.concat(lines.map((line) => line.bytes));
      const found = failure(mutated(part, random), { everyByteBelow: 1_500, cuts: 10, seed: n });
      expect(found, `mutant ${n} of ${source.name}, seed ${seed}`).toBeUndefined();
    }
  }, 600_000);
});

it('the mutator gives the same mutant for the same seed', () => {
  const bytes = fileOf([{ type: 'a' }, { type: 'b' }]);
  expect(mutated(bytes, randomFrom(7))).toEqual(mutated(bytes, randomFrom(7)));
});
