import { Buffer } from 'node:buffer';
import type { HistoryId, SharedSpan } from '../thread-store.js';
import type { Sqlite } from './database.js';
import { moveKey, orderKey } from './order-key.js';
import { movedRecord } from './row-columns.js';
import { type RowTable, positionOf, rangeOf, rowIdOf } from './schema.js';
import { type SharedSpans, idsApart } from './shared-spans.js';

/** A look-up of rows, as a prepared statement is one. */
export interface Find<P extends unknown[], R> {
  get(...params: P): R | undefined;
  all(...params: P): R[];
}

interface Row { readonly id: number }

/**
 * What a parameter of a look-up is. Row ids that the ids of rows lie between: `from`, `to` (before it), `upTo` (with it), `behind` (without it). Row ids that other columns are compared with:
 * `at`, and `until` where they are below it. Keys of orders: `key`, and `keyUntil` where they are below it. `limit`: how many rows. `value`: anything else.
 */
export type Param = 'from' | 'to' | 'upTo' | 'behind' | 'at' | 'until' | 'key' | 'keyUntil' | 'limit' | 'value';

/** How rows are sorted. */
type Compare<R> = (a: R, b: R) => number;
export const upwards: Compare<Row> = (a, b) => a.id - b.id;
export const downwards: Compare<Row> = (a, b) => b.id - a.id;

const firstKey = (a: Buffer, b: Buffer): Buffer => (Buffer.compare(a, b) < 0 ? a : b);

/** A parameter as the base of a span takes it: rows of the span name no row id from its end on. */
function movedParam(param: unknown, kind: Param | undefined, { history, span }: { readonly history: HistoryId; readonly span: SharedSpan }): unknown {
  const by = idsApart(span.base, history);
  const [first, end] = [rowIdOf(span.base, span.from), rowIdOf(span.base, span.to)];
  switch (kind) {
    case 'from': return Math.max(Number(param) + by, first);
    case 'behind': return Math.max(Number(param) + by, first - 1);
    case 'to': case 'until': return Math.min(Number(param) + by, end);
    case 'upTo': return Math.min(Number(param) + by, end - 1);
    case 'at': return Number(param) + by;
    case 'key': return moveKey(param as Buffer, by);
    case 'keyUntil': return firstKey(moveKey(param as Buffer, by), orderKey(span.base, [span.to]));
    default: return param;
  }
}

/** The rows of a history that shares some: its own, and those of the bases which it does not have otherwise, as if they were its own. */
export class SharedView {
  readonly #history: HistoryId;
  readonly #spans: readonly SharedSpan[];
  readonly #shared: SharedSpans;

  constructor(history: HistoryId, spans: readonly SharedSpan[], shared: SharedSpans) {
    this.#history = history;
    this.#spans = spans;
    this.#shared = shared;
  }

  /** A look-up by row id over all of them. */
  one<R extends Row>(table: RowTable, find: Find<[number], R>): Find<[number], R> {
    const get = (id: number): R | undefined => {
      const stored = this.storedId(table, id);
      const row = find.get(stored);
      return row && (stored === id ? row : movedRecord(row, id - stored));
    };
    return { get, all: (id) => { const row = get(id); return row ? [row] : []; } };
  }

  /** A look-up of several over all of them. */
  many<P extends unknown[], R extends Row>(table: RowTable, find: Find<P, R>, { params: kinds, order = upwards }: { readonly params: readonly Param[]; readonly order?: Compare<R> | undefined }): Find<P, R> {
    const limitAt = kinds.indexOf('limit');
    const all = (...params: P): R[] => {
      const limit = limitAt < 0 ? Infinity : Number(params[limitAt]);
      const shared = this.#spans.flatMap((span) => {
        const moved = params.map((param, i) => movedParam(param, kinds[i], { history: this.#history, span }));
        return this.#visible(table, span, { find: (count) => find.all(...(moved.map((param, i) => (i === limitAt ? count : param)) as P)), limit });
      });
      return [...find.all(...params), ...shared].sort(order).slice(0, limit);
    };
    return { all, get: (...params) => all(...params)[0] };
  }

  /** The first rows of a base that the history does not have otherwise: so many are asked for that those are enough. */
  #visible<R extends Row>(table: RowTable, span: SharedSpan, { find, limit }: { readonly find: (count: number) => R[]; readonly limit: number }): R[] {
    const by = idsApart(this.#history, span.base);
    for (let count = limit; ; count *= 2) {
      const found = find(count);
      const visible = found.filter(({ id }) => positionOf(id) >= span.from && positionOf(id) < span.to && !this.#shared.isOwn(table, id + by));
      if (visible.length >= limit || found.length < count || count === 0) return visible.slice(0, limit).map((row) => movedRecord(row, by));
    }
  }

  /** The row id that the row of an id of the history stands under: its own, or a base's. */
  storedId(table: RowTable, id: number): number {
    const position = positionOf(id);
    const span = this.#spans.find(({ from, to }) => position >= from && position < to);
    return span && !this.#shared.isOwn(table, id) ? rowIdOf(span.base, position) : id;
  }
}

/** The view of a history that shares rows; undefined for one that has all of its rows itself. */
export function sharedView(shared: SharedSpans, history: HistoryId): SharedView | undefined {
  const spans = shared.of(history);
  return spans.length === 0 ? undefined : new SharedView(history, spans, shared);
}

/** A database, and what its histories share. */
export interface SharedRows {
  readonly db: Sqlite;
  readonly shared: SharedSpans;
}

/** Every row of a history in a table, in order of positions. `columns`: the row id among them. */
export function allRows<R extends Row>({ db, shared }: SharedRows, history: HistoryId, { table, columns }: { readonly table: RowTable; readonly columns: string }): R[] {
  const rows: Find<[number, number], R> = db.prepare<[number, number], R>(`SELECT ${columns} FROM ${table} WHERE id >= ? AND id < ? ORDER BY id`);
  return (sharedView(shared, history)?.many(table, rows, { params: ['from', 'to'] }) ?? rows).all(...rangeOf(history));
}
