import type { LineSpan, TapeLine } from '@tapefold/facts';
import type { ByteSource } from './byte-source.js';
import { ByteWindow } from './byte-window.js';
import { FORWARD_CHUNK_BYTES, MAX_LINE_BYTES } from './limits.js';
import { textOf } from './line-text.js';
import type { ReadOptions, TapeEnd } from './read-options.js';

/** Options of a document read. `onBetween` is told of every run of bytes that is in no line, in order: keys, commas, white space, other keys' values. */
export interface DocumentOptions extends ReadOptions {
  readonly onBetween?: ((span: LineSpan) => void) | undefined;
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];
/** Keys longer than this are none of ours, so they are not decoded. */
const KEY_BYTES = 64;

const isSpace = (byte: number): boolean => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
const isStructure = (byte: number): boolean => byte === COMMA || byte === COLON || byte === CLOSE_ARRAY || byte === CLOSE_OBJECT;
const isOpening = (byte: number): boolean => byte === OPEN_ARRAY || byte === OPEN_OBJECT;

type Place = 'before' | 'key' | 'colon' | 'value' | 'items' | 'after';
type Shape = 'string' | 'nested' | 'scalar' | 'rest';

/**
 * Finds the values of a session document byte by byte, knowing strings and nesting and nothing else of JSON, so that damage costs one value.
 *
 *   before ─{─▶ key ─"…"─▶ colon ─:─▶ value ──────▶ key        value of "session" (or of "items", when it is no array): a line
 *                │                      └─[ of "items"─▶ items ─]─▶ key      each value: a line
 *                └─}─▶ after            values of other keys: skipped
 *
 * A token is a run of bytes that is one value, or garbage where a value should be (then it is a line too, and the player finds it damaged).
 * What stands before the opening or after the closing brace makes the rest of the file one line that never ends.
 */
class DocumentScanner {
  private readonly window: ByteWindow;
  private place: Place = 'before';
  private key: string | undefined;
  private shape: Shape | undefined;
  private depth = 0;
  private isInString = false;
  private isEscaped = false;
  /** Index of the token's first byte in memory, and its bytes that are forgotten since it is too long. */
  private start = 0;
  private forgotten = 0;
  private at = 0;
  private coveredTo = 0;
  private readonly found: TapeLine[] = [];
  private readonly maxLineBytes: number;

  constructor(source: ByteSource, private readonly options: DocumentOptions) {
    this.window = new ByteWindow(source, options.chunkBytes ?? FORWARD_CHUNK_BYTES);
    this.maxLineBytes = options.maxLineBytes ?? MAX_LINE_BYTES;
  }

  /** Reads one chunk; false at the end of the source. */
  fill(): boolean {
    const { end } = this.window;
    const held = this.shape === undefined ? 0 : end - this.start;
    const isForgotten = held > this.maxLineBytes || this.forgotten > 0;
    if (isForgotten) this.forgotten += held;
    const keepFrom = this.shape === undefined || isForgotten ? end : this.start;
    this.start = 0;
    this.at = end - keepFrom;
    return this.window.refill(keepFrom) > 0;
  }

  /** The lines that are complete by now. */
  scan(): TapeLine[] {
    const bytes = this.window.view();
    while (this.at < bytes.length) {
      if (this.shape === undefined) this.between(bytes[this.at] ?? 0);
      else this.inside(bytes);
    }
    return this.found.splice(0);
  }

  /** Ends the document: what is still open becomes a line without end. */
  finish(): { lines: TapeLine[]; isTorn: boolean; endOffset: number } {
    const isTorn = this.shape !== undefined || this.place !== 'after';
    if (this.shape !== undefined) this.deliver(false);
    const endOffset = this.window.base + this.window.end;
    this.cover(endOffset);
    return { lines: this.found.splice(0), isTorn, endOffset };
  }

  /** One byte outside of tokens: moves from place to place, or begins a token. */
  private between(byte: number): void {
    if (isSpace(byte)) this.at += 1;
    else if (this.place === 'before') this.beforeDocument(byte);
    else if (this.place === 'after') this.begin('rest');
    else if (isStructure(byte)) this.structure(byte);
    else if (byte === OPEN_ARRAY && this.place === 'value' && this.key === 'items') this.move('items');
    else {
      if (this.place === 'colon') this.place = 'key';
      this.begin(byte === QUOTE ? 'string' : isOpening(byte) ? 'nested' : 'scalar');
    }
  }

  private beforeDocument(byte: number): void {
    const position = this.window.base + this.at;
    if (byte === OPEN_OBJECT) this.move('key');
    else if (byte === BYTE_ORDER_MARK[position]) this.at += 1;
    else this.begin('rest');
  }

  private structure(byte: number): void {
    const isInItems = this.place === 'items';
    if (byte === COLON && this.place === 'colon') this.move('value');
    else if (byte === CLOSE_ARRAY && isInItems) this.move('key');
    else if (byte === CLOSE_OBJECT && !isInItems) this.move('after');
    else if (byte === COMMA && !isInItems) this.move('key');
    else this.at += 1;
  }

  private move(place: Place): void {
    this.place = place;
    this.at += 1;
  }

  private begin(shape: Shape): void {
    this.shape = shape;
    this.start = this.at;
    this.depth = 0;
    this.isInString = this.isEscaped = false;
  }

  /** Goes on in a token until it ends or the bytes do. */
  private inside(bytes: Uint8Array): void {
    if (this.shape === 'rest') this.at = bytes.length;
    else if (this.shape === 'scalar') this.inScalar(bytes);
    else this.inValue(bytes);
  }

  private inScalar(bytes: Uint8Array): void {
    for (; this.at < bytes.length; this.at++) {
      const byte = bytes[this.at] ?? 0;
      if (isSpace(byte) || isStructure(byte) || isOpening(byte) || byte === QUOTE) return this.end();
    }
  }

  private inValue(bytes: Uint8Array): void {
    for (; this.at < bytes.length; this.at++) {
      if (!this.step(bytes[this.at] ?? 0)) continue;
      this.at += 1;
      return this.end();
    }
  }

  /** True when this byte is the last of the token. */
  private step(byte: number): boolean {
    if (this.isEscaped) this.isEscaped = false;
    else if (this.isInString) {
      if (byte === BACKSLASH) this.isEscaped = true;
      else if (byte === QUOTE) {
        this.isInString = false;
        return this.depth === 0;
      }
    } else if (byte === QUOTE) this.isInString = true;
    else if (isOpening(byte)) this.depth += 1;
    else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) return --this.depth === 0;
    return false;
  }

  private end(): void {
    const isKey = this.place === 'key' && this.shape === 'string';
    if (isKey) this.key = this.keyText();
    const isOther = this.place === 'value' && this.key !== 'session' && this.key !== 'items';
    if (!isKey && !isOther) this.deliver(true);
    this.shape = undefined;
    this.forgotten = 0;
    if (isKey) this.place = 'colon';
    else if (this.place === 'value') this.place = 'key';
  }

  private keyText(): string | undefined {
    if (this.forgotten > 0 || this.at - this.start > KEY_BYTES) return undefined;
    try { return String(JSON.parse(this.window.bytes.toString('utf8', this.start, this.at))); } catch { return undefined; }
  }

  private deliver(isTerminated: boolean): void {
    const length = this.at - this.start + this.forgotten;
    const offset = this.window.base + this.start - this.forgotten;
    this.cover(offset);
    this.coveredTo = offset + length;
    if (offset < (this.options.from ?? 0) || offset >= (this.options.to ?? Infinity)) return;
    const text = length > this.maxLineBytes ? undefined : textOf(this.window.bytes, [this.start, this.at], 'mixed');
    if (text !== undefined) this.found.push({ offset, length, text, isTerminated, ...(isTerminated ? { newlineBytes: 0 as const } : {}) });
    else this.found.push({ offset, length, text, flaw: length > this.maxLineBytes ? 'tooLong' : 'invalidUtf8', isTerminated, ...(isTerminated ? { newlineBytes: 0 as const } : {}) });
  }

  private cover(to: number): void {
    if (to > this.coveredTo) this.options.onBetween?.({ offset: this.coveredTo, length: to - this.coveredTo });
    this.coveredTo = to;
  }
}

/** The values of `session` and of `items` of a source that holds one session document. Throws what the source throws (`TapeError`). */
export function* scanDocument(source: ByteSource, options: DocumentOptions): Generator<TapeLine[], TapeEnd> {
  const scanner = new DocumentScanner(source, options);
  while (scanner.fill()) {
    const lines = scanner.scan();
    if (lines.length) yield lines;
  }
  const { lines, isTorn, endOffset } = scanner.finish();
  if (lines.length) yield lines;
  return { endOffset, isTorn: isTorn || source.damage !== undefined, ...(source.damage ? { damage: source.damage } : {}) };
}
