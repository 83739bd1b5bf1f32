import type { NewestTurns, OpenedThread, ThreadSource, ThreadSummary } from '@tapefold/store';
import { History, RpcError } from '@tapefold/threads';

/** A thread opened for answering. */
export interface ReadThread {
  readonly opened: OpenedThread;
  readonly history: History;
}

/** Threads of a source as answers need them. Calls that ask for the same thread at the same time open it once. */
export class ThreadReader {
  readonly source: ThreadSource;
  readonly #opening = new Map<string, Promise<OpenedThread>>();
  readonly #histories = new WeakMap<OpenedThread, History>();

  constructor(source: ThreadSource) {
    this.source = source;
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
    return row;
  }

  async open(threadId: string): Promise<ReadThread> {
    const pending = this.#opening.get(threadId) ?? this.#opened(threadId);
    const opened = await pending;
    if (opened.thread.id !== threadId) throw new RpcError('threadNotLoaded', { about: threadId });
    const known = this.#histories.get(opened);
    if (known) return { opened, history: known };
    const history = new History(opened);
    this.#histories.set(opened, history);
    return { opened, history };
  }

  /** The newest turns of a large thread from the end of its file; undefined where it is better or only read whole. */
  async openNewest(threadId: string, query: Parameters<ThreadSource['openNewest']>[1]): Promise<{ readonly newest: NewestTurns; readonly history: History } | undefined> {
    const newest = await this.source.openNewest(threadId, query);
    return newest?.thread.id === threadId ? { newest, history: new History(newest) } : undefined;
  }

  #opened(threadId: string): Promise<OpenedThread> {
    const opening = this.source.open(threadId).finally(() => this.#opening.delete(threadId));
    this.#opening.set(threadId, opening);
    return opening;
  }
}
