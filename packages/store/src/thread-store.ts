import type { PieceReader } from '@tapefold/facts';
import type { HistoryReader, ItemRow, KeptRows, NoticeRow, RealtimeRow, RecordList, RowAddresses, StepRow, Thread, ThreadHead, TurnRow } from '@tapefold/threads';
import type { OutlineState } from '@tapefold/transcript/fold';
import type { PlayStart, StartQuery } from './rows/play-start.js';
import type { OutlineBlock } from './rows/outline.js';
import type { Positions } from './rows/positions.js';
import type { SegmentStamp } from './rows/segment-stamp.js';
import type { ThreadSummary } from './thread-source.js';
import type { MapInUse, StoredTurnMap, TurnMap } from './turn-map/turn-map.js';

/** Raised when a player or a fold says something else of the same bytes: rows of another version are built anew. */
export const ROWS_VERSION = 3;

/** A history's number in a store; a rebuild keeps it. */
export type HistoryId = number;

/** A history up to its checkpoint: what the fold and the planning go on from. Small: it grows with segments, not with turns. */
export interface HistoryState {
  readonly head: ThreadHead;
  /** Facts of all segments up to the checkpoint: the position of the next one. */
  readonly position: number;
  /** The highest position whose changes were applied. */
  readonly appliedTo: number;
  /** When the newest fact was recorded, by its own word. */
  readonly lastAt: string | null;
  /** What the outline goes on from. */
  readonly outline: OutlineState;
  /** Segments that were begun, oldest first; the checkpoint stands in the last. */
  readonly segments: readonly SegmentStamp[];
  /** The newest records, behind those in blocks. */
  readonly records: RecordList;
  /** Bytes of all segments that rows were made of, and that there are. */
  readonly bytes: number;
  readonly totalBytes: number;
  /** All of the files was read. */
  readonly isWhole: boolean;
  /** A last line without an end is in the rows: it is read again when the file grows, so the rows are built anew then. */
  readonly hasLooseEnd: boolean;
  /** What could not be followed or read: one sentence each. */
  readonly problems: readonly string[];
}

/** Positions of a history, from, and to before, whose rows are those of another one: of `base`, at the same positions. */
export interface SharedSpan {
  readonly base: HistoryId;
  readonly from: number;
  readonly to: number;
}

/** What is known of a history for planning: no rows, no player. */
export interface HistoryEntry {
  readonly id: HistoryId;
  readonly name: string;
  readonly generation: number;
  /** Raised by every commit. */
  readonly version: number;
  readonly rowsVersion: number;
  readonly state: HistoryState;
  /** What it shares, in order, from position 0 on without a gap: nothing, for a history that no other begins like. */
  readonly shared: readonly SharedSpan[];
}

/** A history to go on with. `player`: JSON of the player's checkpoint; null where the tape's form can only be played whole. */
export interface HistoryCheckpoint extends HistoryEntry {
  readonly player: string | null;
}

/**
 * Rows and checkpoint of one commit. `isNew`: every older row of the history goes, and a new generation begins; histories that share them go with them, to be built anew. `shared`: from now on
 * rows of these positions, behind all that is shared so far, are those of another history, where they are equal; all rows of the history there are in this write.
 */
export interface HistoryWrite {
  readonly name: string;
  readonly isNew: boolean;
  readonly shared?: SharedSpan | undefined;
  readonly state: HistoryState;
  readonly player: string | null;
  readonly turns: readonly TurnRow[];
  readonly items: readonly ItemRow[];
  readonly steps: readonly StepRow[];
  readonly notices: readonly NoticeRow[];
  readonly realtime: readonly RealtimeRow[];
  /** Blocks of records that are complete. */
  readonly records: readonly RecordList[];
  /** Blocks of the outline that are new, or grew. */
  readonly outline: readonly OutlineBlock[];
  /** Places that the tapes can be played from: one at the beginning of each segment, and one every few MB. */
  readonly starts: readonly PlayStart[];
}

/** All rows of a history. `records`: the blocks; the newest records stand with the state. */
export interface HistoryDump extends Pick<HistoryWrite, 'turns' | 'items' | 'steps' | 'notices' | 'realtime' | 'records' | 'outline' | 'starts'> {
  readonly checkpoint: HistoryCheckpoint;
}

/** A row of the list as it is kept. `name`: of the history that the thread's rows are in. `fileRows`: where they differ from the one row. */
export interface ThreadEntry {
  readonly name: string;
  readonly summary: ThreadSummary;
  readonly fileRows: readonly ThreadSummary[] | null;
  /** The thread without turns, by the head of its rows; null where there are none yet. */
  readonly object: Thread | null;
}

/** What a history does not say itself: the thread that it is of. `readPiece`: reads texts that stay in the tapes. */
export interface HistoryOf {
  readonly thread: Pick<Thread, 'id' | 'historyMode'>;
  readonly readPiece: PieceReader;
}

/** A row of the list as it is read back. */
export type ListedThread = Omit<ThreadEntry, 'object'>;

/** A thread of the list with what is known of its rows; `state` is null where there are none yet, `rowsVersion` is `ROWS_VERSION` as it was when they were made. */
export interface StoredThread extends Pick<ThreadEntry, 'name' | 'summary' | 'object'> {
  readonly state: HistoryState | null;
  readonly rowsVersion: number;
}

/** What holds the right to write: one process at a time. */
export interface LeaseHolder {
  readonly pid: number;
  readonly host: string;
  readonly sinceMs: number;
}

/**
 * Rows of threads, made of their session files: a cache that can be dropped at any time. All methods see committed states only; a commit is one transaction.
 * Writing needs the lease. Refusals are `StoreError`s (`storeBusy`, `storeFull`, `storeDamaged`, `leaseLost`).
 */
export interface ThreadStore {
  /** Takes the right to write, also from a holder that is dead or silent; undefined, or who has it. */
  acquire(): Promise<LeaseHolder | undefined>;
  release(): Promise<void>;
  histories(): Promise<readonly HistoryEntry[]>;
  entry(name: string): Promise<HistoryEntry | undefined>;
  checkpoint(name: string): Promise<HistoryCheckpoint | undefined>;
  /** The outline of a history, with the state that it is of. */
  outline(name: string): Promise<{ readonly entry: HistoryEntry; readonly blocks: readonly OutlineBlock[] } | undefined>;
  /** The last block of its outline. */
  lastOutline(id: HistoryId): Promise<OutlineBlock | undefined>;
  /** The last place that its tapes can be played from, up to a position and behind another. */
  startAt(id: HistoryId, query: StartQuery): Promise<PlayStart | undefined>;
  /** The rows of a history that are named; those that there are not are absent. */
  rows(id: HistoryId, wanted: { readonly addresses: RowAddresses; readonly positions: Positions }): Promise<KeptRows>;
  /** Every row of a history, in order of positions, and its records in blocks, with the checkpoint that they are of: for checks. Memory: the thread. */
  dump(name: string): Promise<HistoryDump | undefined>;
  commit(write: HistoryWrite): Promise<HistoryId>;
  /** Removes histories and everything made of them. */
  drop(names: readonly string[]): Promise<void>;
  /** The answers of a history from its rows, each of one committed state; `stamp` names the one that there was; undefined where there are none. Behind a rebuild or a drop they are `StoreError`s (`rewritten`). */
  open(name: string, of: HistoryOf): Promise<{ readonly history: HistoryReader; readonly stamp: string } | undefined>;
  /** The first thing that is made of a history's rows besides, kept with them, and does not fit to them: for checks. */
  misfit(dump: HistoryDump): Promise<string | undefined>;
  /** The map of a history's one session file, which answers until its rows are there. */
  turnMap(name: string): Promise<StoredTurnMap | undefined>;
  mapped(): Promise<readonly MapInUse[]>;
  /** Notes since when (Unix ms) a map is not needed; null: it is. */
  setMapIdle(name: string, sinceMs: number | null): Promise<void>;
  /** Puts a map in place of a history's; undefined: it has none any more. */
  setTurnMap(name: string, map: TurnMap | undefined): Promise<void>;
  /** The list of threads of some homes, newest first; undefined where they were never looked through. The same array until the list is written again. */
  threads(scope: string): Promise<readonly ListedThread[] | undefined>;
  /** The one thread of the list with an id; undefined where there is none, or more than one. */
  thread(scope: string, id: string): Promise<StoredThread | undefined>;
  /** Replaces the list of threads of these homes. */
  setThreads(scope: string, threads: readonly ThreadEntry[]): Promise<void>;
  /** Says what a thread is by its rows, in every list that has it. */
  setObject(name: string, object: Thread): Promise<void>;
  /** Removes everything. */
  clear(): Promise<void>;
  close(): Promise<void>;
}
