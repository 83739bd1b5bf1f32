import type { Statement } from 'better-sqlite3';
import type { HistoryId, SharedSpan } from '../thread-store.js';
import type { Sqlite } from './database.js';
import { type RowTable, rangeOf, rowIdOf, rowTables } from './schema.js';

/** A history that shares rows of another one. */
export interface SharingFork {
  readonly fork: HistoryId;
  readonly from: number;
  readonly to: number;
}

/**
 * Which rows of a history stand with another one. Law: the row at a position is the history's own; where it has none and hides none, the one that the base of the span which the position is in
 * has of its own at the same position; else there is none.
 */
export class SharedSpans {
  readonly #spans: Statement<[number], SharedSpan>;
  readonly #forks: Statement<[number], SharingFork>;
  readonly #anyFork: Statement<[], number>;
  readonly #add: Statement<[number, number, number, number]>;
  readonly #extend: Statement<[number, number, number, number]>;
  readonly #forget: Statement<[number]>;
  readonly #hide: Statement<[number, string]>;
  readonly #show: Statement<[number, string]>;
  readonly #showAll: Statement<[number, number]>;
  /** Whether a history has, or hides, the row of an id. */
  readonly #own: Readonly<Record<RowTable, Statement<[number, number], number>>>;

  constructor(db: Sqlite) {
    this.#spans = db.prepare<[number], SharedSpan>('SELECT base, first AS "from", beyond AS "to" FROM shared WHERE fork = ? ORDER BY first');
    this.#forks = db.prepare<[number], SharingFork>('SELECT fork, first AS "from", beyond AS "to" FROM shared WHERE base = ?');
    this.#anyFork = db.prepare<[], number>('SELECT 1 FROM shared LIMIT 1').pluck();
    this.#add = db.prepare<[number, number, number, number]>('INSERT INTO shared (fork, first, beyond, base) VALUES (?, ?, ?, ?)');
    this.#extend = db.prepare<[number, number, number, number]>('UPDATE shared SET beyond = ? WHERE fork = ? AND base = ? AND beyond = ?');
    this.#forget = db.prepare<[number]>('DELETE FROM shared WHERE fork = ?');
    this.#hide = db.prepare<[number, string]>('INSERT OR IGNORE INTO hidden (id, of) VALUES (?, ?)');
    this.#show = db.prepare<[number, string]>('DELETE FROM hidden WHERE id = ? AND of = ?');
    this.#showAll = db.prepare<[number, number]>('DELETE FROM hidden WHERE id >= ? AND id < ?');
    const own = (table: RowTable): Statement<[number, number], number> => db.prepare<[number, number], number>(`SELECT 1 FROM ${table} WHERE id = ? UNION ALL SELECT 1 FROM hidden WHERE id = ? AND of = '${table}' LIMIT 1`).pluck();
    this.#own = Object.fromEntries(rowTables.map((table) => [table, own(table)])) as Record<RowTable, Statement<[number, number], number>>;
  }

  /** What a history shares, in order of positions. */
  of(history: HistoryId): readonly SharedSpan[] {
    return this.#spans.all(history);
  }

  /** Who shares rows of a history. */
  forksOf(base: HistoryId): readonly SharingFork[] {
    return this.#forks.all(base);
  }

  /** Whether any history shares rows. */
  get hasAny(): boolean {
    return this.#anyFork.get() !== undefined;
  }

  /** Whether the row at a position is the history's own affair, whatever its base has there. */
  isOwn(table: RowTable, id: number): boolean {
    return this.#own[table].get(id, id) !== undefined;
  }

  hide(table: RowTable, id: number): void {
    this.#hide.run(id, table);
  }

  /** No longer hidden. */
  show(table: RowTable, id: number): void {
    this.#show.run(id, table);
  }

  /** Adds spans behind those that the history has. */
  add(fork: HistoryId, spans: readonly SharedSpan[]): void {
    for (const { base, from, to } of spans) if (this.#extend.run(to, fork, base, from).changes === 0) this.#add.run(fork, from, to, base);
  }

  /** The history shares nothing any more. */
  forget(history: HistoryId): void {
    this.#forget.run(history);
    this.#showAll.run(...rangeOf(history));
  }
}

/** Spans of a history's positions by whose rows stand there, which is never a history that shares them itself. */
export function ownersOf(spans: SharedSpans, { base, from, to }: SharedSpan): SharedSpan[] {
  const borrowed = spans.of(base).map((span) => ({ base: span.base, from: Math.max(span.from, from), to: Math.min(span.to, to) })).filter((span) => span.from < span.to);
  const own = { base, from: Math.max(from, borrowed.at(-1)?.to ?? 0), to };
  return own.from < own.to ? [...borrowed, own] : borrowed;
}

/** What the row ids of one history are more than those of another. */
export function idsApart(history: HistoryId, other: HistoryId): number {
  return rowIdOf(history, 0) - rowIdOf(other, 0);
}
