import { type Fact, emptyLedger } from '@tapefold/facts';
import type { PreviewResult } from '@tapefold/reading';
import { TapeError, playTape } from '@tapefold/tapes';
import { existsSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { StoreError } from '../errors.js';
import type { HomeRef, ListQuery, NewestTurns, OpenedThread, PathExplanation, PlacedFact, ReadProgress, TailMark, TapeReport, ThreadListing, ThreadReading, ThreadSource, ThreadSummary, ValueReader } from '../thread-source.js';
import { codexTape } from '@tapefold/dialects';
import { type CatalogFile, readCatalog } from './catalog.js';
import { explain } from './explain.js';
import type { OnRead } from './head-look.js';
import { TAIL_PAGE_BYTES, WHOLE_FILE_BYTES } from './limits.js';
import { openNewest } from './open-newest.js';
import { OpenedThreads, stampOf } from './opened-threads.js';
import { valueReader } from './piece-reader.js';
import { previewOfOpened, scanPreview } from './preview.js';
import { openThread, placedFacts, playerOf, readingOf } from './read-thread.js';
import { anyLineMatches } from './segment-lines.js';
import { byRecency, fileSummaries, hiddenBecause, isWanted, summaryOf } from './summary.js';
import { type KnownLooks, type ThreadFiles, ThreadShelf } from './thread-files.js';

/** The word that stands for the newest thread. */
const NEWEST = 'last';

/** Straight from the session files: no index. Between calls only the rows of the threads opened last are kept. */
class FileSource implements ThreadSource {
  readonly #homes: readonly HomeRef[];
  readonly #onRead: OnRead | undefined;
  readonly #opened = new OpenedThreads();
  readonly #looks: KnownLooks = new Map();

  constructor(homes: readonly HomeRef[], onRead: OnRead | undefined) {
    this.#homes = homes;
    this.#onRead = onRead;
  }

  async #shelf(): Promise<ThreadShelf> {
    const missing = this.#homes.find(({ path }) => !existsSync(path));
    if (missing) throw new StoreError('homeNotFound', { path: missing.path });
    return new ThreadShelf(await readCatalog(this.#homes), { onRead: this.#onRead, known: this.#looks });
  }

  async list(query: ListQuery = {}): Promise<ThreadListing> {
    const shelf = await this.#shelf();
    const rows = shelf.all().flatMap((thread) => (query.byFile ? fileSummaries(shelf, thread) : [summaryOf(shelf, thread)])).filter((row) => isWanted(row, query)).sort(byRecency);
    const kept = query.limit === undefined ? rows : rows.slice(0, query.limit);
    return { rows: kept, left: rows.length - kept.length, problems: shelf.catalog.problems };
  }

  async summary(id: string): Promise<ThreadSummary> {
    const shelf = await this.#shelf();
    return summaryOf(shelf, threadFor(shelf, id));
  }

  async hasLine(id: string, pattern: RegExp): Promise<boolean> {
    const shelf = await this.#shelf();
    return anyLineMatches(shelf.segmentsOf(threadFor(shelf, id)).segments, pattern);
  }

  async read(id: string, progress: ReadProgress = {}): Promise<ThreadReading> {
    return readingOf(await this.open(id, progress));
  }

  async open(id: string, progress: ReadProgress = {}): Promise<OpenedThread> {
    const shelf = await this.#shelf();
    const thread = threadFor(shelf, id);
    const { segments } = shelf.segmentsOf(thread);
    const stamp = stampOf(segments);
    const known = this.#opened.get(thread.threadId, stamp);
    if (known) return known;
    const opened = await openThread(shelf, thread, progress);
    this.#opened.keep(thread.threadId, { stamp, opened, sizeBytes: segments.reduce((sum, { file }) => sum + file.sizeBytes, 0) });
    return opened;
  }

  async openNewest(id: string, query: { readonly turns: number; readonly before?: TailMark | undefined; readonly budgetBytes?: number | undefined }): Promise<NewestTurns | undefined> {
    const shelf = await this.#shelf();
    return openNewest(shelf, threadFor(shelf, id), { ...query, budgetBytes: query.budgetBytes ?? TAIL_PAGE_BYTES, onRead: this.#onRead });
  }

  async preview(id: string, options: { readonly isQuick?: boolean | undefined } = {}): Promise<PreviewResult> {
    const shelf = await this.#shelf();
    const thread = threadFor(shelf, id);
    const scanned = scanPreview(shelf, thread, this.#onRead);
    if (scanned) return scanned;
    const bytes = shelf.segmentsOf(thread).segments.reduce((sum, { file }) => sum + file.sizeBytes, 0);
    if (options.isQuick && bytes > WHOLE_FILE_BYTES) return { kind: 'outOfBudget', budget: 'bytes' };
    return previewOfOpened(await this.open(id));
  }

  async *facts(id: string, progress: ReadProgress = {}): AsyncGenerator<PlacedFact> {
    const shelf = await this.#shelf();
    yield* placedFacts(shelf.segmentsOf(threadFor(shelf, id)).segments, progress);
  }

  async values(): Promise<ValueReader> {
    return valueReader((await this.#shelf()).catalog);
  }

  async *report(idOrPath?: string): AsyncGenerator<TapeReport> {
    if (idOrPath !== undefined && existsSync(idOrPath)) return yield await reportOf(looseFile(idOrPath));
    const shelf = await this.#shelf();
    const files = idOrPath === undefined ? shelf.catalog.files : shelf.segmentsOf(threadFor(shelf, idOrPath)).segments.map(({ file }) => file);
    for (const file of files) yield await reportOf(file);
  }

  async explain(idOrPath: string): Promise<PathExplanation> {
    return explain(await this.#shelf(), idOrPath);
  }
}

function threadFor(shelf: ThreadShelf, id: string): ThreadFiles {
  return id === NEWEST ? newestOf(shelf) : shelf.find(id);
}

/** The newest thread that a plain list shows. Looks at files from the newest on, and stops at the first. */
function newestOf(shelf: ThreadShelf): ThreadFiles {
  const files = [...shelf.catalog.files].sort((a, b) => b.mtimeMs - a.mtimeMs || (a.rolloutId < b.rolloutId ? 1 : -1));
  for (const file of files) {
    const row = { isArchived: file.isArchived, isSubAgent: shelf.look(file).head.identity?.origin.kind === 'subAgent' };
    if (hiddenBecause(row) === undefined) return shelf.find(file.name?.threadId ?? file.rolloutId);
  }
  throw new StoreError('noThreads');
}

type LooseFile = Pick<CatalogFile, 'path' | 'shownPath' | 'tape' | 'name'>;

/** A session file that is named directly, wherever it lies. */
function looseFile(path: string): LooseFile {
  const whole = resolve(path);
  return { path: whole, shownPath: whole, name: undefined, tape: codexTape(basename(whole)) };
}

/** A file that cannot be read has an empty ledger and the reason. */
async function reportOf(file: LooseFile): Promise<TapeReport> {
  let facts = 0;
  let threadId = file.name?.threadId;
  const onFacts = (made: readonly Fact[]): void => {
    facts += made.length;
    for (const fact of made) if (fact.type === 'thread.opened') threadId = fact.threadId;
  };
  try {
    const played = await playTape(file.path, playerOf(file), { onFacts });
    return { path: file.shownPath, threadId, ledger: played.ledger, facts, problem: played.damage?.message };
  } catch (cause) {
    if (!(cause instanceof TapeError)) throw cause;
    return { path: file.shownPath, threadId, ledger: emptyLedger(), facts, problem: cause.message };
  }
}

/**
 * A thread source over the session files of homes. `onRead` is told the bytes that lists and look-ups really read. A home that does not exist
 * is a `StoreError` (`homeNotFound`) of the first call.
 */
export function createFileSource(homes: readonly HomeRef[], onRead?: OnRead): ThreadSource {
  return new FileSource(homes, onRead);
}
