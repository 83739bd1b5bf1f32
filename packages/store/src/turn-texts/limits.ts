/** Raised when a turn is written otherwise than before: texts of another version are made anew. */
export const TURN_TEXTS_VERSION = 1;
/** Session bytes of a thread from which on its turns are kept as text: shorter ones are written from their rows in no time. */
export const KEPT_BYTES = 8 * 1024 * 1024;
/** How long nothing was written to a thread's newest file before its turns are kept: every record of a running thread would let them go. */
export const QUIET_MS = 10 * 60_000;
/** Bytes of a block of texts at least: it ends with a turn. With another number texts are of another version. */
export const TEXT_BLOCK_BYTES = 256 * 1024;
/** Bytes of a block at most, which is in memory as a whole: a thread with a longer turn is written from its rows. */
export const TEXT_BLOCK_MOST_BYTES = 16 * 1024 * 1024;
/** Items of a turn at most: those of some turns are in memory at once. */
export const TURN_ITEMS = 4_096;
/** The most of a thread's session bytes that its texts may take, deflated. */
export const TEXT_SHARE = 0.1;
