/** Bytes at the beginning, and before the checkpoint, by which a file is known again. */
export const HASH_BYTES = 4_096;
/** Bytes of a tape between two commits at least: a commit writes the player's whole state, and loses nothing but this when the process dies. */
export const COMMIT_BYTES = 2 * 1024 * 1024;
/** A commit for so many bytes of tape per byte of the player's state at least: states of threads with very many turns are large. */
export const COMMIT_STATE_RATIO = 3;
/** The same at most: what lies between two commits is in memory. */
export const COMMIT_MOST_BYTES = 24 * 1024 * 1024;
/** Changed rows that are held before they are written, where the bytes between two commits are `COMMIT_BYTES`: short lines make many rows. */
export const COMMIT_ROWS = 4_000;
/** Turns whose rows stay at hand behind a commit: what comes next mostly belongs to the newest. */
export const TURNS_KEPT = 2;
/** A last line without an end is taken into the rows of files up to this size only: when the line goes on, the rows are built anew. */
export const LOOSE_END_BYTES = 8 * 1024 * 1024;
/** Bytes of a tape between two places that it can be played from at least: what a look at a turn plays in vain is half of it. */
export const START_BYTES = 4 * 1024 * 1024;
/** The same per byte of the player's state: states of threads with very many turns are large, and all that are kept stay below a sixteenth of the tape before they are deflated. */
export const START_STATE_RATIO = 16;
