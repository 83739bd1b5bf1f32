import type { TapeLine } from '@tapefold/facts';
import { Buffer } from 'node:buffer';
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import type { ByteSource } from '../byte-source.js';
import { TapeError, tapeErrorOf } from '../errors.js';
import { FOLLOW_HEAD_BYTES, FOLLOW_TAIL_BYTES } from '../limits.js';
import type { ReadOptions } from '../read-options.js';
import { LineSplitter } from '../split-lines.js';

/** What a look at a growing file came to: lines that were completed, nothing new, or that what was delivered no longer stands in it. */
export type Growth = { readonly kind: 'lines'; readonly lines: readonly TapeLine[] } | { readonly kind: 'end' } | { readonly kind: 'rewritten'; readonly why: 'truncated' | 'rewritten' };

/** Bytes that stood at a place of the file when they were read. */
interface Mark { readonly offset: number; readonly bytes: Buffer }

/** What was read is compared in parts of so many bytes. */
const COMPARED_BYTES = 65_536;

const endOf = ({ offset, bytes }: Mark): number => offset + bytes.length;

/**
 * An open file that somebody else writes to, read line by line as they are completed.
 *
 *   [ head ............ tail )( unfinished line )
 *   0            delivered ^               read ^
 *
 * Before lines are handed out, the remembered bytes are compared with what stands there now: a file that was cut and has grown again, or was written anew,
 * is noticed even where its size and its inode say nothing. An unfinished line that was cut or written anew is read again; it was never handed out.
 */
export class GrowingFile {
  readonly device: number;
  readonly inode: number;
  readonly #fd: number;
  readonly #path: string;
  readonly #options: ReadOptions;
  #splitter: LineSplitter;
  #position: number;
  #head: Mark = { offset: 0, bytes: Buffer.alloc(0) };
  #tail: Mark = { offset: 0, bytes: Buffer.alloc(0) };

  /** Opens a regular file; lines before byte `options.from` count as delivered. Throws `TapeError` (`notFound`, `notAFile`, `unreadable`). */
  constructor(path: string, options: ReadOptions = {}) {
    this.#path = path;
    this.#options = options;
    this.#fd = attempt(path, () => openSync(path, 'r'));
    const stats = fstatSync(this.#fd);
    if (!stats.isFile()) {
      closeSync(this.#fd);
      throw new TapeError('notAFile', { path });
    }
    this.device = stats.dev;
    this.inode = stats.ino;
    this.#position = Math.min(options.from ?? 0, stats.size);
    this.#splitter = this.#splitterFrom(this.#position);
    const tailFrom = Math.max(0, this.#position - FOLLOW_TAIL_BYTES);
    this.#tail = { offset: tailFrom, bytes: this.#bytesAt(tailFrom, this.#position - tailFrom) };
    this.#head = { offset: 0, bytes: this.#bytesAt(0, Math.min(this.#position, FOLLOW_HEAD_BYTES)) };
  }

  /** Everything before this byte was delivered. */
  get offset(): number {
    return this.#splitter.offset;
  }

  /** False once no name leads to it any more. */
  get hasName(): boolean {
    return fstatSync(this.#fd).nlink > 0;
  }

  /** Reads at most one chunk further; `lines` may be empty where a long one goes on. Throws `TapeError` (`unreadable`). */
  read(): Growth {
    const unfinished = this.#lastRead();
    const hasMore = this.#splitter.fill();
    // In this order: what was read before the file became another one must not be taken for what follows.
    if (this.#sizeBytes() < this.offset) return { kind: 'rewritten', why: this.restart('truncated') };
    if (!this.#isStill(this.#head) || !this.#isStill(this.#tail)) return { kind: 'rewritten', why: this.restart('rewritten') };
    // What is handed out is read twice: where a writer cuts the file or changes it in its place meanwhile, several reads, and even one, bring the bytes of two ages.
    const from = this.offset;
    const lines = this.#splitter.complete();
    if (!this.#isStill(unfinished) || !this.#isStill(this.#delivered())) {
      this.#splitter = this.#splitterFrom(from);
      return { kind: 'lines', lines: [] };
    }
    if (lines.length > 0) this.#remember();
    return hasMore ? { kind: 'lines', lines } : { kind: 'end' };
  }

  close(): void {
    closeSync(this.#fd);
  }

  /** Nothing of it counts as delivered any more. Hands the reason through. */
  restart<Why>(why: Why): Why {
    this.#splitter = this.#splitterFrom(0);
    this.#head = this.#tail = { offset: 0, bytes: Buffer.alloc(0) };
    return why;
  }

  #splitterFrom(offset: number): LineSplitter {
    this.#position = offset;
    const source: ByteSource = { path: this.#path, damage: undefined, close: () => undefined, readInto: (target) => this.#readInto(target) };
    return new LineSplitter(source, { ...this.#options, from: offset, to: undefined });
  }

  #readInto(target: Uint8Array): number {
    const bytes = attempt(this.#path, () => readSync(this.#fd, target, 0, target.length, this.#position));
    this.#options.onRead?.(bytes);
    this.#position += bytes;
    return bytes;
  }

  #sizeBytes(): number {
    return fstatSync(this.#fd).size;
  }

  #lastRead(): Mark {
    const bytes = this.#splitter.lastRead(FOLLOW_TAIL_BYTES);
    return { offset: this.#splitter.readOffset - bytes.length, bytes };
  }

  #delivered(): Mark {
    const bytes = this.#splitter.delivered();
    return { offset: this.offset - bytes.length, bytes };
  }

  /** Remembers the bytes that were delivered last, and those of the beginning as far as they are known by now. */
  #remember(): void {
    const { offset: from, bytes: delivered } = this.#delivered();
    const known = endOf(this.#tail) === from ? Buffer.concat([this.#tail.bytes, delivered.subarray(-FOLLOW_TAIL_BYTES)]) : delivered;
    const tail = Buffer.from(known.subarray(-FOLLOW_TAIL_BYTES));
    this.#tail = { offset: this.offset - tail.length, bytes: tail };
    const missing = FOLLOW_HEAD_BYTES - this.#head.bytes.length;
    if (missing > 0 && endOf(this.#head) === from) this.#head = { offset: 0, bytes: Buffer.concat([this.#head.bytes, delivered.subarray(0, missing)]) };
  }

  #isStill({ offset, bytes }: Mark): boolean {
    for (let from = 0; from < bytes.length; from += COMPARED_BYTES) {
      const part = bytes.subarray(from, from + COMPARED_BYTES);
      if (!this.#bytesAt(offset + from, part.length).equals(part)) return false;
    }
    return true;
  }

  #bytesAt(offset: number, length: number): Buffer {
    const bytes = Buffer.alloc(length);
    return bytes.subarray(0, attempt(this.#path, () => readSync(this.#fd, bytes, 0, length, offset)));
  }
}

function attempt<T>(path: string, call: () => T): T {
  try {
    return call();
  } catch (error) {
    throw tapeErrorOf(error, path);
  }
}
