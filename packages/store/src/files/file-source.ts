import { type Fact, emptyLedger } from '@tapefold/facts';
import type { PreviewResult } from '@tapefold/reading';
import { TapeError, playTape } from '@tapefold/tapes';
import { History } from '@tapefold/threads';
import { existsSync } from 'node:fs';
import type { FactsOptions, FollowOptions, HomeRef, ListQuery, NewestTurns, NewestTurnsQuery, OpenOptions, OpenedThread, PathExplanation, PlacedFact, ReadOptions, SessionAgents, TapeReport, ThreadGrowth, ThreadHistory, ThreadListing, ThreadReading, ThreadSource, ThreadSummary, ValueReader } from '../thread-source.js';
import { explain } from './explain-thread.js';
import { NEWEST_BYTES, TAIL_PAGE_BYTES, WHOLE_FILE_BYTES } from './limits.js';
import { loosePlayed } from './loose-file.js';
import { followThread } from './follow-thread.js';
import { KeptByBytes } from './kept-by-bytes.js';
import { stampOf } from './opened-threads.js';
import { valueReader } from './piece-reader.js';
import { previewOfOpened, scanPreview } from './preview.js';
import { openThread, placedFacts, readingOf } from './read-thread.js';
import { byRecency, isWanted } from './rows.js';
import { anyLineMatches } from './segment-lines.js';
import { sessionAgents } from './session-agents.js';
import type { OnRead, PlayedFile, ShelfThread } from './shelf.js';
import { type Known, type Shelves, nothingKnown, readShelves } from './shelves.js';

/** What a file source is made with beside its homes. */
interface FileSourceOptions {
  readonly known?: Known | undefined;
  readonly onRead?: OnRead | undefined;
  readonly wereFound?: boolean | undefined;
}

/** Straight from the session files: no index. Between calls only the rows of the threads and pages opened last are kept. */
export class FileSource implements ThreadSource {
  readonly #homes: readonly HomeRef[];
  readonly #onRead: OnRead | undefined;
  readonly #opened = new KeptByBytes<OpenedThread>();
  readonly #histories = new WeakMap<OpenedThread, History>();
  readonly #newest = new KeptByBytes<NewestTurns>(NEWEST_BYTES);
  readonly #known: Known;
  #wereFound: boolean;

  constructor(homes: readonly HomeRef[], { known = nothingKnown(), onRead, wereFound = false }: FileSourceOptions) {
    this.#known = known;
    this.#homes = homes;
    this.#onRead = onRead;
    this.#wereFound = wereFound;
  }

  async #shelves(): Promise<Shelves> {
    const shelves = await readShelves(this.#homes, { onRead: this.#onRead, known: this.#known, mayBeAway: this.#wereFound });
    this.#wereFound = true;
    return shelves;
  }

  /** The thread of an id, with what it is made of. */
  async find(id: string): Promise<ShelfThread> {
    return (await this.#shelves()).find(id);
  }

  async list(query: ListQuery = {}): Promise<ThreadListing> {
    const shelves = await this.#shelves();
    const all = shelves.apart.each(shelves.threads(query.program), ({ file }) => file.path, (thread) => (query.byFile ? thread.fileRows() : [thread.row()])).flat();
    const rows = all.filter((row) => isWanted(row, query)).sort(byRecency);
    const kept = query.limit === undefined ? rows : rows.slice(0, query.limit);
    return { rows: kept, left: rows.length - kept.length, problems: shelves.problems };
  }

  async summary(id: string): Promise<ThreadSummary> {
    return (await this.find(id)).row();
  }

  async hasLine(id: string, pattern: RegExp): Promise<boolean> {
    return anyLineMatches((await this.find(id)).segments().segments, pattern);
  }

  async read(id: string, options: ReadOptions = {}): Promise<ThreadReading> {
    return readingOf(await this.open(id, options), options);
  }

  async open(id: string, options: OpenOptions = {}): Promise<OpenedThread> {
    const thread = await this.find(id);
    const { segments } = thread.segments();
    const stamp = stampOf(segments);
    const key = options.asOf === undefined ? thread.threadId : `${thread.threadId} ${options.asOf}`;
    const known = this.#opened.get(key, stamp);
    if (known) return known;
    const opened = await openThread(thread, options);
    this.#opened.keep(key, { stamp, value: opened, sizeBytes: segments.reduce((sum, { file }) => sum + file.sizeBytes, 0) });
    return opened;
  }

  async history(id: string): Promise<ThreadHistory> {
    const opened = await this.open(id);
    const history = this.#histories.get(opened) ?? new History(opened);
    this.#histories.set(opened, history);
    return { program: opened.program, thread: opened.thread, history, problems: opened.problems };
  }

  async openNewest(id: string, query: NewestTurnsQuery): Promise<NewestTurns | undefined> {
    return this.openNewestOf(await this.find(id), query);
  }

  /** The same of a thread that was found. */
  async openNewestOf(thread: ShelfThread, query: NewestTurnsQuery): Promise<NewestTurns | undefined> {
    const key = `${thread.threadId} ${JSON.stringify(query)}`;
    const stamp = stampOf(thread.segments().segments);
    const known = this.#newest.get(key, stamp);
    if (known) return known;
    const { before } = query;
    const newer = before && this.#newest.find(stamp, ({ older }) => older?.tape === before.tape && older.offset === before.offset);
    const newest = thread.openNewest({ ...query, newer, budgetBytes: query.budgetBytes ?? TAIL_PAGE_BYTES, onRead: this.#onRead });
    if (newest) this.#newest.keep(key, { stamp, value: newest, sizeBytes: newest.sizeBytes });
    return newest;
  }

  async notYetIndexed(): Promise<undefined> {}

  async preview(id: string, options: { readonly isQuick?: boolean | undefined } = {}): Promise<PreviewResult> {
    const thread = await this.find(id);
    const scanned = scanPreview(thread, this.#onRead);
    if (scanned) return scanned;
    const bytes = thread.segments().segments.reduce((sum, { file }) => sum + file.sizeBytes, 0);
    if (options.isQuick && bytes > WHOLE_FILE_BYTES) return { kind: 'outOfBudget', budget: 'bytes' };
    return previewOfOpened(await this.open(id));
  }

  async *facts(id: string, options: FactsOptions = {}): AsyncGenerator<PlacedFact> {
    yield* placedFacts(await this.find(id), options);
  }

  async *modelFacts(id: string, options: OpenOptions = {}): AsyncGenerator<PlacedFact> {
    yield* this.facts(id, options);
  }

  async *follow(id: string, options: FollowOptions): AsyncGenerator<ThreadGrowth> {
    yield* followThread(await this.find(id), options);
  }

  async agents(id: string): Promise<SessionAgents> {
    return sessionAgents(await this.find(id));
  }

  async values(): Promise<ValueReader> {
    return valueReader((await this.#shelves()).byTape);
  }

  async *report(idOrPath?: string): AsyncGenerator<TapeReport> {
    if (idOrPath !== undefined && existsSync(idOrPath)) return yield await reportOf(loosePlayed(idOrPath));
    const found = await this.#shelves();
    const named = idOrPath === undefined ? undefined : found.find(idOrPath);
    const files = named ? named.segments().segments.map(({ file }) => named.shelf.played(file)) : found.shelves.flatMap((shelf) => shelf.files.map((file) => shelf.played(file)));
    for (const file of files) yield await reportOf(file);
  }

  async explain(idOrPath: string): Promise<PathExplanation> {
    return explain(await this.#shelves(), idOrPath);
  }
}

/** A file that cannot be read has an empty ledger and the reason. */
async function reportOf(file: PlayedFile): Promise<TapeReport> {
  if (file.unreadable !== undefined) return { path: file.path, threadId: file.thread.id, ledger: emptyLedger(), facts: 0, problem: file.unreadable };
  let facts = 0;
  let threadId = file.thread.id;
  const onFacts = (made: readonly Fact[]): void => {
    facts += made.length;
    for (const fact of made) if (fact.type === 'thread.opened' && !file.thread.isSure) threadId = fact.threadId;
  };
  try {
    const played = await playTape(file.path, file.createPlayer(), { onFacts });
    return { path: file.path, threadId, ledger: played.ledger, facts, problem: played.damage?.message };
  } catch (cause) {
    if (!(cause instanceof TapeError)) throw cause;
    return { path: file.path, threadId, ledger: emptyLedger(), facts, problem: cause.message };
  }
}

/**
 * A thread source over the session files of homes. `onRead` is told the bytes that lists and look-ups really read. A home that does not exist
 * is a `StoreError` (`homeNotFound`) of the first call.
 */
export function createFileSource(homes: readonly HomeRef[], onRead?: OnRead): FileSource {
  return new FileSource(homes, { onRead });
}

/** The same with looks that were kept from an earlier process. `wereFound`: the homes were there already, and one that is not is away. */
export function fileSourceOver(homes: readonly HomeRef[], options: Omit<FileSourceOptions, 'onRead'>): FileSource {
  return new FileSource(homes, options);
}
