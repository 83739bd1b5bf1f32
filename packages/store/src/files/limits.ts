/** Bytes of a file's head that a list reads: today's files hold 20 kB of instructions twice before the first prompt (66 kB seen). */
export const HEAD_BUDGET_BYTES = 72 * 1024;
/** Bytes of its tail, for how the newest turn stands. Together below 100 kB a thread. */
export const TAIL_BUDGET_BYTES = 20 * 1024;
/** Lines of a head; a bound for files of many tiny lines. */
export const HEAD_LINES = 20_000;
/** Segments of one thread that are followed; a longer chain is told as a problem. */
export const SEGMENT_LIMIT = 128;
/** A compressed file whose plain content is up to this size is decoded once for its large texts; beyond it, once for each. */
export const PLAIN_COPY_BYTES = 256 * 1024 * 1024;
/** Session bytes of the threads that a source keeps open between calls; rows take about as much memory as their files have bytes. */
export const OPENED_BYTES = 256 * 1024 * 1024;
