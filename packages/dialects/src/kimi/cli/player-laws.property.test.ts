import { Buffer } from 'node:buffer';
import { type CorpusFile, checkCheckpoints, checkFacts, checkPrefixes, linesOf, minimal, mutated, randomFrom } from '@tapefold/testing';
import { describe, expect, it } from 'vitest';
import { everything, makePlayer, oldHistory, realFiles } from './cli.suite.js';

const isLong = process.env['TAPEFOLD_LONG'] === '1';
const seed = Number(process.env['TAPEFOLD_SEED'] ?? 20_260_101);

interface Effort { readonly everyByteBelow: number; readonly cuts: number; readonly seed: number; readonly checkpointsBelow: number }

/** Every law over one file. Checkpoints at each line cost the square of the lines, so long files are cut for that law. */
function checkAll({ bytes }: CorpusFile, effort: Effort): void {
  checkFacts(makePlayer, bytes);
  const part = Buffer.concat(linesOf(bytes).slice(0, effort.checkpointsBelow).map((line) => line.bytes));
  checkCheckpoints(makePlayer, part, randomFrom(effort.seed));
  checkPrefixes(makePlayer, part, { everyByteBelow: effort.everyByteBelow, random: randomFrom(effort.seed + 1), count: effort.cuts });
}

/** The first law that a file breaks, with the fewest lines that still break it. */
function failure(file: CorpusFile, effort: Effort): string | undefined {
  const broken = (bytes: Uint8Array): string | undefined => {
    try { checkAll({ ...file, bytes }, effort); return undefined; } catch (error) { return String(error); }
  };
  const words = broken(file.bytes);
  if (words === undefined) return undefined;
  const least = minimal(file.bytes, (bytes) => broken(bytes)?.slice(0, 40) === words.slice(0, 40));
  return `${file.name}: ${broken(least) ?? words}\n${least.toString('utf8').slice(0, 6_000)}`;
}

function failures(files: readonly CorpusFile[]): string[] {
  return files.flatMap((file, i) => failure(file, { everyByteBelow: isLong ? 20_000 : 1_000, cuts: isLong ? 200 : 8, seed: seed + i, checkpointsBelow: isLong ? 400 : 120 }) ?? []);
}

const own: CorpusFile[] = [{ name: 'everything', bytes: Buffer.from(everything()) }, { name: 'history', bytes: Buffer.from(oldHistory()) }];
const real = realFiles();

describe('[R-TAPE-2] [R-DIA-2] laws of the player of kimi-cli', () => {
  it('hold for a log with every record and for a history: facts have the schema, prefixes at every cut, checkpoints at every line, a ledger that adds up', () => {
    expect(failures(own)).toEqual([]);
  }, 600_000);

  it.skipIf(!real.length)('hold for files of other people (needs ../shared/corpus/real/kimi)', () => {
    expect(real.length).toBeGreaterThan(25);
    expect(failures(real)).toEqual([]);
  }, 600_000);

  it('hold for damaged copies', () => {
    const sources = [...own, ...own, ...real].filter(({ bytes }) => bytes.length < 200_000);
    for (let n = 0; n < (isLong ? 10_000 : 60); n++) {
      const random = randomFrom(seed + n);
      const source = random.pick<CorpusFile>(sources);
      const part = Buffer.concat(linesOf(source.bytes).slice(0, 120).map((line) => line.bytes));
      expect(failure({ name: source.name, bytes: mutated(part, random) }, { everyByteBelow: 400, cuts: 4, seed: n, checkpointsBelow: 60 }), `mutant ${n} of ${source.name}, seed ${seed}`).toBeUndefined();
    }
  }, 600_000);
});
