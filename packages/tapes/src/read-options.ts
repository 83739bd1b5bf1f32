import type { Buffer } from 'node:buffer';
import type { OnRead } from './byte-source.js';
import type { TapeError } from './errors.js';

/** What a forward read may be told. All offsets are bytes of the plain content. */
export interface ReadOptions {
  /** Start here: 0, or the start of a line. */
  readonly from?: number | undefined;
  /** Lines that start at or after this byte are not delivered. */
  readonly to?: number | undefined;
  /** A line with more bytes (its newline not counted) comes without text, flawed `tooLong`, and is never held. Default 64 MiB. */
  readonly maxLineBytes?: number | undefined;
  /** Bytes per read, at least 1. Default 1 MiB. */
  readonly chunkBytes?: number | undefined;
  readonly onRead?: OnRead | undefined;
  /** Lines for which this is true are passed over and never become text. */
  readonly skips?: SkipLine | undefined;
}

/** Tells by its raw bytes whether a line is of no use: `bytes[start, end)` is the line without its newline, and holds only during the call. Lines over the limit and a torn last line are not asked about. */
export type SkipLine = (bytes: Buffer, start: number, end: number) => boolean;

/** How a forward read ended; the return value of the generators. */
export interface TapeEnd {
  /** First byte that was not delivered: the end of the content, or the first line at or after `to`. */
  readonly endOffset: number;
  /** The content ends inside a line, an open document or a cut compression. */
  readonly isTorn: boolean;
  /** Set when the compression is damaged (`corruptCompression`): the lines before it were delivered, the rest cannot be. */
  readonly damage?: TapeError | undefined;
}
