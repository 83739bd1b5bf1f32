import { type Fact, NATIVE_TAPE_VERSION, readLarge, stringAtPath } from '@tapefold/facts';
import { checkFacts, checkLinksAreAlive } from '@tapefold/testing';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { createNativePlayer } from './player.js';

const root = fileURLToPath(new URL('../../../../fixtures/native', import.meta.url));
const versions = readdirSync(root).filter((name) => /^v\d+$/.test(name));

describe('[R-DIA-4] native tapes of every version ever written', () => {
  it('there is one of each', () => expect(versions).toEqual(Array.from({ length: NATIVE_TAPE_VERSION }, (_, i) => `v${i + 1}`)));

  it.each(versions)('%s gives the facts that it always gave, references and all, and its ledger adds up', (version) => {
    const folder = join(root, version);
    const thread = readdirSync(folder).find((name) => name !== 'facts.jsonl') ?? '';
    const bytes = readFileSync(join(folder, thread, 'tape.jsonl'));
    const { facts, ledger } = checkFacts((checkpoint) => createNativePlayer({ tape: 'native/unnamed' }, checkpoint), bytes);
    expect(facts).toEqual(readFileSync(join(folder, 'facts.jsonl'), 'utf8').trim().split('\n').map((line) => JSON.parse(line) as Fact));
    expect(ledger).toMatchObject({ linesPlayed: ledger.linesTotal, linesDamaged: 0, tornTail: null });
    checkLinksAreAlive(facts);
    const refs = facts.flatMap(({ large = [] }) => large);
    expect(refs.length).toBeGreaterThan(0);
    for (const ref of refs) expect(readLarge(ref, ({ line, path }) => stringAtPath(JSON.parse(bytes.subarray(line.offset, line.offset + line.length).toString()), path))?.length).toBe(ref.sizeChars);
  });
});
