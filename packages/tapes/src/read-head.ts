import type { TapeLine } from '@tapefold/facts';
import type { ByteSource, OnRead } from './byte-source.js';
import { HEAD_CHUNK_BYTES, HEAD_MAX_BYTES, HEAD_MAX_LINES, HEAD_STEP_BYTES } from './limits.js';
import { openSource } from './open-source.js';
import { splitLines } from './split-lines.js';

/** Bounds of a head read. `maxBytes` of plain content (default 64 KiB), `maxLines` (default 10). */
export interface HeadOptions {
  readonly maxBytes?: number | undefined;
  readonly maxLines?: number | undefined;
  /** Where `maxBytes` came too early: reading goes on, in steps that double, until the lines so far are enough or `maxBytes` of this is reached. */
  readonly longer?: { readonly maxBytes: number; readonly isEnough: (lines: readonly TapeLine[]) => boolean } | undefined;
  readonly onRead?: OnRead | undefined;
}

/** The first lines of a tape and the bound that ended them: `end` means that they are all there are. */
export interface HeadLines {
  readonly lines: readonly TapeLine[];
  readonly endedBy: 'end' | 'maxBytes' | 'maxLines' | 'damage';
}

/**
 * The first lines, complete ones only (a last line without newline counts when the file ends with it). Reads at most `maxBytes` (of `longer`) and one
 * byte of a plain file, whole compressed blocks of a `.zst`. Throws `TapeError` of opening and reading.
 */
export function readHeadLines(path: string, options: HeadOptions = {}): HeadLines {
  const maxLines = options.maxLines ?? HEAD_MAX_LINES;
  const maxBytes = options.maxBytes ?? HEAD_MAX_BYTES;
  const source = openSource(path, { onRead: options.onRead });
  const lines: TapeLine[] = [];
  const head = limited(source, maxBytes, furtherBytes(maxBytes, options.longer, lines));
  try {
    for (const batch of splitLines(head.source, { chunkBytes: HEAD_CHUNK_BYTES })) {
      lines.push(...batch);
      if (lines.length > maxLines) return { lines: lines.slice(0, maxLines), endedBy: 'maxLines' };
    }
    if (!head.isCut()) return { lines, endedBy: source.damage ? 'damage' : 'end' };
    return { lines: lines.filter((line) => line.isTerminated), endedBy: 'maxBytes' };
  } finally {
    source.close();
  }
}

/** How many bytes more are read each time that the bound is reached; 0: no more. */
function furtherBytes(maxBytes: number, longer: HeadOptions['longer'], lines: readonly TapeLine[]): () => number {
  let total = maxBytes;
  let step = HEAD_STEP_BYTES;
  return () => {
    if (!longer || longer.isEnough(lines)) return 0;
    const more = Math.min(step, Math.max(0, longer.maxBytes - total));
    total += more;
    step *= 2;
    return more;
  };
}

/** A source that ends after `maxBytes` and what `further` adds; `isCut` tells that the content went on, for which one more byte is asked. */
function limited(source: ByteSource, maxBytes: number, further: () => number): { source: ByteSource; isCut: () => boolean } {
  let left = maxBytes;
  let isCut = false;
  const readInto = (target: Uint8Array): number => {
    if (left === 0) left = further();
    if (left === 0) {
      isCut = source.readInto(new Uint8Array(1)) > 0;
      return 0;
    }
    const read = source.readInto(target.subarray(0, left));
    left -= read;
    return read;
  };
  return { source: { path: source.path, get damage() { return source.damage; }, close: () => source.close(), readInto }, isCut: () => isCut };
}
