import type { Thread } from '@tapefold/threads';
import { byRecency } from '../files/rows.js';
import type { HistoryState } from '../thread-store.js';
import type { ThreadSummary } from '../thread-source.js';
import { guarded } from '../sqlite/database.js';
import type { SqliteStore } from '../sqlite/sqlite-store.js';

/** A thread as the index knows it. */
export interface IndexedThread {
  readonly name: string;
  readonly summary: ThreadSummary;
  /** Undefined where it has no rows yet. */
  readonly object: Thread | undefined;
  readonly state: HistoryState | undefined;
}

interface ThreadRecord { readonly name: string; readonly summary: string; readonly object: string | null; readonly state: string | null }

/** The list of threads in an index, parsed once for each time that it was written. */
export class IndexedThreads {
  readonly #store: SqliteStore;
  readonly #scope: string;
  #known: { readonly written: string; readonly rows: readonly { readonly row: ThreadSummary; readonly fileRows: readonly ThreadSummary[] | null }[] } | undefined;

  constructor(store: SqliteStore, scope: string) {
    this.#store = store;
    this.#scope = scope;
  }

  /** All rows, newest first; undefined where these homes were never looked through. */
  rows(byFile: boolean): readonly ThreadSummary[] | undefined {
    const written = this.#written();
    if (written === undefined) return undefined;
    if (this.#known?.written !== written) this.#known = { written, rows: this.#read() };
    const { rows } = this.#known;
    return rows.length === 0 ? undefined : byFile ? rows.flatMap(({ row, fileRows }) => fileRows ?? [row]).sort(byRecency) : rows.map(({ row }) => row);
  }

  /** The one thread with an id; undefined where there is none, or more than one. */
  byId(id: string): IndexedThread | undefined {
    return guarded(this.#store.path, () => {
      const found = this.#store.db.prepare<[string, string], ThreadRecord>(
        'SELECT t.name, t.summary, t.object, h.state FROM threads t LEFT JOIN histories h ON h.name = t.name WHERE t.thread_id = ? AND t.scope = ? LIMIT 2').all(id, this.#scope);
      const [record] = found;
      if (!record || found.length > 1) return undefined;
      return {
        name: record.name, summary: JSON.parse(record.summary) as ThreadSummary, object: record.object === null ? undefined : (JSON.parse(record.object) as Thread),
        state: record.state === null ? undefined : (JSON.parse(record.state) as HistoryState),
      };
    });
  }

  #written(): string | undefined {
    return guarded(this.#store.path, () => this.#store.db.prepare<[], { value: string }>("SELECT value FROM meta WHERE key = 'threads'").get()?.value);
  }

  #read(): { row: ThreadSummary; fileRows: ThreadSummary[] | null }[] {
    return guarded(this.#store.path, () => this.#store.db.prepare<[string], { summary: string; file_rows: string | null }>('SELECT summary, file_rows FROM threads WHERE scope = ? ORDER BY place').all(this.#scope)
      .map(({ summary, file_rows: fileRows }) => ({ row: JSON.parse(summary) as ThreadSummary, fileRows: fileRows === null ? null : (JSON.parse(fileRows) as ThreadSummary[]) })));
  }
}
