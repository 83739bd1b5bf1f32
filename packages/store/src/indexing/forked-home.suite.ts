import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { indexTexts } from '../search/text-indexer.js';
import { movedCells, rowColumns, sameCells } from '../sqlite/row-columns.js';
import { rowIdOf, rowTables } from '../sqlite/schema.js';
import { idsApart } from '../sqlite/shared-spans.js';
import type { SqliteStore } from '../sqlite/sqlite-store.js';
import type { HomeRef } from '../thread-source.js';
import { filesBelow, folder, newStore, put, shelvesOf } from './grown-home.suite.js';
import { indexHistory } from './index-history.js';
import { scopeOf, threadEntries } from './indexer.js';

/** A session file that is being written: what stands in it, and what is still to come. */
export interface ForkedFile {
  readonly id: string;
  readonly path: string;
  readonly left: string[];
  /** Which line of the first file its second one is. */
  readonly at: number;
  written: string;
}

interface Meta { readonly payload: Record<string, unknown> }

const FIRST_LINE = /^\{.*"type":"session_meta"/;

/** Lines of session files that begin with what a fork needs; few enough for a run of many steps. */
export function forkableFiles(home: HomeRef): string[] {
  return filesBelow(home.path).map((name) => join(home.path, name)).filter((path) => /rollout-.{19}-[^_]*\.jsonl$/.test(path)).filter((path) => {
    const text = readFileSync(path, 'utf8');
    return FIRST_LINE.test(text) && text.split('\n').length > 8 && text.split('\n').length < 200;
  });
}

/** A home with a session file that others go on from, at cuts anywhere: forks, forks of forks, and reverts. */
export class ForkedHome {
  readonly home: HomeRef = { program: 'codex', path: folder() };
  readonly files: ForkedFile[] = [];
  readonly #lines: readonly string[];
  readonly #threads = new Map<ForkedFile, string>();
  #timeMs = Date.UTC(2026, 0, 1);
  #made = 0;

  /** `path`: the file that everything is made of. */
  constructor(path: string) {
    this.#lines = readFileSync(path, 'utf8').split('\n').filter((line) => line !== '').map((line) => `${line}\n`);
  }

  #id(): string {
    this.#made += 1;
    return `01990000-0000-7000-8000-${String(this.#made).padStart(12, '0')}`;
  }

  #meta(id: string, more: object): string {
    const meta = JSON.parse(this.#lines[0] as string) as Meta;
    const { forked_from_id: _from, history_base: _base, ...payload } = meta.payload;
    return `${JSON.stringify({ ...meta, payload: { ...payload, id, ...more } })}\n`;
  }

  #add({ id, thread, left, at }: { readonly id: string; readonly thread: string; readonly left: string[]; readonly at: number }): ForkedFile {
    const name = thread === id ? id : `${thread}_${id}`;
    const file = { id, path: join(this.home.path, `sessions/2026/01/02/rollout-2026-01-02T03-${String(this.#made).padStart(2, '0')}-05-${name}.jsonl`), left, at, written: '' };
    this.files.push(file);
    this.#threads.set(file, thread);
    return file;
  }

  /** The file that everything goes on from. */
  begin(): ForkedFile {
    const id = this.#id();
    return this.#add({ id, thread: id, at: 1, left: [this.#meta(id, {}), ...this.#lines.slice(1)] });
  }

  /** A file that goes on from another one behind a number of its lines: a fork, or a revert of the same thread. It goes on as the first file does from there, but for some lines. */
  goOn(base: ForkedFile, { lines, own, isRevert = false }: { readonly lines: number; readonly own: number; readonly isRevert?: boolean }): ForkedFile {
    const cut = base.written.split('\n').slice(0, lines).reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0);
    const id = this.#id();
    const thread = isRevert ? this.#threads.get(base) as string : id;
    const meta = this.#meta(thread, { ...(isRevert ? {} : { forked_from_id: this.#threads.get(base) }), history_base: { thread_id: base.id, end_byte_offset: cut } });
    const at = base.at + lines - 1;
    // A call is that of one answer: lines that a thread has already would be told of twice.
    return this.#add({ id, thread, at, left: [meta, ...this.#lines.slice(at, at + own).filter((_, i) => i % 5 !== 3)] });
  }

  /** Appends so many lines. */
  write(file: ForkedFile, lines: number): void {
    const text = file.left.splice(0, lines).join('');
    this.#timeMs += 1_000;
    file.written += text;
    put(file.path, file.written, this.#timeMs);
  }

  /** Writes a file anew: shorter by so many lines. */
  rewrite(file: ForkedFile, fewer: number): void {
    const lines = file.written.split('\n').slice(0, -1);
    rmSync(file.path);
    file.written = lines.slice(0, Math.max(1, lines.length - fewer)).map((line) => `${line}\n`).join('');
    this.#timeMs += 1_000;
    put(file.path, file.written, this.#timeMs);
  }

  remove(file: ForkedFile): void {
    rmSync(file.path);
    this.files.splice(this.files.indexOf(file), 1);
  }
}

/** The same threads, each from its own files alone: nothing is shared. */
export async function unshared(home: HomeRef): Promise<SqliteStore> {
  const store = await newStore();
  const shelves = await shelvesOf([home]);
  await store.setThreads(scopeOf([home]), threadEntries(shelves, new Map()));
  for (const thread of shelves.threads()) await indexHistory(store, thread, { isContinued: false, onBytes: () => undefined, isStopped: () => false });
  await indexTexts(store);
  return store;
}

/** Rows that a history has itself although they are equal to its base's, where it shares rows; and how many it shares. */
export async function doubled(store: SqliteStore): Promise<{ readonly twice: readonly string[]; readonly shared: number }> {
  const twice: string[] = [];
  let shared = 0;
  for (const { id, shared: spans } of await store.histories()) {
    for (const { base, from, to } of spans) {
      for (const table of rowTables) {
        const row = store.db.prepare<[number], []>(`SELECT ${rowColumns[table].join(', ')} FROM ${table} WHERE id = ?`).raw();
        for (const theirs of store.db.prepare<[number, number], number>(`SELECT id FROM ${table} WHERE id >= ? AND id < ?`).pluck().all(rowIdOf(base, from), rowIdOf(base, to))) {
          const by = idsApart(id, base);
          const [own, other] = [row.get(theirs + by), row.get(theirs)];
          if (own && other && sameCells(movedCells(table, other, by), own)) twice.push(`${table} ${theirs + by}`);
          if (!own) shared += 1;
        }
      }
    }
  }
  return { twice, shared };
}
