import type { TapeLine } from '@tapefold/facts';
import { Buffer } from 'node:buffer';
import type { ByteSource } from './byte-source.js';
import { ByteWindow } from './byte-window.js';
import { FORWARD_CHUNK_BYTES, HEAD_CHUNK_BYTES, MAX_LINE_BYTES } from './limits.js';
import { encodingOf, textBeforeBadByte, textOf } from './line-text.js';
import type { ReadOptions, SkipLine, TapeEnd } from './read-options.js';

const NEWLINE = 0x0a;

/**
 * Cuts a source into lines: one batch per chunk, each byte in exactly one line.
 *
 *   window:  [ start ......... scanned ......... end )
 *              first byte       no newline        bytes in
 *              not delivered    before this       memory
 */
export class LineSplitter {
  private readonly window: ByteWindow;
  private start = 0;
  private scanned = 0;
  /** Bytes of a line too long to hold that are already forgotten. */
  private forgotten = 0;
  private readonly maxLineBytes: number;
  private readonly to: number;
  private readonly skips: SkipLine | undefined;
  isDone = false;

  constructor(source: ByteSource, options: ReadOptions) {
    const from = options.from ?? 0;
    this.to = options.to ?? Infinity;
    // A page of a large tape must not cost a megabyte.
    const chunkBytes = options.chunkBytes ?? Math.min(FORWARD_CHUNK_BYTES, Math.max(HEAD_CHUNK_BYTES, this.to - from));
    this.window = new ByteWindow(source, chunkBytes, from);
    this.maxLineBytes = options.maxLineBytes ?? MAX_LINE_BYTES;
    this.skips = options.skips;
    this.isDone = this.offset >= this.to;
  }

  /** Where the first line that is not delivered starts. */
  get offset(): number {
    return this.window.base + this.start - this.forgotten;
  }

  /** First byte that was not read. */
  get readOffset(): number {
    return this.window.base + this.window.end;
  }

  /** The last bytes that were read, at most `count` of those still in memory: a copy. */
  lastRead(count: number): Buffer {
    return Buffer.from(this.window.view().subarray(-count));
  }

  /** The bytes that `complete` made lines of since the last `fill`: a view that the next `fill` invalidates. Of a line too long to hold, its end. */
  delivered(): Buffer {
    return this.window.bytes.subarray(0, this.start);
  }

  /** Reads one chunk; false at the end of the source. */
  fill(): boolean {
    if (this.window.end - this.start > this.maxLineBytes || this.forgotten > 0) {
      this.forgotten += this.window.end - this.start;
      this.start = this.window.end;
    }
    const keepFrom = this.start;
    this.scanned = this.window.end - keepFrom;
    this.start = 0;
    return this.window.refill(keepFrom) > 0;
  }

  private isSkipped(end: number): boolean {
    return this.skips !== undefined && end - this.start + this.forgotten <= this.maxLineBytes && this.skips(this.window.bytes, this.start, end);
  }

  /** Every line that is complete by now. */
  complete(): TapeLine[] {
    const view = this.window.view();
    const last = this.scanned + view.subarray(this.scanned).lastIndexOf(NEWLINE);
    if (last < this.scanned) return [];
    const encoding = encodingOf(view.subarray(this.start, last + 1));
    const lines: TapeLine[] = [];
    for (let from = this.scanned; from <= last && !this.isDone;) {
      const newline = view.indexOf(NEWLINE, from);
      if (!this.isSkipped(newline)) lines.push(this.line(newline, true, encoding));
      from = this.start = newline + 1;
      this.forgotten = 0;
      this.isDone = this.offset >= this.to;
    }
    return lines;
  }

  /** What is left at the end: a line without newline, or nothing. */
  rest(): TapeLine | undefined {
    const { end } = this.window;
    if (end === this.start && this.forgotten === 0) return undefined;
    const line = this.line(end, false, 'mixed');
    this.start = end;
    this.forgotten = 0;
    return line;
  }

  private line(end: number, isTerminated: boolean, encoding: 'ascii' | 'utf8' | 'mixed'): TapeLine {
    const contentBytes = end - this.start + this.forgotten;
    const span = { offset: this.offset, length: contentBytes + (isTerminated ? 1 : 0) };
    if (contentBytes > this.maxLineBytes) return { ...span, text: undefined, flaw: 'tooLong', isTerminated };
    const text = textOf(this.window.bytes, [this.start, end], encoding);
    return text === undefined ? { ...span, text: textBeforeBadByte(this.window.bytes.subarray(this.start, end)), flaw: 'invalidUtf8', isTerminated } : { offset: span.offset, length: span.length, text, isTerminated };
  }
}

/** The lines of a source, in batches that are never empty. Closes nothing. Throws what the source throws (`TapeError`). */
export function* splitLines(source: ByteSource, options: ReadOptions): Generator<TapeLine[], TapeEnd> {
  const splitter = new LineSplitter(source, options);
  while (!splitter.isDone && splitter.fill()) {
    const lines = splitter.complete();
    if (lines.length) yield lines;
  }
  if (splitter.isDone) return { endOffset: splitter.offset, isTorn: false };
  const rest = splitter.rest();
  if (rest) yield [rest];
  const isTorn = rest !== undefined || source.damage !== undefined;
  return { endOffset: splitter.offset, isTorn, ...(source.damage ? { damage: source.damage } : {}) };
}
