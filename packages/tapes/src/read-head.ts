import type { TapeLine } from '@tapefold/facts';
import type { ByteSource, OnRead } from './byte-source.js';
import { HEAD_CHUNK_BYTES, HEAD_MAX_BYTES, HEAD_MAX_LINES } from './limits.js';
import { openSource } from './open-source.js';
import { splitLines } from './split-lines.js';

/** Bounds of a head read. `maxBytes` of plain content (default 64 KiB), `maxLines` (default 10). */
export interface HeadOptions {
  readonly maxBytes?: number | undefined;
  readonly maxLines?: number | undefined;
  readonly onRead?: OnRead | undefined;
}

/** The first lines of a tape and the bound that ended them: `end` means that they are all there are. */
export interface HeadLines {
  readonly lines: readonly TapeLine[];
  readonly endedBy: 'end' | 'maxBytes' | 'maxLines' | 'damage';
}

/**
 * The first lines, complete ones only (a last line without newline counts when the file ends with it). Reads at most `maxBytes` and one
 * byte of a plain file, whole compressed blocks of a `.zst`. Throws `TapeError` of opening and reading.
 */
export function readHeadLines(path: string, options: HeadOptions = {}): HeadLines {
  const maxLines = options.maxLines ?? HEAD_MAX_LINES;
  const source = openSource(path, { onRead: options.onRead });
  const head = limited(source, options.maxBytes ?? HEAD_MAX_BYTES);
  try {
    const lines: TapeLine[] = [];
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

/** A source that ends after `maxBytes`; `isCut` tells that the content went on, for which one more byte is asked. */
function limited(source: ByteSource, maxBytes: number): { source: ByteSource; isCut: () => boolean } {
  let left = maxBytes;
  let isCut = false;
  const readInto = (target: Uint8Array): number => {
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
