import type { PreviewResult } from '@tapefold/reading';
import type { NotYetIndexed } from '@tapefold/threads';
import { FileSource, fileSourceOver } from '../files/file-source.js';
import { KeptByBytes } from '../files/kept-by-bytes.js';
import { pieceReader } from '../files/piece-reader.js';
import { damagedLines } from '../files/read-thread.js';
import { timeMs } from '../files/record-time.js';
import { byRecency, isWanted } from '../files/rows.js';
import type { Segment, ShelfThread } from '../files/shelf.js';
import { NEWEST, nothingKnown } from '../files/shelves.js';
import { scopeOf } from '../indexing/indexer.js';
import { historyName, planHistory } from '../indexing/plan-history.js';
import { type MayBeSaid, mayBeSaid } from '../search/said.js';
import { guarded } from '../sqlite/database.js';
import type { SqliteStore } from '../sqlite/sqlite-store.js';
import { StoredLooks } from '../sqlite/stored-looks.js';
import { type ParsedOutline, type StoredOutline, modelFactsOf, outlineOver, parsedOutline, stampOfEntry, upTo } from './stored-outline.js';
import type {
  AsOf, FactOutline, FactsOptions, FollowOptions, HomeRef, ListQuery, NewestTurns, NewestTurnsQuery, OpenOptions, OpenedThread, PathExplanation, PlacedFact, ReadOptions, SessionAgents, TapeReport, ThreadGrowth, ThreadHistory, ThreadListing, ThreadReading, ThreadSource, ThreadSummary, ValueReader,
} from '../thread-source.js';
import type { HistoryState } from '../thread-store.js';
import { MappedThreads } from './mapped-threads.js';
import { previewOfHistory } from './preview-of-history.js';
import { bytesOfSegments } from '../files/segment-bytes.js';

/** How a store's source is opened. `isFollowed`: somebody keeps the index up to date meanwhile, so that its list is answered at once, without a look at the homes. */
export interface StoreSourceOptions {
  readonly homes: readonly HomeRef[];
  readonly store: SqliteStore;
  readonly isFollowed?: boolean | undefined;
}

/** A thread whose rows are those of its files. */
interface Indexed extends ThreadHistory {
  readonly lastRecordAtMs: number | undefined;
}

/**
 * Threads from rows where they are indexed, and from their files where they are not: tail first, or whole where they are small. Never waits for indexing, and never
 * answers with rows that are behind the files: those of a file that grew, or was rewritten, are left alone until they were brought up.
 */
export class StoreSource implements ThreadSource {
  readonly #store: SqliteStore;
  readonly #files: FileSource;
  readonly #scope: string;
  readonly #isFollowed: boolean;
  readonly #outlines = new KeptByBytes<ParsedOutline>();
  readonly #maps: MappedThreads;

  constructor({ homes, store, isFollowed = false }: StoreSourceOptions) {
    this.#store = store;
    this.#files = fileSourceOver(homes, { known: new StoredLooks(store.db).over(nothingKnown()), wereFound: isFollowed });
    this.#scope = scopeOf(homes);
    this.#isFollowed = isFollowed;
    this.#maps = new MappedThreads(store);
  }

  async list(query: ListQuery = {}): Promise<ThreadListing> {
    const known = this.#isFollowed ? await this.#store.threads(this.#scope) : undefined;
    if (!known) return this.#files.list(query);
    const listed = query.byFile ? known.flatMap(({ summary, fileRows }) => fileRows ?? [summary]).sort(byRecency) : known.map(({ summary }) => summary);
    const rows = listed.filter((row) => isWanted(row, query));
    const kept = query.limit === undefined ? rows : rows.slice(0, query.limit);
    return { rows: kept, left: rows.length - kept.length, problems: [] };
  }

  async summary(id: string): Promise<ThreadSummary> {
    const known = !this.#isFollowed ? undefined : id === NEWEST ? (await this.list({ limit: 1 })).rows[0] : (await this.#store.thread(this.#scope, id))?.summary;
    return known ?? this.#files.summary(id);
  }

  async history(id: string): Promise<ThreadHistory> {
    const { known, thread } = await this.#best(id);
    return known ?? { ...(await this.#files.history(id)), notYetIndexed: thread && await this.#share(thread) };
  }

  async notYetIndexed(id: string): Promise<NotYetIndexed | undefined> {
    const { known, thread } = await this.#best(id);
    return known || !thread ? undefined : this.#share(thread);
  }

  /** A thread from what the index has of it, its rows, or the map of its files while rows are being made; `thread`: where the homes were looked through for it. */
  async #best(id: string): Promise<{ readonly known: ThreadHistory | undefined; readonly thread?: ShelfThread }> {
    const known = this.#isFollowed ? (await this.#known(id)) ?? (await this.#maps.again(id)) : undefined;
    if (known) return { known };
    const thread = await this.#files.find(id);
    return { thread, known: (await this.#looked(thread)) ?? (await this.#maps.of(id, thread)) };
  }

  /** How much of a thread without whole rows there is. */
  async #share(thread: ShelfThread): Promise<NotYetIndexed> {
    const known = await this.#store.entry(historyName(thread));
    const { segments } = thread.segments();
    const totalBytes = bytesOfSegments(segments);
    const isPrefix = known !== undefined && planHistory(known, segments) === 'continue';
    return { indexedBytes: isPrefix ? Math.min(known.state.bytes, totalBytes) : 0, totalBytes };
  }

  /** The thread from its rows; undefined where there are none, or where they are behind the files. */
  async #indexed(id: string): Promise<Indexed | undefined> {
    return (this.#isFollowed ? await this.#known(id) : undefined) ?? this.#looked(await this.#files.find(id));
  }

  /** By the index alone, with a look at the thread's own files. */
  async #known(id: string): Promise<Indexed | undefined> {
    const known = await this.#store.thread(this.#scope, id);
    if (!known?.object || !known.state) return undefined;
    const { rowsVersion, state, object } = known;
    const segments = state.segments.map(({ tape, path, endOffset, endOrdinal, sizeBytes, mtimeMs }): Segment => ({
      file: { tape, path, shownPath: path, form: path.endsWith('.zst') ? 'zst' : 'lines', sizeBytes, mtimeMs, isArchived: false, home: '' }, endOffset: endOffset ?? undefined, endOrdinal: endOrdinal ?? undefined,
    }));
    if (!state.isWhole || planHistory({ rowsVersion, state }, segments) !== 'keep') return undefined;
    const opened = await this.#store.open(known.name, { thread: object, readPiece: pieceReader(new Map(segments.map(({ file }) => [file.tape, file]))) });
    return opened && { stamp: opened.stamp, program: known.summary.program, thread: object, history: opened.history, problems: problemsOf(object.id, state), lastRecordAtMs: timeMs(state.lastAt ?? undefined) };
  }

  /** By a look through the homes. */
  async #looked(thread: ShelfThread): Promise<Indexed | undefined> {
    const known = await this.#store.entry(historyName(thread));
    const { segments } = thread.segments();
    if (!known?.state.isWhole || planHistory(known, segments) !== 'keep') return undefined;
    const object = thread.object(known.state.head);
    const opened = await this.#store.open(known.name, { thread: object, readPiece: pieceReader(thread.shelf.byTape) });
    return opened && { stamp: opened.stamp, program: thread.shelf.program, thread: object, history: opened.history, problems: problemsOf(thread.threadId, known.state), lastRecordAtMs: timeMs(known.state.lastAt ?? undefined) };
  }

  async read(id: string, options: ReadOptions = {}): Promise<ThreadReading> {
    // Texts beside the session files are found by facts that have no rows; a thread as of a fact, and branches that were left, are read from the facts themselves.
    const isOfFacts = options.asOf !== undefined || options.hasAllBranches === true;
    const isFromFiles = isOfFacts || (options.hasWholeOutputs === true && (await this.#files.find(id)).outputs() !== undefined);
    const indexed = isFromFiles ? undefined : await this.#indexed(id);
    if (!indexed) return this.#files.read(id, options);
    const { program, lastRecordAtMs, thread, history, problems } = indexed;
    const turns = [];
    for await (const turn of history.eachTurn()) turns.push(history.turnObject(turn, 'full'));
    return { program, lastRecordAtMs, thread: { ...thread, turns }, problems };
  }

  open(id: string, options?: OpenOptions): Promise<OpenedThread> {
    return this.#files.open(id, options);
  }

  /** Rows answer any page at once: only threads without are read from their end. */
  async openNewest(id: string, query: NewestTurnsQuery): Promise<NewestTurns | undefined> {
    const { known, thread } = await this.#best(id);
    return known || !thread ? undefined : this.#files.openNewestOf(thread, query);
  }

  async preview(id: string, options: { readonly isQuick?: boolean | undefined } = {}): Promise<PreviewResult> {
    const indexed = await this.#indexed(id);
    return indexed ? previewOfHistory(indexed.history, indexed.thread) : this.#files.preview(id, options);
  }

  hasLine(id: string, pattern: RegExp): Promise<boolean> {
    return this.#files.hasLine(id, pattern);
  }

  async mayBeSaid(searchTerm: string): Promise<MayBeSaid | undefined> {
    return guarded(this.#store.path, () => mayBeSaid(this.#store, this.#scope, searchTerm));
  }

  facts(id: string, options?: FactsOptions): AsyncGenerator<PlacedFact> {
    return this.#files.facts(id, options);
  }

  async outline(id: string, { asOf }: AsOf = {}): Promise<FactOutline | undefined> {
    const outlined = await this.#outlined(id);
    return outlined && upTo(outlined, asOf);
  }

  async *modelFacts(id: string, options: OpenOptions = {}): AsyncGenerator<PlacedFact> {
    const outlined = await this.#outlined(id);
    if (outlined) yield* modelFactsOf(upTo(outlined, options.asOf));
    else yield* this.#files.modelFacts(id, options);
  }

  /** The outline of a thread whose rows are those of its files. */
  async #outlined(id: string): Promise<StoredOutline | undefined> {
    const thread = await this.#files.find(id);
    const name = historyName(thread);
    const entry = await this.#store.entry(name);
    if (!entry?.state.isWhole || planHistory(entry, thread.segments().segments) !== 'keep') return undefined;
    const stamp = stampOfEntry(entry);
    const kept = this.#outlines.get(name, stamp);
    if (kept) return outlineOver(kept, { store: this.#store, thread });
    const stored = await this.#store.outline(name);
    if (!stored || stampOfEntry(stored.entry) !== stamp) return undefined;
    const parsed = parsedOutline(stored);
    this.#outlines.keep(name, { stamp, value: parsed, sizeBytes: entry.state.bytes });
    return outlineOver(parsed, { store: this.#store, thread });
  }

  follow(id: string, options: FollowOptions): AsyncGenerator<ThreadGrowth> {
    return this.#files.follow(id, options);
  }

  agents(id: string): Promise<SessionAgents> {
    return this.#files.agents(id);
  }

  values(): Promise<ValueReader> {
    return this.#files.values();
  }

  report(idOrPath?: string): AsyncGenerator<TapeReport> {
    return this.#files.report(idOrPath);
  }

  explain(idOrPath: string): Promise<PathExplanation> {
    return this.#files.explain(idOrPath);
  }
}

/** What a reading from files would tell as well. */
function problemsOf(threadId: string, { problems, head }: HistoryState): string[] {
  const { damaged } = head.counts;
  return damaged > 0 ? [...problems, damagedLines(damaged, threadId)] : [...problems];
}

/** A thread source over an index and the session files that it is of. */
export function createStoreSource(options: StoreSourceOptions): ThreadSource {
  return new StoreSource(options);
}
