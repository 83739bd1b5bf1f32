/**
 * Bytes read at once going forward: large enough that a system call costs nothing beside `JSON.parse`, small enough that the lines of a chunk, which live
 * until they are played, cost little memory (a chunk of 1 MiB is no faster and takes 20 MB more at the peak).
 */
export const FORWARD_CHUNK_BYTES = 262_144;

/** A line with more bytes than this is reported and skipped: the longest real ones (an image in base64) stay well below. */
export const MAX_LINE_BYTES = 67_108_864;

/** What a preview may read from the end of a tape, and in which steps: one step holds the last turn of most threads. */
export const BACKWARD_BUDGET_BYTES = 1_048_576;
/** One such step. */
export const BACKWARD_CHUNK_BYTES = 65_536;

/** Steps of a head read: `session_meta` with its instructions is about 20 KB, and a list reads the head of every thread. */
export const HEAD_CHUNK_BYTES = 32_768;
/** First step of a head read that goes on beyond its bound. */
export const HEAD_STEP_BYTES = 4 * 1024;
/** A head read ends here: room for the instructions of today's files, and a list of thousands of threads stays quick. */
export const HEAD_MAX_BYTES = 65_536;
/** Or here: what a list shows stands in the first few lines. */
export const HEAD_MAX_LINES = 10;

/** Compressed bytes read at once: a block of zstd is at most 128 KiB, and a head read must not pull in more than it needs. */
export const ZSTD_CHUNK_BYTES = 65_536;

/** Largest window of a compressed frame. Beyond it fzstd reads match offsets wrongly, and the window is memory. Codex writes level 3: 2 MiB. */
export const ZSTD_WINDOW_BYTES = 33_554_432;

/** What the sniff of a file's form or kind looks at. */
export const SNIFF_BYTES = 4_096;

/** Folders below a home that a walk enters: `sessions/YYYY/MM/DD` is four, and people nest archives a little deeper. */
export const WALK_DEPTH = 12;

/** Entries a walk looks at before it says that it stops: ten times the files of the largest home known. */
export const WALK_ENTRIES = 1_000_000;

/** First size of the buffer that a writer encodes lines into: nearly every fact fits, and it grows to the longest line. */
export const WRITE_BUFFER_BYTES = 65_536;
/** A buffer that grew beyond this for one large fact is let go. */
export const WRITE_BUFFER_KEPT_BYTES = 1_048_576;

/** How often a tape that another program just opened is tried again: two that open it at the same moment both withdraw. */
export const LOCK_ATTEMPTS = 4;
/** Longest wait before such an attempt; the real one is random below it. */
export const LOCK_WAIT_MS = 40;

/** A document beside a tape may have so many bytes: readers hold it whole to check it. */
export const MAX_BLOB_BYTES = 268_435_456;

/** Facts that a recorder has written and not told, since a barrier is still to come. Beyond it the disk is too slow for what is recorded, and the recorder says so. */
export const HELD_FACTS = 10_000;

/** Bytes of the beginning of a followed file that are remembered, to notice that another one was written in its place: more than the first record of most. */
export const FOLLOW_HEAD_BYTES = 4_096;
/** Bytes before the place where following stands that are remembered for the same, and of an unfinished line. */
export const FOLLOW_TAIL_BYTES = 1_024;
/** Where the system gives no events (its watches are used up, a network drive): time between two looks, below the 200 ms in which an append is to be noticed. */
export const FOLLOW_POLL_MS = 150;
/** Folders above a followed file that are watched: those of a date, and the one that holds them. */
export const FOLLOW_FOLDERS = 4;

/** Folders of a home that are watched; the system has some ten thousand watches for all programs of a person. Further ones, the oldest, are looked at from time to time. */
export const WATCHED_FOLDERS = 2_048;
/** Time between two such looks. */
export const UNWATCHED_LOOK_MS = 15_000;
/** Changed paths that wait to be told; when there are more, the whole is to be looked through anew. */
export const WAITING_CHANGES = 4_096;

/** Characters that a publisher sends at once, about: a request is over quickly, and a long tape takes few of them. */
export const PUBLISH_BATCH_CHARS = 262_144;
/** Bytes of one published line: what servers take at once, less some room. A fact that is longer with its large texts goes without them. */
export const PUBLISH_LINE_BYTES = 7_340_032;
/** Characters that wait to be published. Beyond it text on its way is dropped, and then facts, which are read back from the tape. */
export const OUTBOX_CHARS = 4_194_304;
/** The pause between two requests of a publisher: quicker than that no eye tells apart. */
export const PUBLISH_PAUSE_MS = 25;
/** How often a publisher that has nothing to say says that it is there: servers take three times as long a silence for its end. */
export const PUBLISH_BEAT_MS = 10_000;
/** Longest wait for an answer. */
export const PUBLISH_ANSWER_MS = 15_000;
/** First pause before another try, and the longest; each is twice the one before. */
export const PUBLISH_RETRY_MS = 250;
export const PUBLISH_LAST_RETRY_MS = 10_000;
/** How long a publisher that is closed tries to say the rest. */
export const PUBLISH_CLOSE_MS = 2_000;
