import { Buffer } from 'node:buffer';
import type { StretchLine } from '@tapefold/dialects';

/** How each record of today's files begins: a second time within a line means a second record on it. */
const RECORD_START = '{"timestamp":"';
const QUOTE = 0x22;

/** Where the next record begins: known from one line to the next, since that is where the search for it ends. */
class NextRecord {
  #base = -1;
  #from = 0;
  #found = -1;

  /** Whether one begins from `from` on, before `end`. `base`: where the first of the bytes stands in the file. */
  isIn(bytes: Buffer, [from, end]: readonly [from: number, end: number], base: number): boolean {
    const isKnown = this.#base === base && from >= this.#from && (this.#found < 0 || this.#found >= from);
    if (!isKnown) {
      this.#base = base;
      this.#from = from;
      this.#found = bytes.indexOf(RECORD_START, from, 'latin1');
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
  readonly #next = new NextRecord();
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

  readonly behind = (text: string): string | undefined => {
    const view = this.#view();
    const found = view.indexOf(text, 0, 'latin1');
    if (found < 0) return undefined;
    const from = found + text.length;
    const quote = view.indexOf(QUOTE, from);
    return quote < 0 || view.indexOf(text, from, 'latin1') >= 0 ? '' : view.toString('latin1', from, quote);
  };

  readonly isOneRecord = (): boolean => !this.#next.isIn(this.#bytes, [this.#start + 1, this.#end], this.offset - this.#start);

  readonly endsAsBefore = (text: string): boolean => {
    const view = this.#view();
    const found = view.indexOf(text, 0, 'latin1');
    if (found < 0) return false;
    const end = view.subarray(found);
    if (this.#ends.get(text)?.equals(end)) return true;
    this.#ends.set(text, Buffer.from(end));
    return false;
  };

  readonly text = (): string => this.#bytes.toString('utf8', this.#start, this.#end);
}
