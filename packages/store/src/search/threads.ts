import { statSync } from 'node:fs';
import type { Statement } from 'better-sqlite3';
import type { Sqlite } from '../sqlite/database.js';
import type { SharedRows } from '../sqlite/shared-view.js';
import type { HistoryId } from '../thread-store.js';
import type { AgentProgram, LastTurnStatus, ThreadSummary } from '../thread-source.js';
import { itemRanges } from './shared-items.js';

/** Which threads are searched; absent filters let everything through, archived threads and sub-agents too. */
export interface SearchScope {
  readonly threadId?: string | undefined;
  readonly program?: AgentProgram | undefined;
  readonly cwd?: string | undefined;
  /** Only what was said at or after, and before, these times (Unix ms). */
  readonly sinceMs?: number | undefined;
  readonly untilMs?: number | undefined;
  /** How the thread's last turn stands. */
  readonly status?: LastTurnStatus | undefined;
}

/** A thread that is searched. `history`: null where it has no rows yet. */
export interface SearchedThread {
  readonly threadId: string;
  readonly history: HistoryId | null;
  /** All of its files is in the rows, and the newest of them did not change since. */
  readonly isWhole: boolean;
  /** 0 is the newest. */
  readonly place: number;
}

/** A list for each thread, which is made quicker than an object: there are thousands. */
type ThreadRecord = readonly [threadId: string, history: number | null, path: string | null, sizeBytes: number | null, mtimeMs: number | null, summary?: string];
/** The path stands only where all of the thread's files is in the rows. */
const columns = 't.thread_id, h.id, CASE WHEN s.is_whole THEN s.path END, s.size_bytes, s.mtime_ms';

const unlessGone = { throwIfNoEntry: false } as const;

/** A look at the newest file: size and time tell that it changed. */
function isCurrent([, , path, sizeBytes, mtimeMs]: ThreadRecord): boolean {
  const found = path === null ? undefined : statSync(path, unlessGone);
  return found !== undefined && found.size === sizeBytes && found.mtimeMs === mtimeMs;
}

const isWanted = ({ program, lastTurn, updatedAtMs, thread }: ThreadSummary, scope: SearchScope): boolean =>
  (scope.program === undefined || program === scope.program) && (scope.cwd === undefined || thread.cwd === scope.cwd) && (scope.status === undefined || lastTurn === scope.status)
  && (scope.sinceMs === undefined || updatedAtMs >= scope.sinceMs) && (scope.untilMs === undefined || thread.createdAt * 1000 < scope.untilMs);

const hasFilter = ({ program, cwd, status, sinceMs, untilMs }: SearchScope): boolean => [program, cwd, status, sinceMs, untilMs].some((filter) => filter !== undefined);

/** The threads of a list that a search goes through, newest first. */
export class SearchedThreads {
  readonly #rows: SharedRows;
  readonly #db: Sqlite;
  readonly #homes: string;
  readonly #summaries = new Map<number, ThreadSummary>();
  readonly #summary: Statement<[string, number], string>;

  /** `homes`: the list's name (`scopeOf`). */
  constructor(rows: SharedRows, homes: string) {
    const { db } = rows;
    this.#rows = rows;
    this.#db = db;
    this.#homes = homes;
    this.#summary = db.prepare<[string, number], string>('SELECT summary FROM threads WHERE scope = ? AND place = ?').pluck();
  }

  /** Undefined where these homes were never looked through. */
  wanted(scope: SearchScope): readonly SearchedThread[] | undefined {
    const needsSummary = hasFilter(scope);
    // Without a filter the list's index has all that is asked of the list. Places are dense.
    const records = this.#db.prepare<[string], ThreadRecord>(`SELECT ${columns}${needsSummary ? ', t.summary' : ''} FROM threads t
      LEFT JOIN histories h ON h.name = t.name LEFT JOIN search_histories s ON s.history = h.id WHERE t.scope = ? ORDER BY t.place`).raw().all(this.#homes);
    if (records.length === 0) return undefined;
    return records.flatMap((record, place): SearchedThread | SearchedThread[] => {
      const [threadId, history, , , , summary] = record;
      const isLeftOut = (scope.threadId !== undefined && threadId !== scope.threadId) || (summary !== undefined && !isWanted(JSON.parse(summary) as ThreadSummary, scope));
      return isLeftOut ? [] : { threadId, history, isWhole: isCurrent(record), place };
    });
  }

  /** A row of the list. */
  summary({ place }: Pick<SearchedThread, 'place'>): ThreadSummary {
    const known = this.#summaries.get(place);
    if (known) return known;
    const text = this.#summary.get(this.#homes, place);
    if (text === undefined) throw new Error('a thread of the list has a row');
    const summary = JSON.parse(text) as ThreadSummary;
    this.#summaries.set(place, summary);
    return summary;
  }

  /** Items of threads in a table that is keyed by row id. `isAll`: the threads are all that there are. */
  count(table: 'search_queue' | 'search_cut', threads: readonly SearchedThread[], isAll: boolean): number {
    const total = this.#db.prepare<[], number>(`SELECT COUNT(*) FROM ${table}`).pluck().get() ?? 0;
    if (isAll || total === 0) return total;
    const within = this.#db.prepare<[number, number], number>(`SELECT COUNT(*) FROM ${table} WHERE id >= ? AND id < ?`).pluck();
    const ranges = threads.flatMap(({ history }) => (history === null ? [] : itemRanges(this.#rows, history)));
    return ranges.reduce((sum, { range }) => sum + (within.get(...range) ?? 0), 0);
  }
}
