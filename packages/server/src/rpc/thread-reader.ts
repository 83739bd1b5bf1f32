import type { NewestTurns, ThreadHistory, ThreadSource, ThreadSummary } from '@tapefold/store';
import { History, type HistoryReader, RpcError } from '@tapefold/threads';

/** Threads of a source as answers need them. Calls that ask for the same thread at the same time open it once. */
export class ThreadReader {
  readonly source: ThreadSource;
  readonly #opening = new Map<string, Promise<ThreadHistory>>();

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

  async open(threadId: string): Promise<ThreadHistory> {
    const opened = await (this.#opening.get(threadId) ?? this.#opened(threadId));
    if (opened.thread.id !== threadId) throw new RpcError('threadNotLoaded', { about: threadId });
    return opened;
  }

  async history(threadId: string): Promise<HistoryReader> {
    return (await this.open(threadId)).history;
  }

  /** The newest turns of a large thread from the end of its file; undefined where it is better or only read whole. */
  async openNewest(threadId: string, query: Parameters<ThreadSource['openNewest']>[1]): Promise<{ readonly newest: NewestTurns; readonly history: History } | undefined> {
    const newest = await this.source.openNewest(threadId, query);
    return newest?.thread.id === threadId ? { newest, history: new History(newest) } : undefined;
  }

  #opened(threadId: string): Promise<ThreadHistory> {
    const opening = this.source.history(threadId).finally(() => this.#opening.delete(threadId));
    this.#opening.set(threadId, opening);
    return opening;
  }
}
