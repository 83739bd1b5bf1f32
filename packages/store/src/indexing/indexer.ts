import { fileIdentity } from '@tapefold/tapes';
import type { ThreadHead } from '@tapefold/threads';
import { existsSync } from 'node:fs';
import { sep } from 'node:path';
import { type Apart, failedAt } from '../files/apart.js';
import { byRecency } from '../files/rows.js';
import type { Segment, ShelfThread } from '../files/shelf.js';
import type { Shelves } from '../files/shelves.js';
import type { HomeRef, ThreadSummary } from '../thread-source.js';
import { type HistoryEntry, ROWS_VERSION, type ThreadEntry, type ThreadStore } from '../thread-store.js';
import { bringMaps } from './bring-maps.js';
import { type IndexHost, indexHistory } from './index-history.js';
import { type IndexProgress, ProgressCount } from './index-progress.js';
import { type HistoryPlan, historyName, planHistory } from './plan-history.js';
import { Relatives } from './relatives.js';
import { stampOf } from './segment-stamp.js';
import { sharesAll } from './shared-prefix.js';
import { bytesOfSegments } from '../files/segment-bytes.js';

/** What an indexing run is over. */
export interface IndexRun {
  readonly store: ThreadStore;
  readonly homes: readonly HomeRef[];
  readonly shelves: Shelves;
  readonly nowMs: () => number;
  readonly onProgress?: ((progress: IndexProgress) => void) | undefined;
  readonly isStopped?: (() => boolean) | undefined;
  readonly onCommitted?: IndexHost['onCommitted'];
  readonly steps?: IndexHost['steps'];
  /** Files with so many bytes are mapped before their rows are made; `MAPPED_BYTES` where absent. */
  readonly mappedBytes?: number | undefined;
}

/** What a run did. `problems`: threads whose files could not be read, and what else could not be looked at, one sentence each. */
export interface IndexResult {
  readonly threads: number;
  readonly built: number;
  readonly continued: number;
  readonly kept: number;
  readonly dropped: number;
  readonly bytes: number;
  readonly isComplete: boolean;
  readonly problems: readonly { readonly path: string; readonly reason: string }[];
}

interface Job {
  readonly thread: ShelfThread;
  readonly name: string;
  readonly segments: readonly Segment[];
  readonly entry: HistoryEntry | undefined;
  readonly plan: HistoryPlan;
  readonly bytes: number;
}

/** Names the homes that a list is of. */
export function scopeOf(homes: readonly HomeRef[]): string {
  return JSON.stringify(homes.map(({ program, path }) => [program, path]));
}

/** The row of a thread in the list, by what it is and the head of its rows, where it has some. */
export function threadEntry(thread: ShelfThread, { summary, head }: { readonly summary: ThreadSummary; readonly head: ThreadHead | undefined }): ThreadEntry {
  const fileRows = thread.fileRows();
  return { name: historyName(thread), summary, fileRows: fileRows.length === 1 ? null : fileRows, object: head ? thread.object(head) : null };
}

/** The rows of the list, newest first; threads that are none after all are in no list. */
export function threadEntries(shelves: Shelves, heads: ReadonlyMap<string, ThreadHead>): ThreadEntry[] {
  const threads = shelves.threads().filter(({ notThread }) => notThread === undefined);
  const entries = shelves.apart.each(threads, pathOf, (thread) => threadEntry(thread, { summary: thread.row(), head: heads.get(historyName(thread)) }));
  return entries.sort((a, b) => byRecency(a.summary, b.summary));
}

const pathOf = ({ file }: ShelfThread): string => file.path;
const isBelow = (path: string, folder: string): boolean => path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);

function jobOf(thread: ShelfThread, entry: HistoryEntry | undefined): Job {
  const { segments } = thread.segments();
  const name = historyName(thread);
  // A session of which nothing was logged yet has no segments: there is nothing to make rows of.
  const isReadable = segments.length > 0 && segments.every(({ file }) => file.unreadable === undefined);
  const plan = isReadable ? planHistory(entry, segments) : 'keep';
  const total = bytesOfSegments(segments);
  return { thread, name, segments, entry, plan, bytes: plan === 'build' ? total : plan === 'continue' ? Math.max(0, total - (entry?.state.bytes ?? 0)) : 0 };
}

/**
 * Histories of files that are gone, or that are no thread's any more. Those of homes that are not looked at stay, and those of what could not be looked at, a home that is
 * away or a folder that cannot be read: nobody knows what became of them, and rows that are dropped have to be made again.
 */
function goneNames(entries: readonly HistoryEntry[], names: ReadonlySet<string>, { homes, shelves: { problems } }: Pick<IndexRun, 'homes' | 'shelves'>): string[] {
  const isOurs = (path: string): boolean => homes.some((home) => isBelow(path, home.path));
  const isUnknown = (path: string): boolean => problems.some((problem) => isBelow(path, problem.path));
  return entries.filter(({ name, state }) => {
    const path = state.segments.at(-1)?.path ?? '';
    return !names.has(name) && !isUnknown(path) && (isOurs(path) || !existsSync(path));
  }).map(({ name }) => name);
}

/** Files moved: rows hold, only their places are new. */
async function restamp(store: ThreadStore, { segments, entry, name }: Job): Promise<void> {
  const known = await store.checkpoint(name);
  if (!known || !entry || known.rowsVersion !== ROWS_VERSION) return;
  const stamps = known.state.segments.map((stamp, i) => {
    const segment = segments[i];
    return segment ? stampOf(segment, fileIdentity(segment.file.path), stamp.bytes) : stamp;
  });
  await store.commit({ name, isNew: false, state: { ...known.state, segments: stamps }, player: known.player, turns: [], items: [], steps: [], notices: [], realtime: [], records: [], outline: [], starts: [] });
}

/** One pass over everything that homes hold: what is gone goes, what grew or changed is brought to the end of its files, the newest first. */
class IndexPass {
  readonly #run: IndexRun;
  readonly #problems: { path: string; reason: string }[] = [];
  readonly #count = { build: 0, continue: 0, keep: 0, restamp: 0 };
  #isComplete = true;
  #relatives = new Relatives<Job>([]);

  constructor(run: IndexRun) {
    this.#run = run;
  }

  async pass(): Promise<IndexResult> {
    const { store, shelves, nowMs } = this.#run;
    const entries = await store.histories();
    const threads = shelves.threads();
    const names = new Set(threads.map(historyName));
    const gone = goneNames(entries, names, this.#run);
    await store.drop(gone);
    // What shared rows with those that are gone is no more what it was.
    const left = gone.length === 0 ? entries : await store.histories();
    const byName = new Map(left.map((entry) => [entry.name, entry]));
    const newest = shelves.apart.each(threads, pathOf, (thread) => jobOf(thread, byName.get(historyName(thread)))).sort((a, b) => b.thread.file.mtimeMs - a.thread.file.mtimeMs || (a.name < b.name ? 1 : -1));
    this.#relatives = new Relatives(newest);
    const jobs = this.#relatives.basesFirst(newest);
    const progress = new ProgressCount({ threads: jobs.length, bytes: jobs.reduce((sum, { bytes }) => sum + bytes, 0) }, nowMs);
    await bringMaps({ store, nowMs, isStopped: () => this.#run.isStopped?.() === true, onFile: (path) => this.#tell(progress, path), mappedBytes: this.#run.mappedBytes, apart: shelves.apart }, newest);
    for (const job of jobs) {
      if (this.#run.isStopped?.()) this.#isComplete = false;
      if (!this.#isComplete) break;
      await this.#job(job, progress);
    }
    await this.#again(jobs, progress);
    this.#run.onProgress?.(progress.now());
    return {
      threads: jobs.length, built: this.#count.build, continued: this.#count.continue, kept: this.#count.keep + this.#count.restamp, dropped: gone.length, bytes: progress.now().bytesDone, isComplete: this.#isComplete, problems: problemsOf(this.#problems, shelves.apart),
    };
  }

  #tell(progress: ProgressCount, path: string): void {
    progress.path = path;
    this.#run.onProgress?.(progress.now());
  }

  /** A history that shares rows may have gone with another one since the pass began. */
  async #asItIs(job: Job): Promise<Job> {
    return this.#relatives.of(job).length === 0 ? job : jobOf(job.thread, await this.#run.store.entry(job.name));
  }

  /** Histories that went with one that was built anew after their turn. */
  async #again(jobs: readonly Job[], progress: ProgressCount): Promise<void> {
    for (const job of jobs.filter((each) => this.#relatives.of(each).length > 0)) {
      if (this.#run.isStopped?.()) this.#isComplete = false;
      if (!this.#isComplete) return;
      await this.#guarded(job, async () => {
        const now = await this.#asItIs(job);
        if (now.entry && now.entry.rowsVersion !== ROWS_VERSION && now.plan === 'build') await this.#bring(now, progress);
      });
    }
  }

  /** One thread that goes wrong hides no others; what is wrong with the store ends the pass. */
  async #guarded({ thread }: Job, run: () => Promise<void>): Promise<void> {
    try {
      await run();
    } catch (cause) {
      this.#problems.push(failedAt(thread.file.path, cause));
    }
  }

  /** Other histories whose rows are those of their files: those that do not go with this one. */
  async #basesOf(job: Job): Promise<HistoryEntry[]> {
    if (job.plan === 'continue' && !sharesAll(job.entry)) return [];
    const bases: HistoryEntry[] = [];
    for (const { name, segments } of this.#relatives.of(job)) {
      const entry = await this.#run.store.entry(name);
      if (entry && planHistory(entry, segments) !== 'build' && !entry.shared.some(({ base }) => base === job.entry?.id)) bases.push(entry);
    }
    return bases;
  }

  async #job(job: Job, progress: ProgressCount): Promise<void> {
    await this.#guarded(job, async () => this.#bring(await this.#asItIs(job), progress));
    progress.done();
    this.#run.onProgress?.(progress.now());
  }

  /** Brings the rows of a thread to what its files hold. */
  async #bring(job: Job, progress: ProgressCount): Promise<void> {
    const { store, onProgress, isStopped = () => false } = this.#run;
    const { plan, thread } = job;
    this.#count[plan] += 1;
    progress.path = thread.file.path;
    const { unreadable } = thread.file;
    if (unreadable !== undefined) this.#problems.push({ path: thread.file.path, reason: unreadable });
    if (plan === 'restamp') await restamp(store, job);
    if (plan === 'build' || plan === 'continue') {
      const onBytes = (bytes: number): void => {
        progress.add(bytes);
        onProgress?.(progress.now());
      };
      const { isWhole, problem } = await indexHistory(store, thread, { isContinued: plan === 'continue', bases: await this.#basesOf(job), onBytes, isStopped, onCommitted: this.#run.onCommitted, steps: this.#run.steps });
      if (problem !== undefined) this.#problems.push({ path: thread.file.path, reason: problem });
      else if (!isWhole) this.#isComplete = false;
      const known = await store.checkpoint(job.name);
      if (known) await store.setObject(job.name, thread.object(known.state.head));
    }
  }
}

/** Each sentence once: a thread that fails when it is looked at may fail again when it is played. */
function problemsOf(own: IndexResult['problems'], { failures }: Apart): IndexResult['problems'] {
  return [...new Map([...failures, ...own].map((problem) => [`${problem.path} ${problem.reason}`, problem])).values()];
}

/** Brings a store to what the homes hold. The list of threads is there first. Needs the lease. Throws `StoreError`. */
export async function indexHomes(run: IndexRun): Promise<IndexResult> {
  const heads = new Map((await run.store.histories()).map(({ name, state }) => [name, state.head]));
  await run.store.setThreads(scopeOf(run.homes), threadEntries(run.shelves, heads));
  return new IndexPass(run).pass();
}
