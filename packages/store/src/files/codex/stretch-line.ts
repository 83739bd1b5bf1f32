import { Buffer } from 'node:buffer';
import type { StretchLine } from '@tapefold/dialects';

/** How each record of today's files begins: a second time within a line means a second record on it. */
const RECORD_START = '{"timestamp":"';
const QUOTE = 0x22;

/** A text that is looked for in one line after the other: where it was found stays known until the bytes are others, since it may be far behind the line. */
class NextText {
  readonly #text: string;
  #base = -1;
  #from = 0;
  #found = -1;

  constructor(text: string) {
    this.#text = text;
  }

  /** Its first place from `from` on to before `end`, or -1. `base`: where the first of the bytes stands in the file. */
  in(bytes: Buffer, [from, end]: readonly [from: number, end: number], base: number): number {
    const isKnown = this.#base === base && from >= this.#from && (this.#found < 0 || this.#found >= from);
    if (!isKnown) {
      this.#base = base;
      this.#from = from;
      this.#found = bytes.indexOf(this.#text, from, 'latin1');
    }
    return this.#found < end ? this.#found : -1;
  }
}

/** The line that is looked at, in the bytes of a reader; one object for all of them. */
export class BytesLine implements StretchLine {
  #bytes: Buffer = Buffer.alloc(0);
  #start = 0;
  #end = 0;
  offset = 0;
  readonly #texts = new Map<string, NextText>();
  readonly #records = new NextText(RECORD_START);
  /** The ends of lines that were compared last, by the text that they begin with. */
  readonly #ends = new Map<string, Buffer>();

  /** Turns to the line at `bytes[start, end)`, which begins at `offset` of the file. */
  turnTo(bytes: Buffer, [start, end]: readonly [start: number, end: number], offset: number): void {
    this.#bytes = bytes;
    this.#start = start;
    this.#end = end;
    this.offset = offset;
  }

  #find(text: string, from = this.#start): number {
    const next = this.#texts.get(text) ?? new NextText(text);
    this.#texts.set(text, next);
    return next.in(this.#bytes, [from, this.#end], this.offset - this.#start);
  }

  readonly head = (chars: number): string => this.#bytes.toString('latin1', this.#start, Math.min(this.#end, this.#start + chars));

  readonly behind = (text: string): string | undefined => {
    const found = this.#find(text);
    if (found < 0) return undefined;
    const from = found + text.length;
    if (this.#find(text, from) >= 0) return '';
    const quote = this.#bytes.indexOf(QUOTE, from);
    return quote < 0 || quote > this.#end ? undefined : this.#bytes.toString('latin1', from, quote);
  };

  readonly isOneRecord = (): boolean => this.#records.in(this.#bytes, [this.#start + 1, this.#end], this.offset - this.#start) < 0;

  readonly endsAsBefore = (text: string): boolean => {
    const found = this.#find(text);
    if (found < 0) return false;
    const end = this.#bytes.subarray(found, this.#end);
    if (this.#ends.get(text)?.equals(end)) return true;
    this.#ends.set(text, Buffer.from(end));
    return false;
  };

  readonly text = (): string => this.#bytes.toString('utf8', this.#start, this.#end);
}
