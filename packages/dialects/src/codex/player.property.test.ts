import type { JsonValue } from '@tapefold/facts';
import { checkCheckpoints, checkFacts, checkLinksAreAlive, checkPrefixes, codexFiles, randomFrom } from '@tapefold/testing';
import fc from 'fast-check';
import { describe, it } from 'vitest';
import { createCodexPlayer } from './player.js';

const make = (checkpoint?: JsonValue) => createCodexPlayer({ tape: 'codex/tape' }, checkpoint);
const holds = (law: (bytes: Uint8Array) => void): void => fc.assert(fc.property(codexFiles, law));

describe('laws of the player over generated sessions', () => {
  it('[R-TAPE-2] nothing throws; facts are valid, dense and plain JSON; references point back; the ledger adds up', () => holds((bytes) => {
    checkLinksAreAlive(checkFacts(make, bytes).facts);
  }));

  it('[R-TAPE-2] the facts of a prefix of the bytes are a prefix of the facts, at every byte', () => holds((bytes) => {
    checkPrefixes(make, bytes, { everyByteBelow: 1_000_000, random: randomFrom(1), count: 0, sparse: true });
  }));

  it('going on from a checkpoint, in any pieces, gives the same facts', () => fc.assert(fc.property(codexFiles, fc.nat(), (bytes, seed) => {
    checkCheckpoints(make, bytes, randomFrom(seed));
  })));
});
