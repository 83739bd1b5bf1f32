/** Bytes of an input line. A request is a few hundred; a longer line is skipped, so that a broken client cannot fill the memory. */
export const INPUT_LINE_BYTES = 4 * 1024 * 1024;
/** Bytes of requests that wait for their answer. Beyond it no input is taken until answers are: 100,000 ordinary calls fit. */
export const PENDING_BYTES = 32 * 1024 * 1024;
/** Calls that are worked on at the same time; more would only hold more threads open at once. */
export const RUNNING_CALLS = 8;
/** Characters that are handed to the output at once: a system call per turn would cost more than the turn. */
export const OUTPUT_CHUNK_CHARS = 64 * 1024;
/** Session bytes that one `thread/search` looks through; the answer says where to go on. */
export const SEARCH_BYTES = 512 * 1024 * 1024;
