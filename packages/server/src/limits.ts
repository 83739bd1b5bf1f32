/** Bytes of an input line. A request is a few hundred; a longer line is skipped, so that a broken client cannot fill the memory. */
export const INPUT_LINE_BYTES = 4 * 1024 * 1024;
/** Bytes of requests that wait for their answer. Beyond it no input is taken until answers are: 100,000 ordinary calls fit. */
export const PENDING_BYTES = 32 * 1024 * 1024;
/** Calls that are worked on at the same time; more would only hold more threads open at once. */
export const RUNNING_CALLS = 8;
/** Bytes that are put together before they are handed to the output: a system call per turn would cost more than the turn. */
export const OUTPUT_BLOCK_BYTES = 192 * 1024;
/** The same for the beginning of a message: most are no longer. */
export const FIRST_BLOCK_BYTES = 16 * 1024;
/** From so many bytes on a message of the transcript WebSocket is compressed for clients that take it: text on its way is shorter, and would cost each reader more than it saves. */
export const COMPRESSED_BYTES = 1024;
/** Session bytes that one `thread/search` looks through; the answer says where to go on. */
export const SEARCH_BYTES = 512 * 1024 * 1024;

/** UTF-16 units of an answer that is kept in case it is asked for again: pages are mostly shorter. */
export const KEPT_ANSWER_CHARS = 256 * 1024;
/** The same of all answers that are kept. */
export const KEPT_ANSWERS_CHARS = 4 * 1024 * 1024;

/** Bytes of one WebSocket message of a client. There may be many clients, so it is less than a line of the one client on standard input. */
export const SOCKET_MESSAGE_BYTES = 1024 * 1024;
/** Bytes of requests of one WebSocket that wait for their answer: several thousand ordinary calls. */
export const SOCKET_PENDING_BYTES = 1024 * 1024;
/** Calls of one WebSocket that are worked on at the same time. */
export const SOCKET_RUNNING_CALLS = 4;
/** Bytes of the head of an HTTP request: browsers send two or three thousand. */
export const HEAD_BYTES = 16 * 1024;
/** Addresses of which failed attempts are remembered; beyond it the oldest is forgotten. */
export const WATCHED_ADDRESSES = 4096;

/** Bounds of a listener that a test may want smaller. Times are milliseconds. */
export interface ListenerLimits {
  /** Connections at a time; one more is closed at once. */
  readonly connections: number;
  /** Until the head of a request has come whole. */
  readonly headMs: number;
  /** Until a request has come whole. */
  readonly requestMs: number;
  /** Without a byte in either direction, until an HTTP connection is closed. */
  readonly idleMs: number;
  /** Between two pings of a WebSocket; one that answered none since the last is closed. */
  readonly pingMs: number;
  /** Between two pings of the transcript WebSocket, which are messages of their own; silence for two of them closes it. */
  readonly heartbeatMs: number;
  /** What answers in flight have at a stop. */
  readonly graceMs: number;
}

/** What people at desks, their programs, and a wall of readers of one session never notice. */
export const listenerLimits: ListenerLimits = { connections: 2_048, headMs: 10_000, requestMs: 15_000, idleMs: 60_000, pingMs: 30_000, heartbeatMs: 10_000, graceMs: 5_000 };
/** REST requests that are worked on at the same time, over all connections of a listener, and those that wait for it. More are told to come back. */
export const REST_RUNNING = 8;
export const REST_WAITING = 256;
/** Sessions that one transcript WebSocket follows at a time. */
export const FOLLOWED_SESSIONS = 64;
/** Control messages of a transcript WebSocket that wait for their turn. */
export const WAITING_FRAMES = 256;
/** Bytes of one control message of a transcript WebSocket: it names sessions and agents. */
export const FRAME_BYTES = 256 * 1024;
/** Rounds of practice before the first input is read: in the first one the code of a page is compiled, in the second the engine sees it used. Each takes some 20 ms, a start without them 200 ms. */
export const WARM_UP_ROUNDS = 2;
/** UTF-16 units (or bytes) of whole threads that are read for practice once rows are there, and of how many threads at most: about a tenth of a second. */
export const ROW_PRACTICE_CHARS = 4 * 1024 * 1024;
export const ROW_PRACTICE_THREADS = 64;
/** A client that has asked nothing for so long after `initialize` leaves time for reading ahead what it will ask for; one that asks at once is not made to wait for that. */
export const READ_AHEAD_AFTER_MS = 50;

/** The pause between two batches of one agent: quicker than that no eye tells apart, and 100 deltas a second become 40 frames. */
export const COALESCE_MS = 25;
/** Numbers that are reserved on the disk at once: at 40 batches a second a block lasts 25 seconds, and a crash leaves at most so many unused. */
export const SEQ_BLOCK = 1_000;
/** Batches that wait for one reader of a session. Then batches of appends only are left out, and of the others one baseline takes the place. */
export const WAITING_BATCHES = 256;
/** Turns of a baseline: what a first screen shows; older ones are pages. */
export const RESET_TURNS = 20;
/** How long a session that nobody follows any more stays open: who comes back meanwhile is told what was missed. */
export const IDLE_SESSION_MS = 60_000;
/** Sessions that stay open without a reader, at most. */
export const IDLE_SESSIONS = 16;
/** How long a turn that no record ends counts as running after the last record: commands may be silent for minutes, and a killed agent must not seem to run for ever. */
export const QUIET_MS = 300_000;
/** Between a record that speaks of an agent and the look for its file, which is made about then. */
export const AGENT_LOOK_MS = 250;
/** Times that a file may be rewritten while it is read from its start. */
export const RESTARTS = 5;
/** Facts of one thread that the bus of recorders holds for who begins to follow it; a thread without a file in the homes can be followed as long as they reach back to its beginning. */
export const BUS_FACTS = 20_000;
/** About how many characters of facts the bus holds, over all threads. Beyond it those of the threads that were heard of longest ago go first. */
export const BUS_CHARS = 128 * 1024 * 1024;
/** Threads that recorders in other processes may publish at a time. */
export const BUS_THREADS = 256;
/** A recorder in another process that says nothing for so long counts as gone; it says that it is there three times as often. */
export const RECORDER_SILENT_MS = 30_000;
/** Bytes of one request of a recorder: recorders send a quarter of a megabyte at once, and one fact may be larger. */
export const INGEST_BYTES = 8 * 1024 * 1024;
/** Bytes of such requests that are being read at the same time; one more is told to come back. */
export const INGEST_READING_BYTES = 32 * 1024 * 1024;
/** Between two looks whether the process is still there that has a thread open. */
export const WRITER_LOOK_MS = 5_000;
/** Threads that are watched for JSON-RPC clients at a time: those that run, on one machine a handful. Beyond it the one that was heard of longest ago is watched no more. */
export const WATCHED_THREADS = 64;
/** Threads of which one JSON-RPC client is told everything: those that it asked for last. */
export const CLIENT_THREADS = 64;
/** After a client's handshake, before the homes are looked through for threads that run: who asks at once is answered first. */
export const LIVE_LOOK_MS = 500;
/** Between a new session file and the look what it is: its first lines come together. */
export const NEW_FILE_MS = 200;
/** Folders of a home that are watched for growing files, the newest; further ones are looked at from time to time. */
export const HOME_FOLDERS = 512;
/** How long an answer about a thread that runs waits until it is known what is open in it. */
export const ATTEND_MS = 2_000;
/** Characters of notifications that wait for a client. Then deltas are left out; beyond four times as many everything is, and the client is told to read anew. */
export const NOTICE_CHARS = 1024 * 1024;
