import type { NewestTurns, ThreadHistory, ThreadSource, ThreadSummary } from '@tapefold/store';
import { History, type HistoryReader, RpcError, type TurnsListParams, newestTurnsQuery } from '@tapefold/threads';

/** Threads of a source as answers need them. Calls that ask for the same thread at the same time open it once. */
export class ThreadReader {
  readonly source: ThreadSource;
  readonly #wholeBytes: number | undefined;
  readonly #opening = new Map<string, Promise<ThreadHistory>>();
  readonly #newest = new WeakMap<NewestTurns, History>();

  /** `wholeBytes`: threads with fewer are read whole, where the source is not to decide it. */
  constructor(source: ThreadSource, { wholeBytes }: { readonly wholeBytes?: number } = {}) {
    this.source = source;
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
    return row;
  }

  async open(threadId: string): Promise<ThreadHistory> {
    const opened = await (this.#opening.get(threadId) ?? this.#opened(threadId));
    if (opened.thread.id !== threadId) throw new RpcError('threadNotLoaded', { about: threadId });
    return opened;
  }

  async history(threadId: string): Promise<HistoryReader> {
    return (await this.open(threadId)).history;
  }

  /** The page of a large thread's newest turns that a call asks for, from the end of its file; undefined where the thread is better or only read whole. */
  async openNewest(threadId: string, params: TurnsListParams): Promise<{ readonly newest: NewestTurns; readonly history: History } | undefined> {
    const query = newestTurnsQuery(threadId, params);
    const newest = query && await this.source.openNewest(threadId, { ...query, wholeBytes: this.#wholeBytes });
    return newest?.thread.id === threadId ? { newest, history: this.#historyOf(newest) } : undefined;
  }

  #historyOf(newest: NewestTurns): History {
    const history = this.#newest.get(newest) ?? new History(newest);
    this.#newest.set(newest, history);
    return history;
  }

  #opened(threadId: string): Promise<ThreadHistory> {
    const opening = this.source.history(threadId).finally(() => this.#opening.delete(threadId));
    this.#opening.set(threadId, opening);
    return opening;
  }
}
