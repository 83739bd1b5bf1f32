import { Buffer } from 'node:buffer';
import { type CorpusFile, checkCheckpoints, checkFacts, checkPrefixes, linesOf, minimal, mutated, randomFrom } from '@tapefold/testing';
import { describe, expect, it } from 'vitest';
import { fixturesFolder, kimiLogs, makePlayer, realFolder } from '../corpus.suite.js';

const isLong = process.env['TAPEFOLD_LONG'] === '1';
const seed = Number(process.env['TAPEFOLD_SEED'] ?? 20_260_731);

interface Effort { readonly everyByteBelow: number; readonly cuts: number; readonly seed: number; readonly checkpointsBelow: number }

/** Every law over one file. Checkpoints at each line cost the square of the lines, so long files are cut for that law. */
function checkAll({ name, bytes }: CorpusFile, effort: Effort): void {
  const make = makePlayer(name);
  checkFacts(make, bytes);
  const part = Buffer.concat(linesOf(bytes).slice(0, effort.checkpointsBelow).map((line) => line.bytes));
  checkCheckpoints(make, part, randomFrom(effort.seed));
  checkPrefixes(make, part, { everyByteBelow: effort.everyByteBelow, random: randomFrom(effort.seed + 1), count: effort.cuts });
}

/** The first law that a file breaks, with the fewest lines that still break it. */
function failure(file: CorpusFile, effort: Effort): string | undefined {
  try {
    checkAll(file, effort);
    return undefined;
  } catch (error) {
    const kind = (text: unknown): string => String(text).slice(0, 40);
    const isSame = (bytes: Uint8Array): boolean => {
      try { checkAll({ ...file, bytes }, effort); return false; } catch (other) { return kind(other) === kind(error); }
    };
    const least = file.bytes.length < 200_000 ? minimal(file.bytes, isSame) : Buffer.from(file.bytes);
    let words = String(error);
    try { checkAll({ ...file, bytes: least }, effort); } catch (last) { words = String(last); }
    return `${file.name}: ${words}\n${least.toString('utf8').slice(0, 6_000)}`;
  }
}

function failures(files: readonly CorpusFile[]): string[] {
  return files.flatMap((file, i) => failure(file, { everyByteBelow: isLong ? 20_000 : 1_000, cuts: isLong ? 200 : 8, seed: seed + i, checkpointsBelow: isLong ? 400 : 50 }) ?? []);
}

const fixtures = kimiLogs(fixturesFolder, 'code');
const real = kimiLogs(realFolder, 'code');

describe('[R-TAPE-2] [R-DIA-2] laws of the player', () => {
  it('hold for our own files: facts have the schema, prefixes at every cut, checkpoints at every line, a ledger that adds up', () => {
    expect(fixtures.length).toBeGreaterThan(60);
    expect(failures(fixtures)).toEqual([]);
  }, 600_000);

  it.skipIf(!real.length)('hold for files of other people (needs ../shared/corpus/real/kimi)', () => {
    expect(failures(real)).toEqual([]);
  }, 600_000);

  it('hold for damaged copies', () => {
    const sources = [...fixtures, ...real].filter(({ bytes }) => bytes.length < 200_000);
    const count = isLong ? 10_000 : 100;
    for (let n = 0; n < count; n++) {
      const random = randomFrom(seed + n);
      const source = random.pick<CorpusFile>(sources);
      const part = Buffer.concat(linesOf(source.bytes).slice(0, 40).map((line) => line.bytes));
      const found = failure({ name: source.name, bytes: mutated(part, random) }, { everyByteBelow: 800, cuts: 8, seed: n, checkpointsBelow: 40 });
      expect(found, `mutant ${n} of ${source.name}, seed ${seed}`).toBeUndefined();
    }
  }, 600_000);
});
