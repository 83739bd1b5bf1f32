import type { NewestTurns, OpenedThread, ThreadHistory, ThreadSource, ThreadSummary } from '@tapefold/store';
import { History, RpcError, type Thread, type TurnsListParams, newestTurnsQuery } from '@tapefold/threads';
import { KeptAnswers } from './kept-answers.js';
import type { LiveThreads } from './live/live-threads.js';
import { runningHistory } from './live/running-history.js';

/** Threads of a source as answers need them. Calls that ask for the same thread at the same time open it once. */
export class ThreadReader {
  readonly source: ThreadSource;
  /** Those that run; undefined: nothing does. */
  readonly live: LiveThreads | undefined;
  readonly #wholeBytes: number | undefined;
  readonly #opening = new Map<string, Promise<ThreadHistory>>();
  /** Answers from rows, in case they are asked for again. */
  readonly answers = new KeptAnswers();
  readonly #histories = new WeakMap<NewestTurns | OpenedThread, History>();

  /** `wholeBytes`: threads with fewer are read whole, where the source is not to decide it. */
  constructor(source: ThreadSource, { wholeBytes, live }: { readonly wholeBytes?: number; readonly live?: LiveThreads | undefined } = {}) {
    this.source = source;
    this.live = live;
    this.#wholeBytes = wholeBytes;
  }

  /** Every thread: archived ones and sub-agents too. `byFile`: a row for each session file. */
  async all({ byFile = false } = {}): Promise<readonly ThreadSummary[]> {
    const { rows } = await this.source.list({ archived: 'too', hasSubAgents: true, byFile });
    return rows;
  }

  /** A thread by its whole id; an id of one of its files is none. */
  async summary(threadId: string): Promise<ThreadSummary> {
    const row = await this.source.summary(threadId);
    if (row.thread.id !== threadId) throw new RpcError('threadNotLoaded', { about: threadId });
    await this.live?.attend(row);
    return { ...row, thread: this.#standing(row) };
  }

  /** A thread with the turn in it that runs. */
  async open(threadId: string): Promise<ThreadHistory> {
    const row = await this.#attended(threadId);
    const opened = await (this.#opening.get(threadId) ?? this.#opened(threadId));
    if (opened.thread.id !== threadId) throw new RpcError('threadNotLoaded', { about: threadId });
    if (!row || !this.live) return opened;
    const runs = this.live.runningTurn(threadId);
    const key = runs === undefined || !opened.openTurn ? runs : await opened.openTurn();
    return { ...opened, stamp: runs === undefined ? opened.stamp : undefined, thread: { ...opened.thread, status: this.live.statusOf(row) }, history: runningHistory(opened.history, key) };
  }

  /** A thread as it was right behind a fact: nothing of it runs. Costs its files up to there, which are kept for the next page. */
  async openAsOf(threadId: string, asOf: number): Promise<ThreadHistory> {
    const opened = await this.source.open(threadId, { asOf });
    if (opened.thread.id !== threadId) throw new RpcError('threadNotLoaded', { about: threadId });
    const { program, thread, problems } = opened;
    return { program, thread, problems, history: this.#keptHistory(opened) };
  }

  /** Threads of a list as they stand now; those that run are watched from now on. */
  listed(threads: readonly Thread[], rows: readonly ThreadSummary[]): readonly Thread[] {
    const { live } = this;
    if (!live) return threads;
    const ids = new Set(threads.map(({ id }) => id));
    const byId = new Map(rows.filter(({ thread }) => ids.has(thread.id)).map((row) => [row.thread.id, row]));
    return threads.map((thread) => {
      const row = byId.get(thread.id);
      if (!row) return thread;
      const status = live.statusOf(row);
      if (status.type === 'active') void live.attend(row);
      return { ...thread, status };
    });
  }

  #standing(row: ThreadSummary): Thread {
    return this.live ? { ...row.thread, status: this.live.statusOf(row) } : row.thread;
  }

  /** The row of a thread, when it is known what runs in it; undefined where there is none, which the reading will tell. */
  async #attended(threadId: string): Promise<ThreadSummary | undefined> {
    if (!this.live) return undefined;
    const row = await this.source.summary(threadId).catch(() => undefined);
    if (row) await this.live.attend(row);
    return row;
  }

  async history(threadId: string): Promise<ThreadHistory['history']> {
    return (await this.open(threadId)).history;
  }

  /** The page of a large thread's newest turns that a call asks for, from the end of its file; undefined where the thread is better or only read whole. */
  async openNewest(threadId: string, params: TurnsListParams): Promise<{ readonly newest: NewestTurns; readonly history: History } | undefined> {
    const query = newestTurnsQuery(threadId, params);
    const newest = query && await this.source.openNewest(threadId, { ...query, wholeBytes: this.#wholeBytes });
    if (newest?.thread.id !== threadId) return undefined;
    await this.#attended(threadId);
    return { newest, history: this.#historyOf(newest, this.live?.runningTurn(threadId) !== undefined) };
  }

  #historyOf(newest: NewestTurns, isRunning: boolean): History {
    return isRunning ? new History({ ...newest, running: {} }) : this.#keptHistory(newest);
  }

  #keptHistory(of: NewestTurns | OpenedThread): History {
    const history = this.#histories.get(of) ?? new History(of);
    this.#histories.set(of, history);
    return history;
  }

  #opened(threadId: string): Promise<ThreadHistory> {
    const opening = this.source.history(threadId).finally(() => this.#opening.delete(threadId));
    this.#opening.set(threadId, opening);
    return opening;
  }
}
