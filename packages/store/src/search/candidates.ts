import type { Statement } from 'better-sqlite3';
import { historyOf, rangeOf } from '../sqlite/schema.js';
import type { SharedRows } from '../sqlite/shared-view.js';
import type { HistoryId } from '../thread-store.js';
import { FEW_THREADS, NAMED_SHORT, THREADS_AT_FIRST, THREADS_AT_ONCE } from './limits.js';
import { inForksToo, itemRanges } from './shared-items.js';
import { textTables } from './tables.js';
import { type IdRange, TextIndex } from './text-index.js';
import type { SearchedThread } from './threads.js';
import { isShort } from './trigrams.js';

/** What is asked of the index: folded terms, and how many items of one thread it may name. */
export interface Wanted {
  readonly terms: readonly string[];
  readonly hasToolOutput: boolean;
  readonly limit: number;
  /** Whether to stop asking. */
  readonly isLate: () => boolean;
}

/** Items of one thread that are to be looked at, the newest first. `isAll` false: older ones may hold the terms too. */
export interface ThreadCandidates {
  readonly thread: SearchedThread;
  readonly ids: readonly number[];
  readonly isAll: boolean;
  /** There are more than the limit in all threads: one may stop before the last. */
  readonly isOneOfMany: boolean;
}

/** Row ids by history, the newest first. `isMany`: there are more than the limit in all. */
interface ByHistory { readonly ids: ReadonlyMap<HistoryId, readonly number[]>; readonly isMany: boolean }
type OfThread = Pick<ThreadCandidates, 'ids' | 'isAll'>;
/** A thread that has rows. */
type RowThread = SearchedThread & { readonly history: HistoryId };

const hasRows = (thread: SearchedThread): thread is RowThread => thread.history !== null;

function byHistory(ids: Iterable<number>): ReadonlyMap<HistoryId, readonly number[]> {
  const histories = new Map<HistoryId, number[]>();
  for (const id of Float64Array.from(ids).sort().reverse()) {
    const known = histories.get(historyOf(id));
    if (known) known.push(id);
    else histories.set(historyOf(id), [id]);
  }
  return histories;
}

/** Histories in runs of consecutive numbers: each is one range of row ids. */
function runsOf(threads: readonly RowThread[]): HistoryId[][] {
  const runs: HistoryId[][] = [];
  for (const history of [...new Set(threads.map((thread) => thread.history))].sort((a, b) => a - b)) {
    const run = runs.at(-1);
    if (run?.at(-1) === history - 1) run.push(history);
    else runs.push([history]);
  }
  return runs;
}

/** Which items may hold terms, thread by thread, the newest thread first. */
export class Candidates {
  readonly #indexes: readonly TextIndex[];
  readonly #items: Statement<[number, number, number], number>;

  readonly #rows: SharedRows;

  constructor(rows: SharedRows) {
    const { db } = rows;
    this.#rows = rows;
    this.#indexes = textTables.map((table) => new TextIndex(db, table));
    this.#items = db.prepare<[number, number, number], number>('SELECT id FROM items WHERE id >= ? AND id < ? ORDER BY id DESC LIMIT ?').pluck();
  }

  /** Asks for all at once; where the index names too many, for some threads at a time, as they are asked for. */
  *of(wanted: Wanted, threads: readonly SearchedThread[]): Generator<ThreadCandidates> {
    const isOneOfMany = threads.length > FEW_THREADS;
    const all = isOneOfMany ? this.#all(wanted) : undefined;
    const within = threads.filter(hasRows);
    if (!all) return yield* this.#stepwise(wanted, within, isOneOfMany);
    for (const thread of within) {
      const ids = all.ids.get(thread.history);
      if (ids) yield { thread, ids: ids.slice(0, wanted.limit), isAll: ids.length <= wanted.limit, isOneOfMany: all.isMany };
    }
  }

  /** A few threads, then more and more: the first ones may be enough. */
  *#stepwise(wanted: Wanted, threads: readonly RowThread[], isOneOfMany: boolean): Generator<ThreadCandidates> {
    for (let from = 0, count = THREADS_AT_FIRST; from < threads.length; from += count, count = Math.min(2 * count, THREADS_AT_ONCE)) {
      const some = threads.slice(from, from + count);
      // Threads are left: whoever asked is told by one of them.
      if (some[0] && wanted.isLate()) return void (yield { thread: some[0], ids: [], isAll: false, isOneOfMany });
      const named = this.#ofSome(wanted, some);
      for (const thread of some) {
        const { ids, isAll } = named.get(thread.history) ?? this.#ofOne(wanted, thread.history);
        if (ids.length > 0) yield { thread, ids, isAll, isOneOfMany };
      }
    }
  }

  #asked({ hasToolOutput }: Wanted): readonly TextIndex[] {
    return hasToolOutput ? this.#indexes : this.#indexes.slice(0, 1);
  }

  /** Undefined where they are too many to be asked for at once. */
  #all(wanted: Wanted): ByHistory | undefined {
    const most = wanted.terms.every(isShort) ? Math.max(wanted.limit, NAMED_SHORT) : wanted.limit;
    const named = this.#asked(wanted).map((index) => index.named(wanted.terms, most));
    if (named.some(({ isAll }) => !isAll)) return undefined;
    return { ids: byHistory(inForksToo(this.#rows, new Set(named.flatMap(({ ids }) => ids)))), isMany: named.some(({ ids }) => ids.length > wanted.limit) };
  }

  /** Runs of histories of which the index names too many are left out: of which history some are missing, one cannot tell. So are those that share rows. */
  #ofSome(wanted: Wanted, threads: readonly RowThread[]): ReadonlyMap<HistoryId, OfThread> {
    const found = new Map<HistoryId, OfThread>();
    const { shared } = this.#rows;
    const own = shared.hasAny ? threads.filter(({ history }) => shared.of(history).length === 0) : threads;
    for (const run of runsOf(own)) {
      const { ids, isAll } = this.#within(wanted, [rangeOf(run[0] ?? 0)[0], rangeOf(run.at(-1) ?? 0)[1]]);
      const named = byHistory(ids);
      if (isAll) for (const history of run) found.set(history, { ids: named.get(history) ?? [], isAll });
    }
    return found;
  }

  #ofOne(wanted: Wanted, history: HistoryId): OfThread {
    const [own, ...others] = itemRanges(this.#rows, history).map(({ range, shown }) => {
      const { ids, isAll } = this.#within(wanted, range);
      return { ids: shown(ids), isAll };
    });
    if (!own || others.length === 0) return own ?? { ids: [], isAll: true };
    const all = [own, ...others];
    return { ids: [...new Set(all.flatMap(({ ids }) => ids))].sort((a, b) => b - a), isAll: all.every(({ isAll }) => isAll) };
  }

  #within(wanted: Wanted, range: IdRange): OfThread {
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
