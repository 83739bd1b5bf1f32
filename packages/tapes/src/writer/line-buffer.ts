import { type FactDraft, encodeNativeStart } from '@tapefold/facts';
import { Buffer } from 'node:buffer';
import { TapeError } from '../errors.js';
import { WRITE_BUFFER_BYTES, WRITE_BUFFER_KEPT_BYTES } from '../limits.js';

const NEWLINE = 0x0a;
const COMMA = 0x2c;
const [ZERO, NINE] = [0x30, 0x39];

/** Counts the number up by one whose last digit stands at `last`, in place; false where it would get longer, then nothing of it holds. */
function countUp(bytes: Uint8Array, last: number): boolean {
  for (let i = last; i >= 0; i--) {
    const digit = bytes[i] ?? 0;
    if (digit < ZERO || digit > NINE) return false;
    bytes[i] = digit === NINE ? ZERO : digit + 1;
    if (digit !== NINE) return true;
  }
  return false;
}

/** Where a line is for, and how long it may be. */
interface LineBounds {
  readonly path: string;
  readonly maxLineBytes: number;
}

/** A buffer that facts are put into as lines with their newlines; it is used again, and grows to what is put in. */
export class LineBuffer {
  readonly #bounds: LineBounds;
  #bytes: Buffer = Buffer.allocUnsafeSlow(WRITE_BUFFER_BYTES);
  /** The ordinal with which the first line begins, and the bytes of that beginning with its comma; -1 where there is none. */
  #firstOrdinal = -1;
  #firstStart = 0;

  constructor(bounds: LineBounds) {
    this.#bounds = bounds;
  }

  /** What was put in. Valid until more is. */
  get bytes(): Buffer { return this.#bytes; }

  /** Puts the line that `encodeNativeDraft` makes at byte `at`, behind what was put in before, with its newline; returns the bytes of both. Throws `TapeError` (`tooLarge`). */
  put(draft: FactDraft, ordinal: number, at: number): number {
    const json = JSON.stringify(draft);
    // Three bytes hold any UTF-16 unit, and forty any beginning, so most lines need no exact count.
    if (json.length * 3 + 40 >= Math.min(this.#bytes.length - at, this.#bounds.maxLineBytes)) this.#makeRoom(encodeNativeStart(ordinal).length + Buffer.byteLength(json), at);
    const bytes = this.#bytes;
    const start = at === 0 ? this.#startFirst(ordinal) : bytes.write(encodeNativeStart(ordinal), at, 'latin1');
    // The brace of the JSON comes to stand on the comma before it.
    const jsonAt = at + start - 1;
    const end = jsonAt + bytes.write(json, jsonAt);
    bytes[jsonAt] = COMMA;
    bytes[end] = NEWLINE;
    return end + 1 - at;
  }

  /** Lets a buffer go that grew large for one fact. */
  shrink(): void {
    if (this.#bytes.length > WRITE_BUFFER_KEPT_BYTES) this.#replace(Buffer.allocUnsafeSlow(WRITE_BUFFER_BYTES));
  }

  /** Begins the first line; returns the bytes. Ordinals mostly follow each other, so mostly one digit of the line before changes: making text of each costs as much as all else that is done to a line. */
  #startFirst(ordinal: number): number {
    const isNext = ordinal === this.#firstOrdinal + 1 && this.#firstOrdinal >= 0 && countUp(this.#bytes, this.#firstStart - 2);
    if (!isNext) this.#firstStart = this.#bytes.write(encodeNativeStart(ordinal), 0, 'latin1');
    this.#firstOrdinal = ordinal;
    return this.#firstStart;
  }

  #makeRoom(needed: number, at: number): void {
    const { path, maxLineBytes } = this.#bounds;
    if (needed > maxLineBytes) throw new TapeError('tooLarge', { path, why: `the fact has ${needed} bytes, and a line may have ${maxLineBytes}` });
    if (needed <= this.#bytes.length - at) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(at + needed, this.#bytes.length * 2));
    this.#bytes.copy(larger, 0, 0, at);
    this.#replace(larger);
  }

  #replace(bytes: Buffer): void {
    this.#bytes = bytes;
    this.#firstOrdinal = -1;
  }
}
