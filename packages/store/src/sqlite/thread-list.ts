import type { Thread } from '@tapefold/threads';
import { setImmediate } from 'node:timers/promises';
import type { Statement } from 'better-sqlite3';
import type { ThreadSummary } from '../thread-source.js';
import type { HistoryState, ListedThread, StoredThread, ThreadEntry } from '../thread-store.js';
import type { Sqlite } from './database.js';
import { LIST_ROWS_AT_ONCE } from './limits.js';

interface ListRecord { readonly name: string; readonly summary: string; readonly file_rows: string | null }
interface ThreadRecord extends Omit<ListRecord, 'file_rows'> { readonly object: string | null; readonly state: string | null; readonly rows_version: number | null }

type ThreadCells = [place: number, threadId: string, name: string, summary: string, fileRows: string | null, object: string | null];

const parsed = <T>(text: string | null): T | null => (text === null ? null : (JSON.parse(text) as T));

/** Some rows at a time: ten thousand would hold up every other answer. */
async function listed(records: readonly ListRecord[]): Promise<ListedThread[]> {
  const entries: ListedThread[] = [];
  for (const { name, summary, file_rows: fileRows } of records) {
    entries.push({ name, summary: JSON.parse(summary) as ThreadSummary, fileRows: parsed<ThreadSummary[]>(fileRows) });
    if (entries.length % LIST_ROWS_AT_ONCE === 0) await setImmediate();
  }
  return entries;
}

/** The lists of threads in a database, each parsed once for each time that lists were written. */
export class ThreadList {
  readonly #db: Sqlite;
  readonly #known = new Map<string, { readonly written: string; readonly entries: Promise<readonly ListedThread[]> }>();
  readonly #written: Statement<[], string>;
  readonly #all: Statement<[string], ListRecord>;
  readonly #one: Statement<[string, string], ThreadRecord>;
  /** The thread that was asked for last, of the state of the database that `#seen` names. */
  #last: { readonly seen: string; readonly scope: string; readonly id: string; readonly thread: StoredThread | undefined } | undefined;
  /** Change with what others write, and with what this connection writes. */
  readonly #others: Statement<[], number>;
  readonly #own: Statement<[], number>;

  constructor(db: Sqlite) {
    this.#db = db;
    this.#written = db.prepare<[], string>("SELECT value FROM meta WHERE key = 'threads'").pluck();
    this.#all = db.prepare<[string], ListRecord>('SELECT name, summary, file_rows FROM threads WHERE scope = ? ORDER BY place');
    this.#others = db.prepare<[], number>('PRAGMA data_version').pluck();
    this.#own = db.prepare<[], number>('SELECT total_changes()').pluck();
    this.#one = db.prepare<[string, string], ThreadRecord>('SELECT t.name, t.summary, t.object, h.state, h.rows_version FROM threads t LEFT JOIN histories h ON h.name = t.name WHERE t.thread_id = ? AND t.scope = ? LIMIT 2');
  }

  /** The list of a scope, newest first; undefined where it was never written, or is empty. */
  all(scope: string): Promise<readonly ListedThread[] | undefined> {
    const written = this.#written.get();
    if (written === undefined) return Promise.resolve(undefined);
    const known = this.#known.get(scope);
    const entries = known?.written === written ? known.entries : listed(this.#all.all(scope));
    this.#known.set(scope, { written, entries });
    return entries.then((all) => (all.length === 0 ? undefined : all));
  }

  /** The one thread with an id; undefined where there is none, or more than one. */
  one(scope: string, id: string): StoredThread | undefined {
    // Texts of a thread are long, and pages of one thread are asked for one after the other.
    const seen = `${this.#others.get() ?? 0} ${this.#own.get() ?? 0}`;
    if (this.#last?.seen !== seen || this.#last.scope !== scope || this.#last.id !== id) this.#last = { seen, scope, id, thread: this.#readOne(scope, id) };
    return this.#last.thread;
  }

  #readOne(scope: string, id: string): StoredThread | undefined {
    const found = this.#one.all(id, scope);
    const [record] = found;
    if (!record || found.length > 1) return undefined;
    return { name: record.name, summary: JSON.parse(record.summary) as ThreadSummary, object: parsed<Thread>(record.object), state: parsed<HistoryState>(record.state), rowsVersion: record.rows_version ?? 0 };
  }

  /** Puts another list in place of a scope's, unless it says the same: whoever holds the list would read all of it again. Inside a transaction of the caller's. */
  replace(scope: string, threads: readonly ThreadEntry[]): void {
    const rows = threads.map(({ name, summary, fileRows, object }, place): ThreadCells => [place, summary.thread.id, name, JSON.stringify(summary), fileRows && JSON.stringify(fileRows), object && JSON.stringify(object)]);
    if (this.#isSame(scope, rows)) return;
    this.#db.prepare('DELETE FROM threads WHERE scope = ?').run(scope);
    const insert = this.#db.prepare<[string, ...ThreadCells]>('INSERT INTO threads (scope, place, thread_id, name, summary, file_rows, object) VALUES (?, ?, ?, ?, ?, ?, ?)');
    for (const row of rows) insert.run(scope, ...row);
    this.#db.prepare("INSERT OR REPLACE INTO meta (key, value) VALUES ('threads', COALESCE((SELECT value FROM meta WHERE key = 'threads'), 0) + 1)").run();
  }

  #isSame(scope: string, rows: readonly ThreadCells[]): boolean {
    let at = 0;
    for (const stored of this.#db.prepare<[string], ThreadCells>('SELECT place, thread_id, name, summary, file_rows, object FROM threads WHERE scope = ? ORDER BY place').raw().iterate(scope)) {
      const row = rows[at++];
      if (!row?.every((cell, i) => cell === stored[i])) return false;
    }
    return at === rows.length && at > 0;
  }

  /** What a thread is by its rows, in every list that has it. */
  setObject(name: string, object: Thread): void {
    this.#db.prepare('UPDATE threads SET object = ? WHERE name = ?').run(JSON.stringify(object), name);
  }
}
