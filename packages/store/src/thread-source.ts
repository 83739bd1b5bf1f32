import type { Fact, FactKey, JsonValue, Ledger, LineSpan, PieceReader, RecordPath } from '@tapefold/facts';
import type { BranchedRows, HistoryReader, HistoryRows, NotYetIndexed, PlaceOf, RecordMarks, Thread, ThreadHead } from '@tapefold/threads';
import type { FactRange } from './rows/play-start.js';
import type { PreviewResult } from '@tapefold/reading';
import type { AgentDescriptor, ResolvePlanRevisionKey } from '@tapefold/transcript';

/** An agent program whose session files are read. */
export type AgentProgram = 'codex' | 'claude' | 'kimi' | 'native';

/** A folder where an agent keeps its sessions. */
export interface HomeRef {
  readonly program: AgentProgram;
  readonly path: string;
}

/** How a thread's last turn stands, as far as its file's head and tail tell; `empty`: it has none. */
export type LastTurnStatus = 'completed' | 'interrupted' | 'failed' | 'open' | 'empty';

/** What Kimi's own list says of a session and a thread object has no place for. Times are Unix ms, as the session's state has them. */
export interface KimiSessionSummary {
  /** As the agent writes it. */
  readonly sessionId: string;
  /** `main`, or the sub-agent's own id. */
  readonly agentId: string;
  /** The folder of the working directory, as the agent names it. */
  readonly workspaceId: string;
  readonly title?: string | undefined;
  readonly lastPrompt?: string | undefined;
  readonly createdAtMs?: number | undefined;
  readonly updatedAtMs?: number | undefined;
  readonly archivedAtMs?: number | undefined;
  readonly lastTurn?: LastTurnStatus | undefined;
}

/** One row of the list. `thread` has no turns. What a look at head and tail does not tell is undefined, never guessed. */
export interface ThreadSummary {
  readonly thread: Thread;
  /** Who wrote it. */
  readonly program: AgentProgram;
  /** Path of the newest session file, as the agent shows it (without `.zst`). */
  readonly path: string;
  readonly isArchived: boolean;
  readonly isSubAgent: boolean;
  /** Whether its provider is the one that its home is configured with. */
  readonly isConfiguredProvider: boolean;
  /** Bytes of all of the thread's own session files, as they lie on disk. */
  readonly sizeBytes: number;
  readonly updatedAtMs: number;
  readonly turnCount: number | undefined;
  readonly lastTurn: LastTurnStatus | undefined;
  /** When the newest record was written, by its own word (Unix ms): a copied file is younger than what it holds. */
  readonly lastRecordAtMs: number | undefined;
  /** Why the file gives no thread, or less than it holds: one sentence. The row is shown all the same. */
  readonly problem: string | undefined;
  /** Of a thread of Kimi. */
  readonly kimi?: KimiSessionSummary | undefined;
}

/** Filters of a list; absent ones let everything through but archived threads and sub-agents. */
export interface ListQuery {
  readonly cwd?: string | undefined;
  readonly program?: AgentProgram | undefined;
  /** Only threads that changed at or after this time (Unix ms). */
  readonly sinceMs?: number | undefined;
  /** `only`: archived ones alone; `too`: both. Absent: none. */
  readonly archived?: 'only' | 'too' | undefined;
  readonly hasSubAgents?: boolean | undefined;
  /** A row for each session file of a thread that was reverted, as that file alone says it. */
  readonly byFile?: boolean | undefined;
  readonly limit?: number | undefined;
}

/** A list, and what it does not hold. */
export interface ThreadListing {
  /** Newest first, by time of change, then by id. */
  readonly rows: readonly ThreadSummary[];
  /** Rows that the limit left out. */
  readonly left: number;
  /** Folders and files that could not be looked into, each with the reason. */
  readonly problems: readonly { readonly path: string; readonly reason: string }[];
}

/** A fact with its place in the thread: its dense index over the thread's segments, oldest first. */
export interface PlacedFact {
  readonly position: number;
  readonly fact: Fact;
}

/** What reading a thread whole came to. */
export interface ThreadReading {
  /** Who wrote it. */
  readonly program: AgentProgram;
  /** When the newest record was written, by its own word (Unix ms). */
  readonly lastRecordAtMs: number | undefined;
  /** With all turns and items, settled. */
  readonly thread: Thread;
  /** What was left out or could not be followed (a base that is gone, damaged compression): one sentence each. */
  readonly problems: readonly string[];
}

/** A thread opened for paging: its folded rows in memory. Rows are shared between callers, so read them only. */
export interface OpenedThread {
  /** Who wrote it. */
  readonly program: AgentProgram;
  /** When the newest record was written, by its own word (Unix ms). */
  readonly lastRecordAtMs: number | undefined;
  /** Without turns. */
  readonly thread: Thread;
  readonly head: ThreadHead;
  readonly rows: HistoryRows & BranchedRows;
  /** Where a fact stands among the thread's records. */
  readonly placeOf: PlaceOf;
  /** Where records stand in their files. */
  readonly marks: RecordMarks;
  /** Reads large texts that rows only point to. */
  readonly readPiece: PieceReader;
  readonly problems: readonly string[];
  /**
   * The whole text of an output of which the session file holds a beginning only, from where the agent keeps it; undefined for any other text, and where
   * the whole is gone or too large. Absent for agents that keep none.
   */
  readonly wholeOutput?: ((output: { readonly itemId: string; readonly text: string }) => string | undefined) | undefined;
}

/** A thread opened for answers that go through it page by page. */
export interface ThreadHistory {
  readonly program: AgentProgram;
  /** Without turns. */
  readonly thread: Thread;
  readonly history: HistoryReader;
  readonly problems: readonly string[];
  /** Names the state of the rows that the history is made of: the same text, the same answers. Absent where it is made of files. */
  readonly stamp?: string | undefined;
  /** An index is kept, and does not have the thread whole: the history was made from its files. */
  readonly notYetIndexed?: NotYetIndexed | undefined;
  /** The newest turn that no record ended, by its key in this history. Absent where keys are those of the facts of the thread's files, counted from the first one on. */
  readonly openTurn?: (() => Promise<FactKey | undefined>) | undefined;
}

/** A thread as part of a session: sessions are named by their root thread's native id, agents as transcripts name them (the root is `main`). */
export interface SessionMember {
  readonly sessionId: string;
  readonly agent: AgentDescriptor;
  /** Where the document of a plan revision is, by its key; absent for agents that have no keys. */
  readonly resolvePlanKey?: ResolvePlanRevisionKey | undefined;
}

/** An agent of a session, and the thread that it is. */
export interface SessionAgent extends SessionMember {
  readonly threadId: string;
  /** Changes with its session files. */
  readonly stamp: string;
  /** Bytes of its session files. */
  readonly sizeBytes: number;
}

/** A session: its root thread and the agents below it, the root first, then in the order in which they were made. */
export interface SessionAgents {
  readonly program: AgentProgram;
  readonly sessionId: string;
  /** The agent whose thread was asked for. */
  readonly named: string;
  readonly agents: readonly SessionAgent[];
}

/** A place in a thread's files: everything before it is older. */
export interface TailMark {
  readonly tape: string;
  readonly offset: number;
}

/**
 * The newest turns of a large thread, read from the end. Turns and items are whole and in order; ids that need counting from the start are provisional
 * and begin with `~`, the same in every page; so are record numbers where records do not carry them (they count from the page's first). `older`: where the next page begins; null at the start of the history.
 */
export interface NewestTurns extends OpenedThread {
  readonly older: TailMark | null;
  /** Session bytes from its first line to its end. */
  readonly sizeBytes: number;
}

/** Which of a thread's newest turns. `isSummary`: what summaries of turns show is enough, so that items besides may be missing. */
export interface NewestTurnsQuery {
  readonly turns: number;
  readonly before?: TailMark | undefined;
  readonly budgetBytes?: number | undefined;
  readonly isSummary?: boolean | undefined;
  /** Threads with fewer session bytes are read whole (8 MiB where absent). */
  readonly wholeBytes?: number | undefined;
}

/** The ledger of one session file. */
export interface TapeReport {
  readonly path: string;
  readonly threadId: string | undefined;
  readonly ledger: Ledger;
  readonly facts: number;
  readonly problem: string | undefined;
}

/** What a path or an id is, and whether the list has it: `why` is one sentence. */
export interface PathExplanation {
  readonly path: string;
  readonly kind: string;
  /** Whether it, or the thread that it belongs to, is in the list. */
  readonly isListed: boolean;
  readonly why: string;
}

/** The value at a place of a tape; undefined where the tape no longer has it. Never throws. */
export type ValueReader = (place: { readonly tape: string; readonly line: LineSpan; readonly record: number; readonly path: RecordPath }) => JsonValue | undefined;

/** How long a read may report on its way; `bytes` read so far of `totalBytes`. */
export interface ReadProgress {
  readonly onProgress?: ((bytes: number, totalBytes: number) => void) | undefined;
}

/** Up to which fact of a thread, that one included; the whole thread where absent. One behind the last fact is a `StoreError` (`positionBehindEnd`). */
export interface AsOf {
  readonly asOf?: number | undefined;
}

/** Which facts: with `isOwn` without those that a session's file says of sub-agents. */
export interface FactsOptions extends ReadProgress, AsOf {
  readonly isOwn?: boolean | undefined;
}

/** How a thread is followed. `isOwn`: as in `FactsOptions`; `signal` ends it. */
export interface FollowOptions extends Pick<FactsOptions, 'isOwn'> {
  readonly signal: AbortSignal;
}

/**
 * What is told of a thread that is followed: its facts from the first on; that all that stands in its files by now was told; that they are not what they
 * were (follow it again); or that they are gone. The last two end it.
 */
export type ThreadGrowth =
  | { readonly kind: 'facts'; readonly facts: readonly PlacedFact[] }
  | { readonly kind: 'caughtUp' | 'restarted' | 'gone' };

/**
 * What an index has of a thread's own facts. `facts`: those that say which turns and entities there are, in order (`OutlineFilter`); all others are read where they
 * are needed.
 */
export interface FactOutline {
  /** Changes with the rows. */
  readonly stamp: string;
  readonly facts: readonly PlacedFact[];
  /** One behind the last position. */
  readonly end: number;
  /** The thread's own facts at some positions, in order, played from its files. */
  readonly in: (ranges: readonly FactRange[]) => AsyncGenerator<PlacedFact, void>;
}

/** How a thread is opened. */
export type OpenOptions = ReadProgress & AsOf;

/**
 * How a thread is read. `hasWholeOutputs`: with the whole of outputs of which the session file holds a beginning only; `hasAllBranches`: with turns and items
 * that are no part of the history any more, marked (`isSuperseded`).
 */
export interface ReadOptions extends OpenOptions {
  readonly hasWholeOutputs?: boolean | undefined;
  readonly hasAllBranches?: boolean | undefined;
}

/**
 * Where threads come from. Reading starts nothing and writes nothing. Refusals are `StoreError`s; damage is reported in the answer.
 * Ids may be shortened to a unique prefix; `last` is the newest thread that a plain list shows.
 */
export interface ThreadSource {
  list(query?: ListQuery): Promise<ThreadListing>;
  /** One row of the list, whatever a list would leave out. Reads no more than the list does. */
  summary(id: string): Promise<ThreadSummary>;
  read(id: string, options?: ReadOptions): Promise<ThreadReading>;
  /**
   * Opens a thread for paging; opened again while its files are unchanged, it costs nothing. `asOf`: as it was when that fact had been folded; what of a thread
   * stands outside of its facts (its name, its title, times of its files) is as it is now.
   */
  open(id: string, options?: OpenOptions): Promise<OpenedThread>;
  /** Opens a thread for pages: from rows where it is indexed, else by `open`. */
  history(id: string): Promise<ThreadHistory>;
  /**
   * The newest turns (before a mark: the turns just before it) without reading what came earlier. Undefined where the thread is read whole instead: it is
   * below 8 MiB, or only the whole file tells what its newest turns are.
   */
  openNewest(id: string, query: NewestTurnsQuery): Promise<NewestTurns | undefined>;
  /** How much of a thread is indexed, where an index is kept that does not have it whole; undefined elsewhere. Never waits for it. */
  notYetIndexed(id: string): Promise<NotYetIndexed | undefined>;
  /** Whether a line of the thread's session files matches as raw text: for a search that opens only what may hold the words. `pattern` has no flag `g` or `y`. */
  hasLine(id: string, pattern: RegExp): Promise<boolean>;
  /**
   * In which threads a term may be said, by id, literally and in any case: false where it is not, undefined where only a look at the thread tells. Absent, or undefined,
   * where there is no index that could tell.
   */
  mayBeSaid?(searchTerm: string): Promise<((threadId: string) => boolean | undefined) | undefined>;
  /**
   * The six newest lines that were said: by a scan of at most 1 MiB from the end, else from the whole thread. `isQuick` does without a preview where
   * that would mean to read a large thread whole (`outOfBudget`).
   */
  preview(id: string, options?: { readonly isQuick?: boolean | undefined }): Promise<PreviewResult>;
  facts(id: string, options?: FactsOptions): AsyncGenerator<PlacedFact>;
  /** What the thread's index has of its facts; undefined where there is none, or where it is behind the files. */
  outline?(id: string, options?: AsOf): Promise<FactOutline | undefined>;
  /** Facts that make the history which the model has now (`historyOf`): of entries that are no longer in it only the places are certain. */
  modelFacts(id: string, options?: OpenOptions): AsyncGenerator<PlacedFact>;
  /** A thread's facts, and then what is written to its files, by the events of the file system. Ends where the files cannot grow. */
  follow(id: string, options: FollowOptions): AsyncGenerator<ThreadGrowth>;
  /** The session that a thread is part of: by the id of any of its threads. */
  agents(id: string): Promise<SessionAgents>;
  /** Reads back what facts only point to: native records and large texts, of all tapes of the homes. */
  values(): Promise<ValueReader>;
  /** The ledgers of a thread's segments, oldest first, or of one session file; without an argument of every session file. */
  report(idOrPath?: string): AsyncGenerator<TapeReport>;
  explain(idOrPath: string): Promise<PathExplanation>;
}
