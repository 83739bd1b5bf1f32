/** UTF-16 units of a text that are searched; what lies behind is told as left out. */
export const TEXT_CHARS = 1_048_576;
/** UTF-16 units of a query. */
export const QUERY_CHARS = 16_384;
/** Words and phrases of a query. */
export const QUERY_TERMS = 32;
/** Trigrams of one term that the index is asked for: more would cost more than they sort out. */
export const TRIGRAMS_ASKED = 12;
/** Items of which the text is looked at for one answer, where nobody says otherwise; where the index names more, the newest threads come first. */
export const LOOKED_AT = 500;
/** Text that is looked at for one answer, UTF-16 units for each of these items. */
export const LOOKED_AT_CHARS = 16_384;
/** Where the index names too many: the share of these that have to match before older threads are left alone. */
export const ENOUGH_MATCHES = 0.25;
/** Threads up to which a filter makes it cheaper to ask the index thread by thread. */
export const FEW_THREADS = 8;
/** Items that the index may name in all threads for terms of one or two letters: where it names more, every text is looked at. */
export const NAMED_SHORT = 1_024;
/** Threads that the index is asked for at first where it names more, and at a time later on. */
export const THREADS_AT_FIRST = 16;
export const THREADS_AT_ONCE = 64;
/** Items between two looks at the clock. */
export const CLOCK_STEP = 16;
/** How long a search looks at texts where nobody says otherwise. */
export const SEARCH_MS = 1_000;
/** Hits of one answer at most. */
export const HITS = 500;
/** Places of a term in one text that are counted. */
export const COUNTED_PLACES = 32;
/** UTF-16 units of a snippet, and those of it before the first place. */
export const SNIPPET_CHARS = 200;
export const SNIPPET_BEFORE = 60;
/** Items of one thread, and of all, up to which a search of the protocol goes by the index: more are found sooner by looking. */
export const SAID_ITEMS = 2_000;
export const SAID_THREADS = 50_000;
/** Rows of the queue, and text, that one transaction indexes. */
export const BATCH_ROWS = 4_096;
export const BATCH_CHARS = 16_000_000;
/** Bytes of postings that SQLite collects before it writes them: fewer, larger pieces of the index. */
export const HASH_BYTES = 16_777_216;
