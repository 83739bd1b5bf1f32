import type { TapeLine } from '@tapefold/facts';
import { type TapeEnd, openTapeLines } from '@tapefold/tapes';
import { StoreError } from '../errors.js';
import type { ReadProgress } from '../thread-source.js';
import type { Segment } from './shelf.js';
import { bytesOfSegments } from './segment-bytes.js';

/** The agent's own number of a line, which stands near its start. */
export function ordinalOf(line: TapeLine): number | undefined {
  const found = /"ordinal":\s*(\d+)/.exec(line.text?.slice(0, 200) ?? '')?.[1];
  return found === undefined ? undefined : Number(found);
}

/** Counts what was read over several files and tells it. */
export class Progress {
  readonly #told: ReadProgress;
  readonly #totalBytes: number;
  #bytes = 0;

  constructor(told: ReadProgress, segments: readonly Segment[]) {
    this.#told = told;
    this.#totalBytes = bytesOfSegments(segments);
  }

  add(bytes: number): void {
    this.#bytes += bytes;
    this.#told.onProgress?.(this.#bytes, this.#totalBytes);
  }
}

/**
 * The lines of a segment in batches, up to its cut: the byte where the file of the thread that goes on says it, else the agent's ordinal. `from`: the byte of a line to begin at. Returns how
 * the file ended, or undefined where an ordinal cut it.
 */
export async function* segmentLines({ file, endOffset, endOrdinal }: Segment, progress: Progress, from = 0): AsyncGenerator<readonly TapeLine[], TapeEnd | undefined> {
  if (file.unreadable !== undefined) throw new StoreError('damagedSource', { path: file.path, cause: file.unreadable });
  const batches = openTapeLines(file.path, { from, to: endOffset, onRead: (bytes) => progress.add(bytes) });
  try {
    for (;;) {
      const next = await batches.next();
      if (next.done) return next.value;
      const end = endOffset === undefined && endOrdinal !== undefined ? next.value.findIndex((line) => (ordinalOf(line) ?? -1) >= endOrdinal) : -1;
      yield end < 0 ? next.value : next.value.slice(0, end);
      if (end >= 0) return undefined;
    }
  } finally {
    await batches.return(undefined as never);
  }
}

/** Whether a line of the segments matches, as text; stops at the first. */
export async function anyLineMatches(segments: readonly Segment[], pattern: RegExp): Promise<boolean> {
  const progress = new Progress({}, []);
  for (const segment of segments) {
    const batches = segmentLines(segment, progress);
    try {
      for (let next = await batches.next(); !next.done; next = await batches.next()) {
        if (next.value.some(({ text }) => text !== undefined && pattern.test(text))) return true;
      }
    } finally {
      await batches.return(undefined);
    }
  }
  return false;
}
