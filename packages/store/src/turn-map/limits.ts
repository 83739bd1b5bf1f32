/** Session bytes of the stretches that a history keeps between pages. */
export const STRETCHES_BYTES = 8 * 1024 * 1024;
/** A thread with fewer session bytes is read whole as soon. */
export const MAPPED_BYTES = 8 * 1024 * 1024;
/** Bytes of a stretch that is joined of several: a page may have to play it. */
export const JOINED_BYTES = 8 * 1024 * 1024;
/** Session bytes of the stretches of all histories that are kept. */
export const MAPS_BYTES = 4 * STRETCHES_BYTES;
/** How long a map stays that is not needed any more: whoever reads a large thread over it goes on. */
export const MAP_IDLE_MS = 600_000;
/** Session bytes that are mapped before rows are made, those of the newest threads: ten seconds of looking. */
export const MAPPED_AT_ONCE_BYTES = 4 * 1024 * 1024 * 1024;
