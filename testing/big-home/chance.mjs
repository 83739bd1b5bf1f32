// @ts-check

/** Seeded numbers (xorshift32 behind a mix of the seed): the same seed gives the same home on every machine. */
export class Chance {
  #state;

  /** @param {number} seed */
  constructor(seed) {
    let mixed = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b);
    mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
    this.#state = (mixed ^ (mixed >>> 16)) | 1;
  }

  #bits() {
    let bits = this.#state;
    bits ^= bits << 13;
    bits ^= bits >>> 17;
    bits ^= bits << 5;
    this.#state = bits;
    return bits >>> 0;
  }

  /** A number from 0 to before 1. */
  next() {
    return this.#bits() / 4_294_967_296;
  }

  /** A whole number from 0 to before `end`. @param {number} end */
  below(end) {
    return Math.floor(this.next() * end);
  }

  /** @param {number} share */
  is(share) {
    return this.next() < share;
  }

  /** @template T @param {readonly T[]} list @returns {T} */
  pick(list) {
    return /** @type {T} */ (list[this.below(list.length)]);
  }

  /** @param {number} digits */
  hex(digits) {
    let text = '';
    while (text.length < digits) text += this.#bits().toString(16).padStart(8, '0');
    return text.slice(0, digits);
  }

  /** A UUIDv7 of this time. @param {number} ms */
  uuid7(ms) {
    const time = ms.toString(16).padStart(12, '0');
    return `${time.slice(0, 8)}-${time.slice(8)}-7${this.hex(3)}-9${this.hex(3)}-${this.hex(12)}`;
  }
}
