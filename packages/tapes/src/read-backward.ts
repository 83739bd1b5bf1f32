import { Buffer, isUtf8 } from 'node:buffer';
import type { TapeLine } from '@tapefold/facts';
import type { OnRead, OpenFile } from './byte-source.js';
import { TapeError } from './errors.js';
import { BACKWARD_BUDGET_BYTES, BACKWARD_CHUNK_BYTES, MAX_LINE_BYTES, ZSTD_CHUNK_BYTES } from './limits.js';
import { textBeforeBadByte } from './line-text.js';
import { isCompressedName, openEitherForm, sourceOf } from './open-source.js';

/** What a backward read may be told. */
export interface BackwardOptions {
  /** Lines that start within the last so many bytes are delivered. Default 1 MiB. */
  readonly budgetBytes?: number | undefined;
  /** Bytes per read, at least 1. Default 64 KiB. */
  readonly chunkBytes?: number | undefined;
  /** As of `readLines`. */
  readonly maxLineBytes?: number | undefined;
  readonly onRead?: OnRead | undefined;
}

/** Why a backward read ended: everything was delivered, or the next older line does not lie within the budget. */
export interface BackwardEnd {
  readonly endedBy: 'start' | 'budget';
  /** Where the oldest delivered line starts (the end of the content when there is none). */
  readonly startOffset: number;
  /** The compression is damaged: the newest lines are missing, those before the damage were delivered. */
  readonly damage?: TapeError | undefined;
}

/** The last bytes of a content: `[floor, size)` can be read. */
interface Tail {
  readonly size: number;
  readonly floor: number;
  readonly damage?: TapeError | undefined;
  /** The bytes `[from, to)`, valid until the next call. */
  bytes(from: number, to: number): Buffer;
}

const NEWLINE = 0x0a;

/**
 * Lines of a plain or compressed file, newest first. A line that the budget cuts is not delivered. Reads at most the budget and one byte of a
 * plain file; a `.zst` has no way back, so it is decoded whole (its time, but only the budget's memory). Memory: the budget at most.
 * Throws `TapeError` as `readLines` does; `changedWhileReading` when the file became shorter meanwhile.
 */
export function* readLinesBackward(path: string, options: BackwardOptions = {}): Generator<TapeLine, BackwardEnd> {
  const file = openEitherForm(path, options.onRead);
  try {
    const budgetBytes = Math.max(0, options.budgetBytes ?? BACKWARD_BUDGET_BYTES);
    const tail = isCompressedName(file.path) ? compressedTail(file, budgetBytes) : plainTail(file, { budgetBytes, chunkBytes: options.chunkBytes ?? BACKWARD_CHUNK_BYTES });
    return yield* linesOf(tail, { ...options, budgetBytes });
  } finally {
    file.close();
  }
}

/** One byte more than the budget is looked at: it tells whether the oldest line within begins there. */
const floorOf = (size: number, budgetBytes: number): number => Math.max(0, size - budgetBytes - 1);

function plainTail(file: OpenFile, { budgetBytes, chunkBytes }: { budgetBytes: number; chunkBytes: number }): Tail {
  const size = file.sizeBytes;
  const chunk = Buffer.allocUnsafeSlow(Math.min(chunkBytes, Math.max(size, 1)));
  const bytes = (from: number, to: number): Buffer => {
    const target = chunk.subarray(0, to - from);
    if (file.readAt(target, from) < target.length) throw new TapeError('changedWhileReading', { path: file.path, offset: from });
    return target;
  };
  return { size, floor: floorOf(size, budgetBytes), bytes };
}

function compressedTail(file: OpenFile, budgetBytes: number): Tail {
  const source = sourceOf(file);
  const pieces: Buffer[] = [];
  let size = 0;
  let kept = 0;
  for (;;) {
    const piece = Buffer.allocUnsafe(ZSTD_CHUNK_BYTES);
    const read = source.readInto(piece);
    if (read === 0) break;
    pieces.push(piece.subarray(0, read));
    size += read;
    kept += read;
    for (let oldest = pieces[0]; oldest && kept - oldest.length > budgetBytes; oldest = pieces[0]) {
      kept -= oldest.length;
      pieces.shift();
    }
  }
  const held = Buffer.concat(pieces);
  const base = size - kept;
  return { size, floor: floorOf(size, budgetBytes), bytes: (from, to) => held.subarray(from - base, to - base), damage: source.damage };
}

/** The pieces of one line, found from its end to its start. */
class LinePieces {
  private pieces: Buffer[] = [];
  length = 0;

  constructor(private readonly maxLineBytes: number) {}

  /** Puts bytes before those that are there; they are copied, or forgotten when the line is too long anyway. */
  prepend(bytes: Buffer): void {
    this.length += bytes.length;
    if (this.length > this.maxLineBytes) this.pieces = [];
    else if (bytes.length) this.pieces.push(Buffer.from(bytes));
  }

  /** The line whose terminator, if any, stands right after; the pieces are given up. */
  take(offset: number, isTerminated: boolean): TapeLine {
    const span = { offset, length: this.length + Number(isTerminated) };
    const isTooLong = this.length > this.maxLineBytes;
    const bytes = Buffer.concat(this.pieces.reverse());
    this.pieces = [];
    this.length = 0;
    if (isTooLong) return { ...span, text: undefined, flaw: 'tooLong', isTerminated };
    return isUtf8(bytes) ? { ...span, text: bytes.toString('utf8'), isTerminated } : { ...span, text: textBeforeBadByte(bytes), flaw: 'invalidUtf8', isTerminated };
  }
}

function* linesOf(tail: Tail, { budgetBytes, ...options }: BackwardOptions & { budgetBytes: number }): Generator<TapeLine, BackwardEnd> {
  const chunkBytes = options.chunkBytes ?? BACKWARD_CHUNK_BYTES;
  const line = new LinePieces(options.maxLineBytes ?? MAX_LINE_BYTES);
  let isTerminated = false;
  let startOffset = tail.size;
  for (let to = tail.size; to > tail.floor;) {
    const from = Math.max(tail.floor, to - chunkBytes);
    const chunk = tail.bytes(from, to);
    let end = chunk.length;
    for (let at = chunk.lastIndexOf(NEWLINE); at >= 0; at = at === 0 ? -1 : chunk.lastIndexOf(NEWLINE, at - 1)) {
      line.prepend(chunk.subarray(at + 1, end));
      end = at;
      const offset = from + at + 1;
      // Right at the end of the content this newline ends the last line and none begins after it.
      if (offset < tail.size) yield line.take((startOffset = offset), isTerminated);
      isTerminated = true;
    }
    line.prepend(chunk.subarray(0, end));
    to = from;
  }
  const damage = tail.damage ? { damage: tail.damage } : {};
  if (tail.size > budgetBytes) return { endedBy: 'budget', startOffset, ...damage };
  if (tail.size > 0) yield line.take((startOffset = 0), isTerminated);
  return { endedBy: 'start', startOffset, ...damage };
}
