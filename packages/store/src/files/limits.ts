/** Bytes of a file's head that a list reads: today's files hold 20 kB of instructions twice before the first prompt (66 kB seen). */
export const HEAD_BUDGET_BYTES = 72 * 1024;
/** Bytes of a head whose first prompt lies behind longer instructions than that: few files are so, and without it they have no title. */
export const LONG_HEAD_BYTES = 1024 * 1024;
/** Bytes of its tail, for how the newest turn stands. Together below 100 kB a thread. */
export const TAIL_BUDGET_BYTES = 20 * 1024;
/** The same of a Claude session: its first prompt comes early, and with the tail and a sub-agent's note (16 kB at most) it stays below 100 kB, too. */
export const CLAUDE_HEAD_BYTES = 56 * 1024;
/** Bytes in which the first lines of a Claude session stand, for telling forks and summaries of other sessions: part of its head. */
export const BEGINNING_BYTES = 16 * 1024;
/** Lines of a head; a bound for files of many tiny lines. */
export const HEAD_LINES = 20_000;
/** Segments of one thread that are followed; a longer chain is told as a problem. */
export const SEGMENT_LIMIT = 128;
/** A compressed file whose plain content is up to this size is decoded once for its large texts; beyond it, once for each. */
export const PLAIN_COPY_BYTES = 256 * 1024 * 1024;
/** Session bytes of the threads that a source keeps open between calls; rows take about as much memory as their files have bytes. */
export const OPENED_BYTES = 256 * 1024 * 1024;
/** The same for pages of newest turns: some twenty ordinary ones. */
export const NEWEST_BYTES = 16 * 1024 * 1024;
/** A thread whose newest file is smaller is played whole: that is as fast as a look at its tail, and its ids are the original's. */
export const WHOLE_FILE_BYTES = 8 * 1024 * 1024;
/** First window of a backward look; it doubles until it holds the turns that are wanted. */
export const TAIL_WINDOW_BYTES = 256 * 1024;
/** Bytes of a page that is read backwards; beyond it the page holds the turns that were found. */
export const TAIL_PAGE_BYTES = 16 * 1024 * 1024;
/** Bytes behind a page in which late records of its turns are looked for: an interrupted command is written after the next turn. */
export const LATE_RECORD_BYTES = 1024 * 1024;
/** A line in which a window begins is skipped up to this length. */
export const LINE_START_BYTES = 4 * 1024 * 1024;
/** First step of looking for that line's end; it doubles. */
export const LINE_START_STEP_BYTES = 4 * 1024;
/** Bytes of a scan for a preview. */
export const PREVIEW_BYTES = 1024 * 1024;
/** Turns that a step of that scan looks for: most hold more than six lines. */
export const PREVIEW_TURNS = 2;
/** Bytes of an output beside a session that are read for it; of a larger one the preview in the session file is shown. */
export const STORED_OUTPUT_BYTES = 16 * 1024 * 1024;
/** Bytes of a note beside the logs of a Kimi session: it names every sub-agent, about 300 bytes each, and is read once for all of them. */
export const KIMI_NOTE_BYTES = 1024 * 1024;
/** A log of kimi-cli that is no longer than this may hold nothing but its first line; then the history beside it tells what was said. */
export const BARE_LOG_BYTES = 1024;
/** Bytes of the head of a Kimi log: its prompts stand early, and with the tail it stays below 100 kB. */
export const KIMI_HEAD_BYTES = 64 * 1024;
