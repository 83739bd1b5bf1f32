import type { PlacedRealtime, ThreadHead } from '@tapefold/threads';
import type { SegmentStamp } from '../rows/segment-stamp.js';

/*
 * A turn map says of a large session file where its turns begin, and which of its lines can be played by themselves (stretches), so that any page is played from the lines that it shows. It is made
 * in a fraction of the time that rows take, of what little tells where turns are. Law: a history over a map answers what one over the rows of the same file answers.
 */

/** Where a turn begins. */
export interface TurnMark {
  readonly id: string;
  /** Number of the record. */
  readonly ordinal: number;
  /** Its first byte. */
  readonly offset: number;
  /** A stretch begins with it. */
  readonly isStart: boolean;
}

/** Lines of a file that can be played by themselves: bytes from, and to before; `ordinal`: of the record that begins its first turn. */
export interface Stretch {
  readonly ordinal: number;
  readonly from: number;
  readonly to: number;
}

/** What is found by a look through a file. `endOffset`: the end of its last line. */
export interface FoundTurns {
  readonly head: ThreadHead;
  readonly realtime: readonly PlacedRealtime[];
  readonly endOffset: number;
  /** In order, at least one; the first stretch begins with the first line of the file. */
  readonly marks: readonly TurnMark[];
}

/** What a map says beside its marks. `firstOrdinal`: of the first mark. */
export interface TurnMapState extends Pick<FoundTurns, 'head' | 'realtime' | 'endOffset'> {
  readonly stamp: SegmentStamp;
  readonly firstOrdinal: number;
  /** What could not be followed, one sentence each. */
  readonly problems: readonly string[];
}

/** A map as it is written. */
export interface TurnMap {
  readonly state: TurnMapState;
  readonly marks: readonly TurnMark[];
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
  /** The number of the first turn that begins at a byte or behind it; undefined where none does. */
  ordinalFrom(offset: number): number | undefined;
}
