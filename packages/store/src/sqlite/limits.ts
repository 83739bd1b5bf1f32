/** How long a statement waits for another process that writes: longer than any commit of ours takes. */
export const BUSY_MS = 10_000;
/** Page cache of a connection, KiB: the upper levels of the trees of a database of some gigabytes. What it does not hold comes out of that of the system. */
export const CACHE_KIB = 2_048;
/** Pages (4 KiB) after which the write-ahead log is copied back: 16 MiB, so that it stays small and is not copied for every commit. */
export const WAL_PAGES = 4_096;
/** A holder of the right to write that gave no sign for so long has lost it. */
export const LEASE_SILENCE_MS = 30_000;
/** How often a holder gives a sign. */
export const LEASE_BEAT_MS = 3_000;
/** Blocks of records that a reader keeps decoded. */
export const BLOCKS_KEPT = 64;
/** Rows that are fetched first for the next that count: a page and a few. Each further fetch is twice as large, up to the second number. */
export const SCAN_FIRST_ROWS = 32;
export const SCAN_ROWS = 256;
/** Histories that a store keeps ready to be read: what was read of their state is small. */
export const READERS_KEPT = 32;
/** UTF-16 units from which on the body of an item is deflated: few of them, mostly outputs, hold nearly half of all text, and shrink to a third. */
export const DEFLATED_CHARS = 2_048;
/** Rows that are made at once when all of a thread are read: their texts are let go before they are many. */
export const ROWS_AT_ONCE = 32;
/** Rows of a list that are parsed at once: some ten milliseconds. */
export const LIST_ROWS_AT_ONCE = 256;
/** Bytes of a whole answer that are handed on at once: as many as are written to an output at once. */
export const BLOCK_BYTES = 192 * 1024;
