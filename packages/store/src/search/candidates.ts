import type { Statement } from 'better-sqlite3';
import type { Sqlite } from '../sqlite/database.js';
import { rangeOf } from '../sqlite/row-queries.js';
import { historyOf } from '../sqlite/schema.js';
import type { HistoryId } from '../thread-store.js';
import { FEW_THREADS } from './limits.js';
import { textTables } from './tables.js';
import { TextIndex } from './text-index.js';
import type { SearchedThread } from './threads.js';

/** What is asked of the index: folded terms, and how many items it may name. */
export interface Wanted {
  readonly terms: readonly string[];
  readonly hasToolOutput: boolean;
  readonly limit: number;
}

/** Items of one thread that are to be looked at, the newest first. `isAll` false: older ones may hold the terms too. */
export interface ThreadCandidates {
  readonly thread: SearchedThread;
  readonly ids: readonly number[];
  readonly isAll: boolean;
  /** There are so many that the index was not asked for all threads at once: one may stop before the last. */
  readonly isOneOfMany: boolean;
}

/** Which items may hold terms, thread by thread, the newest thread first. */
export class Candidates {
  readonly #indexes: readonly TextIndex[];
  readonly #items: Statement<[number, number, number], number>;

  constructor(db: Sqlite) {
    this.#indexes = textTables.map((table) => new TextIndex(db, table));
    this.#items = db.prepare<[number, number, number], number>('SELECT id FROM items WHERE id >= ? AND id < ? ORDER BY id DESC LIMIT ?').pluck();
  }

  /** Asks for all at once; where the index names too many, thread by thread, as they are asked for. */
  *of(wanted: Wanted, threads: readonly SearchedThread[]): Generator<ThreadCandidates> {
    const named = threads.length > FEW_THREADS ? this.#all(wanted) : undefined;
    for (const thread of threads) {
      if (thread.history === null) continue;
      const ids = named?.get(thread.history);
      if (!named) yield { thread, ...this.#within(wanted, thread.history), isOneOfMany: threads.length > FEW_THREADS };
      else if (ids) yield { thread, ids, isAll: true, isOneOfMany: false };
    }
  }

  #asked({ hasToolOutput }: Wanted): readonly TextIndex[] {
    return hasToolOutput ? this.#indexes : this.#indexes.slice(0, 1);
  }

  #all(wanted: Wanted): ReadonlyMap<HistoryId, number[]> | undefined {
    const ids = new Set<number>();
    for (const index of this.#asked(wanted)) {
      const named = index.named(wanted.terms, wanted.limit);
      if (!named.isAll) return undefined;
      for (const id of named.ids) ids.add(id);
    }
    const byHistory = new Map<HistoryId, number[]>();
    for (const id of [...ids].sort((a, b) => b - a)) {
      const known = byHistory.get(historyOf(id));
      if (known) known.push(id);
      else byHistory.set(historyOf(id), [id]);
    }
    return byHistory;
  }

  #within(wanted: Wanted, history: HistoryId): Pick<ThreadCandidates, 'ids' | 'isAll'> {
    const range = rangeOf(history);
    const named = this.#asked(wanted).map((index) => index.namedWithin(wanted.terms, range, wanted.limit));
    if (named.some((each) => each === undefined)) {
      // Terms of one or two letters stand nearly everywhere: each text is looked at, the newest first.
      const ids = this.#items.all(...range, wanted.limit + 1);
      return { ids: ids.slice(0, wanted.limit), isAll: ids.length <= wanted.limit };
    }
    const ids = [...new Set(named.flatMap((each) => each?.ids ?? []))].sort((a, b) => b - a);
    return { ids, isAll: named.every((each) => each?.isAll) };
  }
}
