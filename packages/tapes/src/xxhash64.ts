/** Two halves of a 64-bit number, as signed 32-bit integers. */
type Wide = readonly [low: number, high: number];

const P1: Wide = [0x85ebca87 | 0, 0x9e3779b1 | 0];
const P2: Wide = [0x27d4eb4f | 0, 0xc2b2ae3d | 0];
const P3: Wide = [0x9e3779f9 | 0, 0x165667b1 | 0];
const P4: Wide = [0xc2b2ae63 | 0, 0x85ebca77 | 0];
const P5: Wide = [0x165667c5 | 0, 0x27d4eb2f | 0];
const STRIPE_BYTES = 32;
const LANES = 4;

/** High half of the unsigned product of two 32-bit numbers. */
function highOfProduct(a: number, b: number): number {
  const a0 = a & 0xffff;
  const a1 = a >>> 16;
  const b0 = b & 0xffff;
  const b1 = b >>> 16;
  const u = (Math.imul(a1, b0) >>> 0) + (Math.imul(a0, b0) >>> 16);
  const v = (Math.imul(a0, b1) >>> 0) + (u & 0xffff);
  return (Math.imul(a1, b1) + (u >>> 16) + (v >>> 16)) | 0;
}

function add([aLow, aHigh]: Wide, [bLow, bHigh]: Wide): Wide {
  const low = (aLow + bLow) | 0;
  return [low, (aHigh + bHigh + Number(low >>> 0 < aLow >>> 0)) | 0];
}

function multiply([aLow, aHigh]: Wide, [bLow, bHigh]: Wide): Wide {
  return [Math.imul(aLow, bLow), (highOfProduct(aLow, bLow) + Math.imul(aLow, bHigh) + Math.imul(aHigh, bLow)) | 0];
}

/** `bits` from 1 to 31. */
function rotate([low, high]: Wide, bits: number): Wide {
  return [(low << bits) | (high >>> (32 - bits)), (high << bits) | (low >>> (32 - bits))];
}

const xor = ([aLow, aHigh]: Wide, [bLow, bHigh]: Wide): Wide => [aLow ^ bLow, aHigh ^ bHigh];
const mixed = (value: Wide): Wide => multiply(rotate(multiply(value, P2), 31), P1);

/** `value ^ (value >> bits)` for `bits` up to 63. */
function shiftXor([low, high]: Wide, bits: number): Wide {
  return bits >= 32 ? [low ^ (high >>> (bits - 32)), high] : [low ^ ((low >>> bits) | (high << (32 - bits))), high ^ (high >>> bits)];
}

/**
 * XXH64 with seed 0, fed in pieces: zstd ends a frame with its low 32 bits (RFC 8878 §3.1.1). In halves of 32 bits, since BigInt is
 * twenty times slower here.
 */
export class XxHash64 {
  private readonly low = new Int32Array([P1[0] + P2[0], P2[0], 0, -P1[0]]);
  private readonly high = new Int32Array([add(P1, P2)[1], P2[1], 0, ~P1[1]]);
  private readonly pending = new Uint8Array(STRIPE_BYTES);
  private pendingBytes = 0;
  private totalBytes = 0;

  /** Takes the next bytes; they may be changed afterwards. */
  update(bytes: Uint8Array): void {
    this.totalBytes += bytes.length;
    let at = 0;
    if (this.pendingBytes > 0) {
      at = Math.min(STRIPE_BYTES - this.pendingBytes, bytes.length);
      this.pending.set(bytes.subarray(0, at), this.pendingBytes);
      this.pendingBytes += at;
      if (this.pendingBytes < STRIPE_BYTES) return;
      this.stripes(this.pending);
    }
    const rest = (bytes.length - at) % STRIPE_BYTES;
    this.stripes(bytes.subarray(at, bytes.length - rest));
    this.pending.set(bytes.subarray(bytes.length - rest));
    this.pendingBytes = rest;
  }

  /** Low 32 bits of the hash of everything so far, unsigned. */
  low32(): number {
    let hash = add(this.merged(), [this.totalBytes | 0, Math.floor(this.totalBytes / 2 ** 32)]);
    const tail = new DataView(this.pending.buffer, 0, this.pendingBytes);
    let at = 0;
    for (; at + 8 <= tail.byteLength; at += 8) {
      hash = add(multiply(rotate(xor(hash, mixed([tail.getInt32(at, true), tail.getInt32(at + 4, true)])), 27), P1), P4);
    }
    if (at + 4 <= tail.byteLength) {
      hash = add(multiply(rotate(xor(hash, multiply([tail.getInt32(at, true), 0], P1)), 23), P2), P3);
      at += 4;
    }
    for (; at < tail.byteLength; at++) hash = multiply(rotate(xor(hash, multiply([tail.getUint8(at), 0], P5)), 11), P1);
    hash = multiply(shiftXor(hash, 33), P2);
    hash = multiply(shiftXor(hash, 29), P3);
    return shiftXor(hash, 32)[0] >>> 0;
  }

  private lane(index: number): Wide {
    return [this.low[index] ?? 0, this.high[index] ?? 0];
  }

  private merged(): Wide {
    if (this.totalBytes < STRIPE_BYTES) return P5;
    let hash = add(add(rotate(this.lane(0), 1), rotate(this.lane(1), 7)), add(rotate(this.lane(2), 12), rotate(this.lane(3), 18)));
    for (let i = 0; i < LANES; i++) hash = add(multiply(xor(hash, mixed(this.lane(i))), P1), P4);
    return hash;
  }

  /** The hot loop: whole stripes, without an allocation. */
  private stripes(bytes: Uint8Array): void {
    const { low, high } = this;
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    for (let at = 0; at < bytes.length; at += 8) {
      const lane = (at >> 3) & 3;
      const inLow = view.getInt32(at, true);
      const inHigh = view.getInt32(at + 4, true);
      const oldLow = low[lane] ?? 0;
      const sumLow = (oldLow + Math.imul(inLow, P2[0])) | 0;
      const carry = sumLow >>> 0 < oldLow >>> 0 ? 1 : 0;
      const sumHigh = ((high[lane] ?? 0) + highOfProduct(inLow, P2[0]) + Math.imul(inLow, P2[1]) + Math.imul(inHigh, P2[0]) + carry) | 0;
      const turnedLow = (sumLow << 31) | (sumHigh >>> 1);
      const turnedHigh = (sumHigh << 31) | (sumLow >>> 1);
      low[lane] = Math.imul(turnedLow, P1[0]);
      high[lane] = highOfProduct(turnedLow, P1[0]) + Math.imul(turnedLow, P1[1]) + Math.imul(turnedHigh, P1[0]);
    }
  }
}
