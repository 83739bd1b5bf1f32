import { type FactDraft, encodeNativeStart } from '@tapefold/facts';
import { Buffer } from 'node:buffer';
import { TapeError } from '../errors.js';
import { WRITE_BUFFER_BYTES, WRITE_BUFFER_KEPT_BYTES } from '../limits.js';

const NEWLINE = 0x0a;
const [ZERO, NINE] = [0x30, 0x39];

/** The start of a line as bytes. Ordinals mostly follow each other, so mostly one digit changes; making text of each costs as much as all else that is done to a line. */
class LineStart {
  #ordinal = -1;
  #bytes = new Uint8Array();

  /** Ends in a comma. Valid until the next call. */
  of(ordinal: number): Uint8Array {
    const isNext = ordinal === this.#ordinal + 1 && this.#countUp();
    if (!isNext && ordinal !== this.#ordinal) this.#bytes = Buffer.from(encodeNativeStart(ordinal), 'latin1');
    this.#ordinal = ordinal;
    return this.#bytes;
  }

  /** False where the number gets longer: then nothing of it holds. */
  #countUp(): boolean {
    const bytes = this.#bytes;
    for (let i = bytes.length - 2; i >= 0; i--) {
      const digit = bytes[i] ?? 0;
      if (digit < ZERO || digit > NINE) return false;
      bytes[i] = digit === NINE ? ZERO : digit + 1;
      if (digit !== NINE) return true;
    }
    return false;
  }
}

/** Where a line is for, and how long it may be. */
interface LineBounds {
  readonly path: string;
  readonly maxLineBytes: number;
}

/** A buffer that facts are put into as lines with their newlines; it is used again, and grows to what is put in. */
export class LineBuffer {
  readonly #bounds: LineBounds;
  readonly #start = new LineStart();
  #bytes = Buffer.allocUnsafeSlow(WRITE_BUFFER_BYTES);

  constructor(bounds: LineBounds) {
    this.#bounds = bounds;
  }

  /** What was put in. Valid until more is. */
  get bytes(): Buffer { return this.#bytes; }

  /** Puts the line that `encodeNativeDraft` makes at byte `at`, behind what was put in before, with its newline; returns the bytes of both. Throws `TapeError` (`tooLarge`). */
  put(draft: FactDraft, ordinal: number, at: number): number {
    const json = JSON.stringify(draft);
    const start = this.#start.of(ordinal);
    // Three bytes hold any UTF-16 unit, so most lines need no exact count.
    if (start.length + json.length * 3 >= Math.min(this.#bytes.length - at, this.#bounds.maxLineBytes)) this.#makeRoom(start.length + Buffer.byteLength(json), at);
    const bytes = this.#bytes;
    // The comma of the start comes to stand on the brace of the JSON.
    const jsonAt = at + start.length - 1;
    const end = jsonAt + bytes.write(json, jsonAt);
    bytes.set(start, at);
    bytes[end] = NEWLINE;
    return end + 1 - at;
  }

  /** Lets a buffer go that grew large for one fact. */
  shrink(): void {
    if (this.#bytes.length > WRITE_BUFFER_KEPT_BYTES) this.#bytes = Buffer.allocUnsafeSlow(WRITE_BUFFER_BYTES);
  }

  #makeRoom(needed: number, at: number): void {
    const { path, maxLineBytes } = this.#bounds;
    if (needed > maxLineBytes) throw new TapeError('tooLarge', { path, why: `the fact has ${needed} bytes, and a line may have ${maxLineBytes}` });
    if (needed <= this.#bytes.length - at) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(at + needed, this.#bytes.length * 2));
    this.#bytes.copy(larger, 0, 0, at);
    this.#bytes = larger;
  }
}
