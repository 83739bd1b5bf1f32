import type { PlacedRealtime, ThreadHead } from '@tapefold/threads';
import type { SegmentStamp } from '../rows/segment-stamp.js';

/*
 * A turn map says of a thread's large session files where its turns begin, and which of its lines can be played by themselves (stretches), so that any page is played from the lines that it shows. It is made
 * in a fraction of the time that rows take, of what little tells where turns are. Law: a history over a map answers what one over the rows of the same files answers.
 */

/** Where a turn begins. */
export interface TurnMark {
  readonly id: string;
  /** Number of the record. */
  readonly ordinal: number;
  /** Its first byte, of all files in a row. */
  readonly offset: number;
  /** A stretch begins with it. */
  readonly isStart: boolean;
}

/**
 * Lines of a file that can be played by themselves. `ordinal`: of the record that begins its first turn; `file`: which of the files it is of; bytes of that file, from, and to before; `position`: the first of them, of all files in a row.
 */
export interface Stretch {
  readonly ordinal: number;
  readonly file: number;
  readonly from: number;
  readonly to: number;
  readonly position: number;
}

/** One of the files: its bytes of all files in a row, from, and to before, and the number of its first mark; null where no turn begins in it. `threadId`: of the thread that it says it is of, since a fork goes on from another one's file. */
export interface MappedBytes {
  readonly threadId: string;
  readonly from: number;
  readonly to: number;
  readonly firstOrdinal: number | null;
}

/** What is found by a look through the files of a thread, oldest first. */
export interface FoundTurns {
  readonly head: ThreadHead;
  readonly realtime: readonly PlacedRealtime[];
  readonly files: readonly MappedBytes[];
  /** In order, at least one; the first stretch of a file begins with its first line. */
  readonly marks: readonly TurnMark[];
}

/** What a map says beside its marks. `ordinals`: of the first mark that begins a stretch, and of the last. */
export interface TurnMapState extends Omit<FoundTurns, 'marks'> {
  readonly stamps: readonly SegmentStamp[];
  readonly ordinals: readonly [first: number, last: number];
  /** What could not be followed, one sentence each. */
  readonly problems: readonly string[];
}

/** A map as it is written. */
export interface TurnMap {
  readonly state: TurnMapState;
  readonly marks: readonly TurnMark[];
}

/** A history with a map. `idleSinceMs`: since when it was not needed any more (Unix ms); null where it is. */
export interface MapInUse {
  readonly name: string;
  readonly idleSinceMs: number | null;
}

/** A map as it is read: its marks are looked up. Throws a `StoreError` (`rewritten`) once another one took its place. */
export interface StoredTurnMap {
  /** Names it: the same text, the same marks. */
  readonly stamp: string;
  readonly rowsVersion: number;
  readonly state: TurnMapState;
  /** The stretch in which a record stands; the last one for a number behind all. */
  stretchAt(ordinal: number): Stretch;
  /** The stretch behind one, or the one before it. */
  nextTo(stretch: Stretch, side: 'behind' | 'before'): Stretch | undefined;
  /** Stretches with turns of an id, in order. */
  stretchesOf(turnId: string): readonly Stretch[];
  /** The number of the first turn that begins at a byte (of all files in a row) or behind it; undefined where none does. */
  ordinalFrom(offset: number): number | undefined;
}
