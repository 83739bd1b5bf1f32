/** How often progress is told: a person sees no more. */
export const PROGRESS_MS = 100;
/** How long a watching indexer waits for more changes before it looks: agents write several lines at once. */
export const SETTLE_MS = 50;
/** How often a watching indexer looks where the system tells it of no changes. */
export const POLL_MS = 2_000;
/** How often a watching indexer looks though nothing was told: events get lost. */
export const IDLE_MS = 30_000;
/** How long a watching indexer waits after a pass that failed; each time twice as long, up to `IDLE_MS`. */
export const RETRY_MS = 1_000;
/** How often it asks for the right to write while another process has it. */
export const HELD_MS = 5_000;
/** Bytes of lines whose facts are kept when turns are played for a page: usual places to play from lie closer together. */
export const PLAYED_BYTES = 8 * 1024 * 1024;
/** UTF-16 units of a player's state from which on its copies are collected after each commit: a thread of 30,000 turns has so much, and several copies of it are made. */
export const LARGE_STATE_CHARS = 4 * 1024 * 1024;
/** Room for new objects in the worker's heap, MB: V8 would let it grow to 48, most of it garbage of lines that are done with. Indexing takes about an eighth less of the CPU with 8, and some megabytes more. */
export const YOUNG_MB = 2;
/** By how much of what is used a heap may grow until it is collected, percent, while sessions are indexed: V8 would let it grow to four times as much. A bound of the whole heap would not do: a line of the greatest length is held several times while it is played. */
export const GROWING_PERCENT = 30;
/** The same where a player's state is large: there is more to go through at each collection. */
export const LARGE_GROWING_PERCENT = 100;
/** Session bytes of a pass behind which the worker gives back what its heap has grown to. */
export const LARGE_PASS_BYTES = 32 * 1024 * 1024;
