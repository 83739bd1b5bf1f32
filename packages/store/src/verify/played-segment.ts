import type { TapeLine } from '@tapefold/facts';
import { type TapeEnd, openTapeLinesSync } from '@tapefold/tapes';
import { setImmediate } from 'node:timers/promises';
import { ordinalOf } from '../files/segment-lines.js';
import type { Segment } from '../files/shelf.js';
import { LOOSE_END_BYTES } from '../indexing/limits.js';
import type { SegmentStamp } from '../rows/segment-stamp.js';

/** What follows in a file behind the bytes that rows were made of: nothing; a line; or one that the indexer left out, since it had no end then (`torn`, `large` where it was not even looked at), or lies behind the `cut`. */
export type Behind = 'nothing' | 'line' | 'torn' | 'large' | 'cut';

/** How the play of a segment ended. */
export interface SegmentEnd {
  /** The end of the last line of those that begin before the bytes that rows were made of: the same, where these end with a line. */
  readonly bytes: number;
  readonly behind: Behind;
  /** The last line had no end when it was played. */
  readonly isLoose: boolean;
  /** Why the content ends too early. */
  readonly damage: string | undefined;
  /** Where the content ended. */
  readonly endOffset: number;
}

/** The lines of a segment, up to the bytes that rows were made of, and what is behind them. What grew since does not count. */
export class PlayedSegment {
  readonly #segment: Segment;
  readonly #stamp: SegmentStamp;
  /** Bytes of the file as they are in it, and all that there were then. */
  readonly #plainBytes: number | undefined;
  #end: SegmentEnd;

  constructor(segment: Segment, stamp: SegmentStamp) {
    this.#segment = segment;
    this.#stamp = stamp;
    const thenBytes = Math.max(stamp.sizeBytes, stamp.bytes);
    this.#plainBytes = segment.file.form === 'lines' ? thenBytes : undefined;
    this.#end = { bytes: 0, behind: 'nothing', isLoose: false, damage: undefined, endOffset: thenBytes };
  }

  /** Valid once all lines were taken. */
  get end(): SegmentEnd { return this.#end; }

  /** Throws `TapeError`. */
  async *lines(): AsyncGenerator<readonly TapeLine[]> {
    const batches = openTapeLinesSync(this.#segment.file.path, { to: this.#segment.endOffset });
    try {
      for (;;) {
        const next = batches.next();
        if (next.done) return this.#whole(next.value);
        const lines = next.value.filter(({ offset }) => offset < this.#stamp.bytes);
        const last = lines.at(-1);
        if (last) this.#played(last);
        yield lines;
        const behind = next.value[lines.length];
        if (behind && this.#isOver(behind)) return;
        await setImmediate();
      }
    } finally {
      batches.return(undefined as never);
    }
  }

  #played(line: TapeLine): void {
    const isLoose = this.#wasTorn(line);
    const end = line.offset + line.length;
    this.#end = { ...this.#end, bytes: isLoose ? Math.min(end, this.#plainBytes ?? end) : end, isLoose };
  }

  #wasTorn({ offset, length, isTerminated }: TapeLine): boolean {
    return this.#plainBytes !== undefined && (!isTerminated || offset + length > this.#plainBytes);
  }

  /** The first line behind tells whether all was played; how a compressed file ends is still to be found out. */
  #isOver(line: TapeLine): boolean {
    if (this.#end.behind === 'nothing') this.#end = { ...this.#end, behind: this.#behind(line) };
    return this.#plainBytes !== undefined || this.#end.behind === 'cut';
  }

  #behind(line: TapeLine): Behind {
    const { endOffset, endOrdinal } = this.#segment;
    if (endOffset === undefined && endOrdinal !== undefined && (ordinalOf(line) ?? -1) >= endOrdinal) return 'cut';
    if (!this.#wasTorn(line)) return 'line';
    return line.offset > LOOSE_END_BYTES ? 'large' : 'torn';
  }

  #whole({ damage, endOffset }: TapeEnd): void {
    if (this.#plainBytes === undefined) this.#end = { ...this.#end, damage: damage?.message, endOffset };
  }
}
