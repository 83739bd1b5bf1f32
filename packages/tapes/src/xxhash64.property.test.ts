import { Buffer } from 'node:buffer';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { XxHash64 } from './xxhash64.js';

const mask = (1n << 64n) - 1n;
const [P1, P2, P3, P4, P5]: readonly [bigint, bigint, bigint, bigint, bigint] = [0x9e3779b185ebca87n, 0xc2b2ae3d27d4eb4fn, 0x165667b19e3779f9n, 0x85ebca77c2b2ae63n, 0x27d4eb2f165667c5n];
const turn = (x: bigint, bits: bigint): bigint => ((x << bits) | (x >> (64n - bits))) & mask;
const round = (acc: bigint, input: bigint): bigint => (turn((acc + input * P2) & mask, 31n) * P1) & mask;

/** The algorithm as its description says it, in big integers. */
function byHand(bytes: Buffer): number {
  let at = 0;
  const lanes = [P1 + P2, P2, 0n, -P1].map((x) => x & mask);
  for (; at + 32 <= bytes.length; at += 32) for (let i = 0; i < 4; i++) lanes[i] = round(lanes[i]!, bytes.readBigUInt64LE(at + 8 * i));
  let hash: bigint = P5;
  if (bytes.length >= 32) {
    hash = [1n, 7n, 12n, 18n].reduce((sum, bits, i) => sum + turn(lanes[i]!, bits), 0n) & mask;
    for (const lane of lanes) hash = ((hash ^ round(0n, lane)) * P1 + P4) & mask;
  }
  hash = (hash + BigInt(bytes.length)) & mask;
  for (; at + 8 <= bytes.length; at += 8) hash = (turn(hash ^ round(0n, bytes.readBigUInt64LE(at)), 27n) * P1 + P4) & mask;
  if (at + 4 <= bytes.length) { hash = (turn(hash ^ ((BigInt(bytes.readUInt32LE(at)) * P1) & mask), 23n) * P2 + P3) & mask; at += 4; }
  for (; at < bytes.length; at++) hash = (turn(hash ^ ((BigInt(bytes[at]!) * P5) & mask), 11n) * P1) & mask;
  hash = ((hash ^ (hash >> 33n)) * P2) & mask;
  hash = ((hash ^ (hash >> 29n)) * P3) & mask;
  return Number((hash ^ (hash >> 32n)) & 0xffffffffn);
}

describe('XXH64', () => {
  it('[R-TAPE-5] is that of the description, in any pieces', () => {
    fc.assert(fc.property(fc.array(fc.uint8Array({ maxLength: 90 }), { maxLength: 6 }), (pieces) => {
      const hash = new XxHash64();
      for (const piece of pieces) hash.update(piece);
      expect(hash.low32()).toBe(byHand(Buffer.concat(pieces)));
    }));
  });

  it('[R-TAPE-5] of nothing is the published value', () => {
    expect(new XxHash64().low32()).toBe(0x51d8e999);
  });
});
