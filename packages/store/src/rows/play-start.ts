/** Positions from `from` to before `to`. */
export interface FactRange {
  readonly from: number;
  readonly to: number;
}

/** A place in a thread's files from which they can be played on: a line of a segment, and the player's state before it (null: at its beginning). */
export interface PlayStart {
  readonly position: number;
  /** Index of the segment, oldest first. */
  readonly segment: number;
  readonly offset: number;
  readonly player: string | null;
}

/** Where a place to play from is looked for: the last one up to a position, if it lies behind another. */
export interface StartQuery {
  readonly behind: number;
  readonly upTo: number;
}
