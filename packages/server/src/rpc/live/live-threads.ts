import type { HomeRef, ThreadSource, ThreadSummary } from '@tapefold/store';
import { type TreeChange, type TreeWatch, watchHome } from '@tapefold/tapes';
import type { ThreadNotification, ThreadStatus } from '@tapefold/threads';
import { statSync } from 'node:fs';
import { ATTEND_MS, HOME_FOLDERS, LIVE_LOOK_MS, NEW_FILE_MS, WATCHED_THREADS } from '../../limits.js';
import { Writers, standingOf } from '../../live/writers.js';
import type { ClientNotices } from './client-notices.js';
import { ThreadWatch, type WatchHost, type WatchedThread } from './thread-watch.js';

/** What live threads are made of. `homes`: where their files are. */
export interface LiveThreadsOptions extends Pick<WatchHost, 'transcripts' | 'bus' | 'nowMs'> {
  readonly homes: readonly HomeRef[];
  readonly source: ThreadSource;
  /** Hears what went wrong beside every answer. */
  readonly failed: (error: unknown) => void;
  /** Runs something once, later; the answer takes it back. A timer that keeps no process alive where absent. */
  readonly schedule?: WatchHost['schedule'] | undefined;
}

/** A session file as it was when the homes were looked through last. */
interface KnownFile { readonly threadId: string; readonly sizeBytes: number }

function later(delayMs: number, run: () => void): () => void {
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
  /** Paths that changed; empty for all. */
  readonly #changes = new Set<string>();
  #cancelLook: (() => void) | undefined;

  constructor(options: LiveThreadsOptions) {
    this.#options = options;
    this.#writers = new Writers(options.homes);
    this.#host = { transcripts: options.transcripts, bus: options.bus, writers: this.#writers, nowMs: options.nowMs, schedule: options.schedule ?? later };
  }

  /** A client hears from now on; the answer ends that. */
  connect(client: ClientNotices): () => void {
    this.#clients.add(client);
    if (this.#clients.size === 1) this.#cancelLook = this.#host.schedule(LIVE_LOOK_MS, () => this.#watchHomes());
    return () => { if (this.#clients.delete(client) && this.#clients.size === 0) this.#rest(); };
  }

  /** How a thread stands, as its clients were told, or would be. */
  statusOf(row: ThreadSummary): ThreadStatus {
    const watch = this.#watches.get(row.thread.id);
    if (watch) return watch.status;
    const recorder = this.#options.bus?.thread(row.thread.id);
    if (recorder?.isKnown) return recorder.isRunning ? { type: 'active', activeFlags: [] } : { type: 'idle' };
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
    const watch = this.#watches.get(id) ?? this.#watch(row, { knownBytes: undefined, said: this.statusOf(row) });
    let cancel: (() => void) | undefined;
    await Promise.race([watch.begun, new Promise<void>((resolve) => { cancel = this.#host.schedule(ATTEND_MS, resolve); })]);
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
    this.#cancelLook = undefined;
    this.#changes.clear();
    for (const watch of this.#watches.values()) watch.stop();
    for (const home of this.#homes) home.close();
    this.#watches.clear();
    this.#files.clear();
    this.#homes = [];
  }

  #watchHomes(): void {
    // The watch first, and then the look: what happens in between is told.
    this.#homes = this.#options.homes.map(({ program, path }) => watchHome(program, path, { folders: HOME_FOLDERS }));
    this.#cancelLook = undefined;
    for (const home of this.#homes) this.#hear(home).catch(this.#options.failed);
    this.#lookThrough({ isFirst: true }).catch(this.#options.failed);
  }

  async #hear(home: TreeWatch): Promise<void> {
    for await (const changes of home.changes()) for (const change of changes) this.#changed(change);
  }

  /** What grows belongs to a thread that runs; one that is watched already is followed anyhow. */
  #changed({ path, kind }: TreeChange): void {
    const known = this.#files.get(path);
    if (kind === 'gone') { this.#files.delete(path); return; }
    if (kind === 'file' && known && this.#watches.has(known.threadId)) return;
    this.#changes.add(kind === 'folder' ? '' : path);
    // Its first lines come together.
    this.#cancelLook ??= this.#host.schedule(NEW_FILE_MS, () => {
      this.#cancelLook = undefined;
      const paths = [...this.#changes];
      this.#changes.clear();
      this.#look(paths).catch(this.#options.failed);
    });
  }

  async #look(paths: readonly string[]): Promise<void> {
    if (paths.includes('')) return this.#lookThrough({ isFirst: false });
    for (const path of paths) await this.#grown(path);
  }

  async #grown(path: string): Promise<void> {
    const known = this.#files.get(path);
    // What is no session file, or says nothing yet, is looked at again when it grows.
    const row = await this.#options.source.summary(known?.threadId ?? path).catch(() => undefined);
    if (row?.path === path && this.#clients.size > 0) this.#found({ ...row, sizeBytes: statSync(path, { throwIfNoEntry: false })?.size ?? row.sizeBytes }, known);
  }

  /** Looks through the lists. At first only for threads that run; later, where more happened than was told, for files that are new or grew. */
  async #lookThrough({ isFirst }: { readonly isFirst: boolean }): Promise<void> {
    const { rows } = await this.#options.source.list({ archived: 'too', hasSubAgents: true });
    if (this.#clients.size === 0) return;
    for (const row of rows) {
      const known = this.#files.get(row.path);
      if (!isFirst) { this.#found(row, known); continue; }
      this.#files.set(row.path, { threadId: row.thread.id, sizeBytes: row.sizeBytes });
      // Locks of thousands of threads that ended long ago need no look.
      const mayRun = row.lastTurn === 'open' || this.#options.bus?.thread(row.thread.id)?.isKnown === true;
      if (mayRun && !this.#watches.has(row.thread.id) && this.statusOf(row).type === 'active') this.#watch(row, { knownBytes: undefined, said: this.statusOf(row) });
    }
  }

  #found(row: ThreadSummary, known: KnownFile | undefined): void {
    const { path, sizeBytes, thread } = row;
    const isKnownThread = known !== undefined || [...this.#files.values()].some(({ threadId }) => threadId === thread.id);
    this.#files.set(path, { threadId: thread.id, sizeBytes });
    const watch = this.#watches.get(thread.id);
    if (known) {
      if (!watch && known.sizeBytes !== sizeBytes) this.#watch(row, { knownBytes: known.sizeBytes, said: notLoaded });
      return;
    }
    // A thread that goes on in another file: it went back to an earlier turn.
    if (isKnownThread) {
      watch?.stop();
      this.#tell(thread.id, [{ method: 'thread/reverted', params: { threadId: thread.id } }]);
      this.#watch(row, { knownBytes: undefined, said: watch?.status ?? notLoaded });
      return;
    }
    const said: ThreadStatus = { type: 'idle' };
    this.#tell(thread.id, [{ method: 'thread/started', params: { thread: { ...thread, status: said, turns: [] } } }]);
    this.#watch(row, { knownBytes: 0, said });
  }

  #watch(row: ThreadSummary, from: Pick<WatchedThread, 'knownBytes' | 'said'>): ThreadWatch {
    const { program, path, thread: { id: threadId } } = row;
    const watch: ThreadWatch = new ThreadWatch({ program, path, threadId, ...from }, this.#host, {
      told: (notifications) => this.#tell(threadId, notifications),
      ended: (why) => {
        this.#remember(row);
        if (this.#watches.get(threadId) === watch) this.#watches.delete(threadId);
        if (why !== undefined) this.#options.failed(why);
      },
    });
    this.#watches.set(threadId, watch);
    this.#dropOldest();
    return watch;
  }

  /** What stands in the file by now was told. */
  #remember({ path, sizeBytes, thread }: ThreadSummary): void {
    this.#files.set(path, { threadId: thread.id, sizeBytes: statSync(path, { throwIfNoEntry: false })?.size ?? sizeBytes });
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
