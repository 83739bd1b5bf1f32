import { Buffer, isUtf8 } from 'node:buffer';
import type { StretchLine } from '@tapefold/dialects';

/** What a line can have in it where a second record is glued on its first one: how each record of today's files begins; of another form, an end and a beginning with nothing or a blank between them. More signs would cost more than the look. */
const signsOfMore = ['{"timestamp":"', '}{', '} {'] as const;

/** Where such a sign stands next: known from one line to the next, since that is where the search for it ends. */
class NextSign {
  #base = -1;
  #from = 0;
  #found = -1;
  readonly #sign: Buffer;

  constructor(sign: string) {
    this.#sign = Buffer.from(sign);
  }

  /** Whether one begins from `from` on, before `end`. `base`: where the first of the bytes stands in the file. */
  isIn(bytes: Buffer, [from, end]: readonly [from: number, end: number], base: number): boolean {
    const isKnown = this.#base === base && from >= this.#from && (this.#found < 0 || this.#found >= from);
    if (!isKnown) {
      this.#base = base;
      this.#from = from;
      this.#found = bytes.indexOf(this.#sign, from);
    }
    return this.#found >= 0 && this.#found < end;
  }
}

/** The line that is looked at, in the bytes of a reader; one object for all of them. */
export class BytesLine implements StretchLine {
  #bytes: Buffer = Buffer.alloc(0);
  #start = 0;
  #end = 0;
  offset = 0;
  readonly #more = signsOfMore.map((sign) => new NextSign(sign));
  /** The ends of lines that were compared last, by the text that they begin with. */
  readonly #ends = new Map<string, Buffer>();

  /** Turns to the line at `bytes[start, end)`, which begins at `offset` of the file. */
  turnTo(bytes: Buffer, [start, end]: readonly [start: number, end: number], offset: number): void {
    this.#bytes = bytes;
    this.#start = start;
    this.#end = end;
    this.offset = offset;
  }

  #view(): Buffer {
    return this.#bytes.subarray(this.#start, this.#end);
  }

  readonly head = (chars: number): string => this.#bytes.toString('latin1', this.#start, Math.min(this.#end, this.#start + chars));

  readonly isSurelyOne = (): boolean => this.#more.every((sign) => !sign.isIn(this.#bytes, [this.#start + 1, this.#end], this.offset - this.#start));

  readonly endsAsBefore = (text: string): boolean => {
    const view = this.#view();
    const found = view.indexOf(text, 0, 'latin1');
    if (found < 0) return false;
    const end = view.subarray(found);
    if (this.#ends.get(text)?.equals(end)) return true;
    this.#ends.set(text, Buffer.from(end));
    return false;
  };

  readonly text = (): string | undefined => (isUtf8(this.#view()) ? this.#bytes.toString('utf8', this.#start, this.#end) : undefined);
}
