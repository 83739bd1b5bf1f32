/** Batches that wait for a baseline or for missed ones, at most: as many as a server keeps for catching up, so more of them could not be joined anyway. */
export const BUFFERED_BATCHES = 2000;

/** Turns of one older page: what `GET …/transcript` gives without being asked. */
export const OLDER_PAGE_TURNS = 20;

/** Pause before the first new try to connect, or to subscribe where that was refused, in milliseconds: short enough that a server's restart is hardly seen. */
export const FIRST_RETRY_MS = 250;
/** Longest pause between two tries, in milliseconds; each is twice the one before. */
export const LAST_RETRY_MS = 10_000;
/** Heartbeats of the server that may be missed before the connection counts as dead: what the server allows its clients. */
export const SILENT_HEARTBEATS = 2;
