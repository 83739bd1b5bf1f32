import type { ShelfThread } from '../files/shelf.js';
import { threadEntry } from '../indexing/indexer.js';
import { historyName, planHistory } from '../indexing/plan-history.js';
import type { HistoryEntry, ListedThread, ThreadStore } from '../thread-store.js';
import { firstDifference, plain } from './first-difference.js';
import type { VerifyResult } from './verify-thread.js';

/** Its rows by the name of the history; undefined where the homes were never listed. */
type RowsByName = ReadonlyMap<string, ListedThread> | undefined;

/** The stored list of the threads of some homes, beside a fresh look at them. */
export class VerifiedList {
  readonly #store: ThreadStore;
  readonly #scope: string;
  readonly #rows: RowsByName;
  /** Why none of it can be read. */
  readonly #unreadable: string | undefined;

  private constructor(store: ThreadStore, scope: string, { rows, reason }: { readonly rows?: RowsByName; readonly reason?: string | undefined }) {
    this.#store = store;
    this.#scope = scope;
    this.#rows = rows;
    this.#unreadable = reason;
  }

  /** Throws `StoreError`. */
  static async read(store: ThreadStore, scope: string): Promise<VerifiedList> {
    try {
      const list = await store.threads(scope);
      return new VerifiedList(store, scope, { rows: list && new Map(list.map((row) => [row.name, row])) });
    } catch (cause) {
      if (!(cause instanceof SyntaxError)) throw cause;
      return new VerifiedList(store, scope, { reason: cause.message });
    }
  }

  /** Compares the row of a thread whose rows are those of its files. A list is written before the rows are: where the files grew since, it is of before. */
  async verified(thread: ShelfThread): Promise<VerifyResult> {
    const about = { threadId: thread.threadId, path: thread.file.path };
    const entry = await this.#store.entry(historyName(thread));
    const difference = isAsIndexed(thread, entry) ? await this.#different(thread, entry) : undefined;
    return { ...about, state: difference === undefined ? 'equal' : 'differs', difference };
  }

  async #different(thread: ShelfThread, entry: HistoryEntry | undefined): Promise<string | undefined> {
    if (this.#unreadable !== undefined) return `the list of sessions in the index cannot be read back: ${this.#unreadable}`;
    if (!this.#rows) return undefined;
    const row = this.#rows.get(historyName(thread));
    if (!row) return 'it is missing in the list of sessions in the index';
    const { object, ...expected } = threadEntry(thread, { summary: thread.row(), head: entry?.state.head });
    return firstDifference(plain(expected), plain(row), 'its row in the list') ?? await this.#differentObject(thread, object);
  }

  /** The thread without turns, by the head of its rows; not told of an id that stands in the list twice. */
  async #differentObject({ threadId }: ShelfThread, expected: unknown): Promise<string | undefined> {
    try {
      const stored = await this.#store.thread(this.#scope, threadId);
      return stored && firstDifference(plain(expected), plain(stored.object), 'the thread in the list');
    } catch (cause) {
      if (!(cause instanceof SyntaxError)) throw cause;
      return `the thread in the list cannot be read back: ${cause.message}`;
    }
  }

  /** Rows of threads that there are no more. */
  *left(threads: readonly ShelfThread[]): Generator<VerifyResult> {
    const names = new Set(threads.map(historyName));
    for (const { name, summary } of this.#rows?.values() ?? []) {
      if (!names.has(name)) yield { threadId: summary.thread.id, path: summary.path, state: 'differs', difference: 'its files are gone since it was indexed: run `tapefold index`' };
    }
  }
}

/** Whether the thread was looked at as it was when its rows were made: a list may have been written since, of more. */
function isAsIndexed(thread: ShelfThread, entry: HistoryEntry | undefined): boolean {
  const { segments } = thread.segments();
  const last = entry?.state.segments.at(-1);
  if (!entry || !last) return segments.length === 0;
  return planHistory(entry, segments) === 'keep' && last.sizeBytes === thread.file.sizeBytes && last.mtimeMs === thread.file.mtimeMs;
}
