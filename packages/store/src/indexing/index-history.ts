import type { Fact, JsonValue, Player, TapeLine } from '@tapefold/facts';
import { type FileIdentity, TapeError, fileIdentity, openTapeLinesSync } from '@tapefold/tapes';
import { setImmediate } from 'node:timers/promises';
import { endProblems } from '../files/read-thread.js';
import { ordinalOf } from '../files/segment-lines.js';
import type { Segment, ShelfThread } from '../files/shelf.js';
import type { HistoryEntry, HistoryState, HistoryWrite, ThreadStore } from '../thread-store.js';
import type { SegmentStamp } from '../rows/segment-stamp.js';
import { HistoryFold, foldStart } from './history-fold.js';
import { HistoryOutline } from './history-outline.js';
import { HistoryStarts } from './history-starts.js';
import { COMMIT_BYTES, COMMIT_MOST_BYTES, COMMIT_ROWS, COMMIT_STATE_RATIO, LOOSE_END_BYTES } from './limits.js';
import { historyName } from './plan-history.js';
import { stampOf } from './segment-stamp.js';
import { SharedPrefix, longestPrefix, prefixToGoOnWith } from './shared-prefix.js';
import { bytesPlayed } from './bytes-played.js';

/** What indexing tells on its way, and asks: `isStopped` is looked at between batches; what was done until then is committed. */
export interface IndexHost {
  readonly onBytes: (bytes: number) => void;
  readonly isStopped: () => boolean;
  /** Rows were committed with a player's state of so many UTF-16 units. */
  readonly onCommitted?: ((stateChars: number) => void) | undefined;
  /** Other steps than the usual (`COMMIT_BYTES`, the reader's chunk, `START_BYTES`): for tests that stop between any two lines. */
  readonly steps?: { readonly commitBytes: number; readonly chunkBytes: number; readonly startBytes?: number | undefined } | undefined;
}

/** One run over one history: from its checkpoint, or from the beginning, to the end of its files. */
class HistoryRun {
  readonly #store: ThreadStore;
  readonly #thread: ShelfThread;
  readonly #host: IndexHost;
  readonly #segments: readonly Segment[];
  readonly #done: SegmentStamp[];
  readonly #problems: string[];
  readonly #bases: readonly HistoryEntry[];
  #fold: HistoryFold;
  #outline = new HistoryOutline();
  #starts: HistoryStarts;
  #prefix: SharedPrefix;
  #isNew: boolean;
  #hasLooseEnd = false;
  /** Bytes since the last commit, and how many the next one waits for. */
  #bytes = 0;
  #interval: number;

  constructor(store: ThreadStore, thread: ShelfThread, host: IndexHost & Pick<IndexOptions, 'bases'>) {
    this.#store = store;
    this.#thread = thread;
    this.#host = host;
    const { segments, problems } = thread.segments();
    this.#segments = segments;
    this.#problems = [...problems];
    this.#done = [];
    this.#fold = new HistoryFold(store, foldStart);
    this.#starts = new HistoryStarts(host.steps?.startBytes);
    this.#bases = host.bases ?? [];
    this.#prefix = new SharedPrefix(longestPrefix(this.#bases, segments), foldStart.position);
    this.#isNew = true;
    this.#interval = this.#host.steps?.commitBytes ?? COMMIT_BYTES;
  }

  /** Answers whether it came to the end. */
  async run(isContinued: boolean): Promise<boolean> {
    const known = isContinued ? await this.#store.checkpoint(historyName(this.#thread)) : undefined;
    let first = 0;
    let from: { readonly offset: number; readonly player: JsonValue } | undefined;
    if (known && known.player !== null) {
      this.#isNew = false;
      this.#fold = new HistoryFold(this.#store, known.state, known.id);
      this.#outline = new HistoryOutline(known.state.outline, await this.#store.lastOutline(known.id));
      this.#starts = new HistoryStarts(this.#host.steps?.startBytes, await this.#store.startAt(known.id, { behind: -1, upTo: known.state.position }));
      this.#prefix = prefixToGoOnWith(known, longestPrefix(this.#bases, this.#segments));
      this.#done.push(...known.state.segments.slice(0, -1));
      // What was wrong at the ends of the bases is still so, and they are not read again.
      this.#problems.splice(0, Infinity, ...known.state.problems);
      first = known.state.segments.length - 1;
      from = { offset: known.state.segments.at(-1)?.bytes ?? 0, player: JSON.parse(known.player) as JsonValue };
    }
    for (const [i, segment] of this.#segments.entries()) {
      if (i < first) continue;
      const isWhole = await this.#segment(segment, i === first ? from : undefined);
      if (!isWhole) return false;
    }
    if (this.#segments.length === 0) await this.#commitNothing();
    return true;
  }

  /** A thread whose agent is known, and whose log is not there, has no rows: that is all of it. */
  async #commitNothing(): Promise<void> {
    const state: HistoryState = { ...this.#fold.state(), outline: this.#outline.state, segments: [], bytes: 0, totalBytes: 0, isWhole: true, hasLooseEnd: false, problems: [...this.#problems] };
    await this.#store.commit({ name: historyName(this.#thread), isNew: this.#isNew, state, player: null, ...this.#changed() });
  }

  async #segment(segment: Segment, from: { readonly offset: number; readonly player: JsonValue } | undefined): Promise<boolean> {
    const { file } = segment;
    const identity = fileIdentity(file.path);
    const player = this.#thread.shelf.played(file).createPlayer(from?.player);
    const at: SegmentPlay = { segment, index: this.#segments.indexOf(segment), identity, player, offset: from?.offset ?? 0, isResumable: file.form === 'lines' };
    if (!from) this.#starts.begin(at.index, this.#fold.position);
    const batches = openTapeLinesSync(file.path, { from: at.offset, to: segment.endOffset, chunkBytes: this.#host.steps?.chunkBytes });
    try {
      let next = batches.next();
      while (!next.done) {
        if (this.#playBatch(at, next.value)) break;
        await this.#fold.settle();
        if (at.isResumable && !this.#hasLooseEnd) this.#starts.pass({ position: this.#fold.position, offset: at.offset }, player);
        next = batches.next();
        // What is committed on the way says that it is not whole: nothing may say so behind the last line.
        if (next.done) break;
        if (this.#bytes >= this.#interval || this.#fold.changedRows >= (COMMIT_ROWS * this.#interval) / COMMIT_BYTES) await this.#commit(at, false);
        if (this.#host.isStopped()) return await this.#stop(at);
        await setImmediate();
      }
      if (next.done) this.#problems.push(...endProblems(segment, next.value.damage?.message, next.value.endOffset));
    } finally {
      batches.return(undefined as never);
    }
    await this.#fold.settle();
    const isLast = segment === this.#segments.at(-1);
    if (isLast) await this.#commit(at, true);
    else this.#done.push(stampOf(segment, identity, at.offset));
    return true;
  }

  async #stop(at: SegmentPlay): Promise<boolean> {
    await this.#fold.settle();
    await this.#commit(at, false);
    return false;
  }

  /** Plays lines; true where the agent's ordinal cut the segment. */
  #playBatch(at: SegmentPlay, lines: readonly TapeLine[]): boolean {
    const { endOffset, endOrdinal, file } = at.segment;
    for (const line of lines) {
      if (endOffset === undefined && endOrdinal !== undefined && (ordinalOf(line) ?? -1) >= endOrdinal) return true;
      if (!line.isTerminated && at.isResumable && !this.#isTakenUp(at, line)) return false;
      this.#fold.line(line, file.tape);
      for (const fact of at.player.play(line).facts) this.#fact(fact);
      at.offset = line.offset + line.length;
      this.#prefix.passed(at, this.#fold.position);
      this.#bytes += line.length;
      this.#host.onBytes(line.length);
    }
    return false;
  }

  #fact(fact: Fact): void {
    const isOwn = this.#thread.owns(fact);
    if (isOwn) this.#outline.take(fact, this.#fold.position);
    this.#fold.fact(isOwn ? this.#thread.shown(fact) : undefined);
  }

  /** What changed since the last commit. */
  #changed(): Pick<HistoryWrite, 'turns' | 'items' | 'steps' | 'notices' | 'realtime' | 'records' | 'outline' | 'starts'> {
    return { ...this.#fold.changed(), outline: this.#outline.changed(), starts: this.#starts.passed() };
  }

  /** Whether a last line without an end is taken into the rows: where it says something, and the file is small enough to be read anew when it goes on. */
  #isTakenUp(at: SegmentPlay, line: TapeLine): boolean {
    if (line.offset > LOOSE_END_BYTES) return false;
    const twin = this.#thread.shelf.played(at.segment.file).createPlayer(at.player.checkpoint());
    this.#hasLooseEnd = twin.play(line).facts.length > 0;
    return this.#hasLooseEnd;
  }

  async #commit(at: SegmentPlay, isWhole: boolean): Promise<void> {
    // Behind a line without an end nothing goes on: it is read again.
    const player = at.isResumable && !this.#hasLooseEnd ? JSON.stringify(at.player.checkpoint()) : null;
    const write: HistoryWrite = { name: historyName(this.#thread), isNew: this.#isNew, shared: this.#prefix.shared, state: this.#state(at, isWhole), player, ...this.#changed() };
    const id = await this.#store.commit(write);
    this.#fold.committed(id);
    this.#outline.committed();
    this.#starts.committed();
    this.#prefix.committed();
    this.#host.onCommitted?.(player?.length ?? 0);
    this.#isNew = false;
    this.#bytes = 0;
    this.#interval = this.#host.steps?.commitBytes ?? Math.min(COMMIT_MOST_BYTES, Math.max(COMMIT_BYTES, (player?.length ?? 0) * COMMIT_STATE_RATIO));
  }

  #state(at: SegmentPlay, isWhole: boolean): HistoryState {
    const segments = [...this.#done, stampOf(at.segment, at.identity, at.offset)];
    return { ...this.#fold.state(), outline: this.#outline.state, segments, ...bytesPlayed(segments, this.#segments), isWhole, hasLooseEnd: this.#hasLooseEnd, problems: [...this.#problems] };
  }
}

/** Where the play of a segment stands. */
interface SegmentPlay {
  readonly segment: Segment;
  /** Which of the segments it is. */
  readonly index: number;
  readonly identity: FileIdentity;
  readonly player: Player;
  /** Bytes that were played. */
  offset: number;
  readonly isResumable: boolean;
}

/** `isContinued`: from the checkpoint. `bases`: other histories whose rows are those of their files, and which this one may share rows of. */
interface IndexOptions extends IndexHost {
  readonly isContinued: boolean;
  readonly bases?: readonly HistoryEntry[] | undefined;
}

/**
 * Brings the rows of a thread to the end of its files. Answers false where it was stopped on the way. A file that
 * cannot be read leaves the rows as they are; that is told, not thrown.
 */
export async function indexHistory(store: ThreadStore, thread: ShelfThread, options: IndexOptions): Promise<{ readonly isWhole: boolean; readonly problem?: string | undefined }> {
  try {
    return { isWhole: await new HistoryRun(store, thread, options).run(options.isContinued) };
  } catch (cause) {
    if (!(cause instanceof TapeError)) throw cause;
    return { isWhole: false, problem: cause.message };
  }
}
