import { Buffer } from 'node:buffer';
import type { JsonValue } from '@tapefold/facts';
import { type CorpusFile, checkCheckpoints, checkFacts, checkLinksAreAlive, checkPrefixes, codexRollouts, fileOf, lineOf, linesOf, minimal, mutated, randomFrom } from '@tapefold/testing';
import { describe, expect, it } from 'vitest';
import { createCodexPlayer } from './player.js';

const isLong = process.env['TAPEFOLD_LONG'] === '1';
const seed = Number(process.env['TAPEFOLD_SEED'] ?? 20_260_101);
const make = (checkpoint?: JsonValue) => createCodexPlayer({ tape: 'codex/tape', namedThreadId: 'named', namedCreatedAt: '2026-01-01T00:00:00' }, checkpoint);

interface Effort { readonly everyByteBelow: number; readonly cuts: number; readonly seed: number }

function checkResuming(bytes: Uint8Array, { everyByteBelow, cuts, seed: own }: Effort): void {
  checkCheckpoints(make, bytes, randomFrom(own));
  checkPrefixes(make, bytes, { everyByteBelow, random: randomFrom(own + 1), count: cuts, sparse: !isLong });
}

function checkAll(bytes: Uint8Array, effort: Effort): void {
  checkLinksAreAlive(checkFacts(make, bytes).facts);
  checkResuming(bytes, effort);
}

/** The law that a file breaks, and the file made as small as it gets. */
function failure(bytes: Uint8Array, effort: Effort): string | undefined {
  const broken = (part: Uint8Array): string | undefined => {
    try { checkAll(part, effort); return undefined; } catch (error) { return String(error); }
  };
  const words = broken(bytes);
  if (words === undefined) return undefined;
  const least = bytes.length < 300_000 ? minimal(bytes, (part) => broken(part)?.slice(0, 40) === words.slice(0, 40)) : Buffer.from(bytes);
  return `${broken(least) ?? words}\n${least.toString('utf8').slice(0, 6_000)}`;
}

const corpus = codexRollouts().filter(({ name }, i) => !name.includes('19-many/') || i % 40 === 0);

describe.skipIf(!corpus.length)('files of the real program (needs fixtures/codex or ../shared/corpus)', () => {
  it('[R-TAPE-2] facts of every file are valid, dense, plain JSON and refer to earlier ones; the ledger adds up', () => {
    const failures = corpus.flatMap(({ name, bytes }) => {
      try { checkFacts(make, bytes); return []; } catch (error) { return [`${name}: ${String(error)}`]; }
    });
    expect(failures).toEqual([]);
  }, 600_000);

  it('every file can be played in pieces, and a prefix gives a prefix (every second small file; all in the long run)', () => {
    const some = corpus.filter(({ bytes }, i) => isLong || (i % 2 === 0 && bytes.length < 150_000));
    const failures = some.flatMap(({ name, bytes }, i) => {
      try { checkResuming(bytes, { everyByteBelow: isLong ? 20_000 : 4_000, cuts: isLong ? 300 : 20, seed: seed + i }); return []; } catch (error) { return [`${name}: ${String(error)}`]; }
    });
    expect(failures).toEqual([]);
  }, 600_000);

  it('[R-TAPE-2] every law holds for damaged copies', () => {
    const sources = corpus.filter(({ bytes }) => bytes.length < 60_000);
    for (let n = 0; n < (isLong ? 10_000 : 200); n++) {
      const random = randomFrom(seed + n);
      const source = random.pick<CorpusFile>(sources);
      const part = Buffer.concat(linesOf(source.bytes).slice(0, 40).map((line) => line.bytes));
      expect(failure(mutated(part, random), { everyByteBelow: 1_500, cuts: 10, seed: n }), `mutant ${n} of ${source.name}, TAPEFOLD_SEED=${seed}`).toBeUndefined();
    }
  }, 3_600_000);
});

it('the mutator gives the same mutant for the same seed', () => {
  const bytes = fileOf([{ type: 'a' }, { type: 'b' }]);
  expect(mutated(bytes, randomFrom(7))).toEqual(mutated(bytes, randomFrom(7)));
});

it('[R-TAPE-1] a line as long as the reader hands over (64 MiB in the long run) is played like a short one', () => {
  const text = 'x'.repeat(isLong ? 64 * 1024 * 1024 - 300 : 4 * 1024 * 1024);
  const bytes = Buffer.from(`{"timestamp":"2026-01-01T00:00:00Z","type":"event_msg","payload":{"type":"agent_message","message":"${text}"}}\n`);
  const { facts, account } = make().play(lineOf(bytes, 0));
  expect(account).toEqual({ verdict: 'played', type: 'event_msg/agent_message' });
  expect(facts.map(({ type }) => type)).toEqual(['turn.started', 'item.completed']);
  expect(JSON.stringify(facts).length).toBeLessThan(10_000);
}, 120_000);
