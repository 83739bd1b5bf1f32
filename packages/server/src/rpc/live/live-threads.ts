import type { HomeRef, ThreadSource, ThreadSummary } from '@tapefold/store';
import { type TreeChange, type TreeWatch, watchHome } from '@tapefold/tapes';
import type { Thread, ThreadNotification, ThreadStatus } from '@tapefold/threads';
import { ATTEND_MS, HOME_FOLDERS, LIVE_LOOK_MS, NEW_FILE_MS, WATCHED_THREADS } from '../../limits.js';
import { Writers, standingOf } from '../../live/writers.js';
import type { ClientNotices } from './client-notices.js';
import { ThreadWatch, type WatchHost } from './thread-watch.js';

/** What live threads are made of. `homes`: where their files are. */
export interface LiveThreadsOptions extends Pick<WatchHost, 'transcripts' | 'bus' | 'nowMs'> {
  readonly homes: readonly HomeRef[];
  readonly source: ThreadSource;
  /** Hears what went wrong beside every answer. */
  readonly failed: (error: unknown) => void;
}

/** A session file as it was when the homes were looked through last. */
interface KnownFile { readonly threadId: string; readonly sizeBytes: number }

/** A timer that keeps no process alive. */
function schedule(delayMs: number, run: () => void): () => void {
  const timer = setTimeout(run, delayMs);
  timer.unref();
  return () => clearTimeout(timer);
}

const notLoaded: ThreadStatus = { type: 'notLoaded' };

/**
 * The threads that run, for clients of the read protocol: they are found by locks, by recorders and by files that grow, and watched while they do. Nothing is looked at while
 * there is no client.
 */
export class LiveThreads {
  readonly #options: LiveThreadsOptions;
  readonly #host: WatchHost;
  readonly #writers: Writers;
  readonly #clients = new Set<ClientNotices>();
  readonly #watches = new Map<string, ThreadWatch>();
  readonly #files = new Map<string, KnownFile>();
  #homes: readonly TreeWatch[] = [];
  #looking: Promise<void> | undefined;
  #cancelLook: (() => void) | undefined;

  constructor(options: LiveThreadsOptions) {
    this.#options = options;
    this.#writers = new Writers(options.homes);
    this.#host = { transcripts: options.transcripts, bus: options.bus, writers: this.#writers, nowMs: options.nowMs, schedule };
  }

  /** A client hears from now on; the answer ends that. */
  connect(client: ClientNotices): () => void {
    this.#clients.add(client);
    if (this.#clients.size === 1) this.#cancelLook = schedule(LIVE_LOOK_MS, () => this.#watchHomes());
    return () => { if (this.#clients.delete(client) && this.#clients.size === 0) this.#rest(); };
  }

  /** How a thread stands, as its clients were told, or would be. */
  statusOf(row: ThreadSummary): ThreadStatus {
    const watch = this.#watches.get(row.thread.id);
    if (watch) return watch.status;
    if (this.#options.bus?.thread(row.thread.id)?.isConnected) return { type: 'idle' };
    const standing = this.#standingOf(row);
    if (standing.isRunning) return { type: 'active', activeFlags: [] };
    return standing.isThere && standing.certainty === 'known' ? { type: 'idle' } : notLoaded;
  }

  /** Ids of the threads that somebody has open. */
  loaded(rows: readonly ThreadSummary[]): readonly string[] {
    return rows.filter((row) => this.statusOf(row).type !== 'notLoaded').map(({ thread }) => thread.id);
  }

  /** A thread is asked for: where it runs, it is watched from now on, and what is open in it is known when this resolves, unless that takes long. */
  async attend(row: ThreadSummary): Promise<void> {
    const { id } = row.thread;
    if (this.#clients.size === 0 || (!this.#watches.has(id) && this.statusOf(row).type === 'notLoaded')) return;
    const watch = this.#watches.get(id) ?? this.#watch(row, undefined);
    let cancel: (() => void) | undefined;
    await Promise.race([watch.begun, new Promise<void>((resolve) => { cancel = schedule(ATTEND_MS, resolve); })]);
    cancel?.();
  }

  /** The turn that runs in a thread. */
  runningTurn(threadId: string): string | undefined { return this.#watches.get(threadId)?.runningTurn; }

  close(): void {
    this.#clients.clear();
    this.#rest();
  }

  #standingOf(row: ThreadSummary): ReturnType<typeof standingOf> {
    const { lastTurn, lastRecordAtMs, program, path } = row;
    return standingOf(this.#writers.of({ program, path, threadId: row.thread.id }), { isOpen: lastTurn === 'open', openedAtMs: lastRecordAtMs, lastAtMs: lastRecordAtMs }, this.#options.nowMs());
  }

  /** Nobody listens: nothing is watched. */
  #rest(): void {
    this.#cancelLook?.();
    for (const watch of this.#watches.values()) watch.stop();
    for (const home of this.#homes) home.close();
    this.#watches.clear();
    this.#files.clear();
    this.#homes = [];
  }

  #watchHomes(): void {
    // The watch first, and then the look: what happens in between is told.
    this.#homes = this.#options.homes.map(({ program, path }) => watchHome(program, path, { folders: HOME_FOLDERS }));
    for (const home of this.#homes) this.#hear(home).catch(this.#options.failed);
    this.#look().catch(this.#options.failed);
  }

  async #hear(home: TreeWatch): Promise<void> {
    for await (const changes of home.changes()) for (const change of changes) this.#changed(change);
  }

  #changed({ path, kind }: TreeChange): void {
    const known = this.#files.get(path);
    if (kind === 'file' && known && this.#watches.has(known.threadId)) return;
    this.#cancelLook?.();
    this.#cancelLook = schedule(NEW_FILE_MS, () => { this.#look().catch(this.#options.failed); });
  }

  /** Looks through the lists: new files begin threads, files that grew belong to threads that run. One look at a time. */
  async #look(): Promise<void> {
    await this.#looking;
    this.#looking = this.#lookOnce().finally(() => { this.#looking = undefined; });
    await this.#looking;
  }

  async #lookOnce(): Promise<void> {
    const isFirst = this.#files.size === 0;
    const { rows } = await this.#options.source.list({ archived: 'too', hasSubAgents: true });
    for (const row of rows) {
      const { path, sizeBytes, thread: { id: threadId } } = row;
      const known = this.#files.get(path);
      this.#files.set(path, { threadId, sizeBytes });
      if (this.#clients.size === 0 || this.#watches.has(threadId)) continue;
      if (isFirst ? this.statusOf(row).type !== 'notLoaded' : !known || known.sizeBytes !== sizeBytes) this.#found(row, { isFirst, known });
    }
  }

  #found(row: ThreadSummary, { isFirst, known }: { readonly isFirst: boolean; readonly known: KnownFile | undefined }): void {
    const isNewThread = !isFirst && !known && ![...this.#files].some(([path, { threadId }]) => threadId === row.thread.id && path !== row.path);
    if (isNewThread) this.#tell(row.thread.id, [{ method: 'thread/started', params: { thread: this.#shown(row.thread, { type: 'idle' }) } }]);
    this.#watch(row, isFirst ? undefined : known?.sizeBytes ?? 0, isNewThread ? { type: 'idle' } : undefined);
  }

  #shown(thread: Thread, status: ThreadStatus): Thread { return { ...thread, status, turns: [] }; }

  #watch(row: ThreadSummary, knownBytes: number | undefined, said?: ThreadStatus): ThreadWatch {
    const { program, path, thread: { id: threadId } } = row;
    const watch: ThreadWatch = new ThreadWatch({ program, path, threadId, knownBytes, said: said ?? (knownBytes === undefined ? this.statusOf(row) : notLoaded) }, this.#host, {
      told: (notifications) => this.#tell(threadId, notifications),
      ended: (why) => {
        if (this.#watches.get(threadId) === watch) this.#watches.delete(threadId);
        if (why !== undefined) this.#options.failed(why);
      },
    });
    this.#watches.set(threadId, watch);
    this.#dropOldest();
    return watch;
  }

  #dropOldest(): void {
    if (this.#watches.size <= WATCHED_THREADS) return;
    const watches = [...this.#watches];
    const [threadId, watch] = watches.find(([, { status }]) => status.type !== 'active') ?? watches[0] ?? [];
    watch?.stop();
    if (threadId !== undefined) this.#watches.delete(threadId);
  }

  #tell(threadId: string, notifications: readonly ThreadNotification[]): void {
    for (const client of this.#clients) for (const notification of notifications) client.tell(threadId, notification);
  }
}
