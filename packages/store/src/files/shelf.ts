import type { Fact, JsonValue, Player, TapeId } from '@tapefold/facts';
import type { Thread, ThreadHead } from '@tapefold/threads';
import type { NotTape, TapeForm, WalkProblem } from '@tapefold/tapes';
import type { AgentProgram, NewestTurns, OpenedThread, SessionMember, TailMark, ThreadSummary } from '../thread-source.js';
import type { FoundTurns, Stretch } from '../turn-map/turn-map.js';

/** Bytes really read are told to `OnRead`, so that a list can prove its bound. */
export type OnRead = (bytes: number) => void;

/** One session file of a home, with the id that names its tape. */
export interface ShelfFile {
  readonly path: string;
  /** The path that the agent shows. */
  readonly shownPath: string;
  readonly form: TapeForm;
  readonly isArchived: boolean;
  readonly sizeBytes: number;
  /** Milliseconds since 1970, as the file system has it. */
  readonly mtimeMs: number;
  readonly home: string;
  readonly tape: TapeId;
  /** Why it is not opened (it cannot be, or it leads out of the home): it is listed with this reason. */
  readonly unreadable?: string | undefined;
}

/** A session file as far as playing it goes: also one that lies in no home. */
export type PlayedFile = Pick<ShelfFile, 'shownPath' | 'path' | 'tape' | 'unreadable'> & {
  /** The public id of its thread as far as name and place tell; `isSure`: nothing in the file says it better. */
  readonly thread: { readonly id: string | undefined; readonly isSure: boolean };
  /** `checkpoint`: what an earlier player of this tape gave out, to go on from. */
  readonly createPlayer: (checkpoint?: JsonValue) => Player;
};

/** A piece of a thread: a file, up to a cut. */
export interface Segment {
  readonly file: ShelfFile;
  readonly endOffset: number | undefined;
  readonly endOrdinal: number | undefined;
}

/** What is wanted of a thread's newest part. */
export interface NewestQuery {
  readonly turns: number;
  readonly budgetBytes: number;
  readonly before?: TailMark | undefined;
  readonly onRead?: OnRead | undefined;
  /** Threads with fewer session bytes are read whole; `WHOLE_FILE_BYTES` where absent. */
  readonly wholeBytes?: number | undefined;
  /** Only what summaries of turns show is wanted: records that tell nothing of it need not be played. */
  readonly isSummary?: boolean | undefined;
  /** The page behind this one, where it is at hand: what was read with it is not read again. Of the same state of the files. */
  readonly newer?: NewestTurns | undefined;
}

/** Whole texts of outputs that the agent keeps beside a session file, which then holds a beginning only. */
export interface StoredOutputs {
  /** Takes the facts of the thread in order: some say where an output's text is. */
  note(fact: Fact): void;
  readonly whole: NonNullable<OpenedThread['wholeOutput']>;
}

/** Stretches of session files: lines of one that can be played by themselves. */
export interface FileStretches {
  /** Looks through files that go on from each other, oldest first; undefined where they have none that are sure, or the look was stopped. Throws `TapeError`. */
  find(segments: readonly Segment[], isStopped: () => boolean): Promise<FoundTurns | undefined>;
  /** Plays one of a file. `head`: as the look found it. Throws `TapeError`. */
  open(segment: Segment, head: ThreadHead, stretch: Stretch): Promise<Pick<OpenedThread, 'rows' | 'placeOf' | 'marks'>>;
}

/** One thread of a shelf: its files, and what of it the agent's own ways say. */
export interface ShelfThread {
  readonly shelf: Shelf;
  /** On the wire: a UUID. */
  readonly threadId: string;
  /** The newest of its files. */
  readonly file: ShelfFile;
  /** Why it is no thread after all, as a sentence: it is found by its id then, and in no list. */
  readonly notThread: string | undefined;
  /** The session that it is part of, and as which agent. */
  member(): SessionMember;
  row(): ThreadSummary;
  /** A row for each of its files that a list by files shows. */
  fileRows(): ThreadSummary[];
  /** The public object, without turns, from what a fold of head or whole came to. */
  object(head: ThreadHead): Thread;
  /** The pieces, oldest first, and what of them is missing. */
  segments(): { readonly segments: readonly Segment[]; readonly problems: readonly string[] };
  /** Whether a fact of its files is the thread's own: files of old versions hold the lines of sub-agents too. */
  owns(fact: Fact): boolean;
  /** Whether a fact of its files is told of the thread: its own, and for a session what its file says of sub-agents. */
  tells(fact: Fact): boolean;
  /** A fact as the fold takes it: with the ids that are shown. */
  shown(fact: Fact): Fact;
  /** Texts that the agent keeps beside the files; undefined for an agent that keeps none. */
  outputs(): StoredOutputs | undefined;
  /** Absent for agents whose files have no stretches. */
  readonly stretches?: FileStretches | undefined;
  /** The newest turns from the end of the file; undefined where the thread is better or only read whole. */
  openNewest(query: NewestQuery): NewestTurns | undefined;
}

/** A thread that an id may mean. `isExact`: the id is all of it. */
export interface IdMatch {
  readonly threadId: string;
  readonly isExact: boolean;
  readonly open: () => ShelfThread;
}

/** The homes of one agent program: which files there are, how they make threads, and which player plays them. Lists open a head and a tail of each file. */
export interface Shelf {
  readonly program: AgentProgram;
  readonly files: readonly ShelfFile[];
  readonly byTape: ReadonlyMap<TapeId, ShelfFile>;
  readonly notTapes: readonly NotTape[];
  readonly problems: readonly WalkProblem[];
  threads(): ShelfThread[];
  /** Threads whose id begins with `wanted` (lower case), by the names of files, or by what stands in them. */
  matching(wanted: string, where: 'names' | 'contents'): IdMatch[];
  /** Threads of a session, by its native id. Looks at no more files than tell which those are. */
  threadsOfSession(sessionId: string): ShelfThread[];
  /** The thread that a file is part of. */
  threadOf(file: ShelfFile): ShelfThread;
  /** The same, where a plain list would show it. Looks at that file alone where it would not. */
  plainThreadOf(file: ShelfFile): ShelfThread | undefined;
  played(file: ShelfFile): PlayedFile;
}
