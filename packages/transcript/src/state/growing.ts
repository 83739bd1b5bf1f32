/** Code units at the end of a text that are kept apart, so that an overlap can be compared without touching the whole. At most twice as many. */
const RECENT_CHARS = 2_048;

/** Where an append does not fit: the text's length, and the offset of the append. */
export interface OffsetGap {
  readonly expected: number;
  readonly got: number;
}

/**
 * A text that grows at its end. JavaScript joins strings lazily, and comparing or cutting the whole writes it out each time; so what was added last
 * is kept beside it, and n appends cost O(n) also where each of them comes twice.
 */
export class GrowingText {
  readonly whole: string;
  private readonly recent: string;

  constructor(whole: string, recent: string = whole) {
    this.whole = whole;
    this.recent = recent.length > 2 * RECENT_CHARS ? recent.slice(-RECENT_CHARS) : recent;
  }

  /**
   * Adds what is new of a chunk that begins at an absolute offset. The same text where nothing is new; a gap where the chunk begins behind the end,
   * or where it disagrees with what is there. Never throws.
   */
  append(offset: number, chunk: string): GrowingText | OffsetGap {
    const { length } = this.whole;
    if (!(Number.isInteger(offset) && offset >= 0 && offset <= length)) return { expected: length, got: offset };
    if (offset === length) return chunk === '' ? this : new GrowingText(this.whole + chunk, this.recent + chunk);
    const known = this.from(offset);
    if (known.startsWith(chunk)) return this;
    if (!chunk.startsWith(known)) return { expected: length, got: offset };
    const added = chunk.slice(known.length);
    return new GrowingText(this.whole + added, this.recent + added);
  }

  private from(offset: number): string {
    const recentFrom = this.whole.length - this.recent.length;
    return offset >= recentFrom ? this.recent.slice(offset - recentFrom) : this.whole.slice(offset);
  }
}

/** A value whose text field is still growing: the field is put in when the value is read, and not for every append. */
export class Growing<T extends object> {
  private readonly head: T;
  private readonly field: keyof T;
  readonly text: GrowingText;
  private view: T | undefined = undefined;

  constructor(head: T, field: keyof T, text: GrowingText) {
    this.head = head;
    this.field = field;
    this.text = text;
  }

  withText(text: GrowingText): Growing<T> {
    return new Growing(this.head, this.field, text);
  }

  read(): T {
    this.view ??= { ...this.head, [this.field]: this.text.whole };
    return this.view;
  }

  /** The value without its whole text: good for what does not grow, such as its id. */
  get unread(): T {
    return this.head;
  }
}

/** A value, or one that grows. */
export type MaybeGrowing<T extends object> = T | Growing<T>;

/** The value as it is now. */
export function readGrowing<T extends object>(entry: MaybeGrowing<T>): T {
  return entry instanceof Growing ? entry.read() : entry;
}

/** The value where only its fixed fields matter. */
export function headOfGrowing<T extends object>(entry: MaybeGrowing<T>): T {
  return entry instanceof Growing ? entry.unread : entry;
}
