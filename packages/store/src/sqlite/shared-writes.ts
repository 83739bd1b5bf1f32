import type { Statement } from 'better-sqlite3';
import type { HistoryId, HistoryWrite, SharedSpan } from '../thread-store.js';
import type { Sqlite } from './database.js';
import { type Cells, isWithinIds, movedCells, rowColumns, sameCells } from './row-columns.js';
import { type RowTable, positionOf, rowIdOf, rowTables } from './schema.js';
import { type SharedSpans, type SharingFork, idsApart, ownersOf } from './shared-spans.js';

/** Statements over whole rows of a table. */
interface TableRows {
  readonly row: Statement<[number], unknown[]>;
  readonly remove: Statement<[number]>;
  readonly insert: Statement<unknown[]>;
  readonly ids: Statement<[number, number], number>;
}

/** Prepared once for a database. */
export class SharedRowTables {
  readonly spans: SharedSpans;
  readonly of: Readonly<Record<RowTable, TableRows>>;

  constructor(db: Sqlite, spans: SharedSpans) {
    this.spans = spans;
    const rowsOf = (table: RowTable): TableRows => ({
      row: db.prepare<[number], unknown[]>(`SELECT ${rowColumns[table].join(', ')} FROM ${table} WHERE id = ?`).raw(),
      remove: db.prepare<[number]>(`DELETE FROM ${table} WHERE id = ?`),
      insert: db.prepare<unknown[]>(`INSERT INTO ${table} (${rowColumns[table].join(', ')}) VALUES (${rowColumns[table].map(() => '?').join(', ')})`),
      ids: db.prepare<[number, number], number>(`SELECT id FROM ${table} WHERE id >= ? AND id < ?`).pluck(),
    });
    this.of = Object.fromEntries(rowTables.map((table) => [table, rowsOf(table)])) as Record<RowTable, TableRows>;
  }

  cells(table: RowTable, id: number): Cells | undefined {
    return this.of[table].row.get(id) as Cells | undefined;
  }
}

/**
 * One commit of a history that shares rows, or whose rows others share. A row that is equal to the base's is not kept twice; one that is about to change is first copied to the forks that show it,
 * so that no history changes with another. Places to play from say the same whoever noted them: they are the base's, and are never copied nor hidden.
 */
export class SharedWrite {
  readonly #history: HistoryId;
  readonly #tables: SharedRowTables;
  readonly #forks: readonly SharingFork[];
  readonly #spans: readonly SharedSpan[];
  /** Spans that this commit begins to share, and the positions with rows in it. */
  readonly #begun: readonly SharedSpan[];
  readonly #written = new Map<RowTable, Set<number>>();
  /** Row ids of items of any history that were written, copied or went. */
  readonly items: number[] = [];

  constructor(tables: SharedRowTables, history: HistoryId, begun: readonly SharedSpan[]) {
    this.#tables = tables;
    this.#history = history;
    this.#begun = begun;
    this.#spans = tables.spans.of(history);
    this.#forks = tables.spans.forksOf(history);
  }

  get isAlone(): boolean {
    return this.#spans.length === 0 && this.#forks.length === 0;
  }

  /** A row is about to be written; answers whether it has to be. */
  isToWrite(table: RowTable, cells: Cells): boolean {
    const id = Number(cells[0]);
    const span = spanAt(this.#spans, positionOf(id));
    if (table === 'starts') return !span;
    if (this.#forks.length > 0) this.#give(table, cells);
    const isToWrite = !span || !this.#share(table, cells, span);
    if (table === 'items' && isToWrite) this.items.push(id);
    return isToWrite;
  }

  /** Copies the row as it is to the forks that show it; what is new to this history, they do not have. */
  #give(table: RowTable, cells: Cells): void {
    const id = Number(cells[0]);
    const forks = this.#forks.filter((fork) => spanAt([fork], positionOf(id)) && !this.#tables.spans.isOwn(table, id + idsApart(fork.fork, this.#history)));
    const before = forks.length === 0 ? undefined : this.#tables.cells(table, id);
    if (before && sameCells(before, cells)) return;
    for (const { fork } of forks) {
      const by = idsApart(fork, this.#history);
      if (!before) this.#tables.spans.hide(table, id + by);
      else this.#tables.of[table].insert.run(...movedCells(table, before, by));
      if (before && table === 'items') this.items.push(id + by);
    }
  }

  /** Whether the base has the row as it is now: then the history has none of its own. */
  #share(table: RowTable, cells: Cells, span: SharedSpan): boolean {
    const id = Number(cells[0]);
    const by = idsApart(this.#history, span.base);
    this.#note(table, positionOf(id));
    this.#tables.spans.show(table, id);
    const theirs = this.#tables.cells(table, id - by);
    if (!theirs || !isWithinIds(table, cells, rowIdOf(this.#history, span.to)) || !sameCells(movedCells(table, theirs, by), cells)) return false;
    if (this.#tables.of[table].remove.run(id).changes > 0 && table === 'items') this.items.push(id);
    return true;
  }

  #note(table: RowTable, position: number): void {
    if (!spanAt(this.#begun, position)) return;
    const written = this.#written.get(table);
    if (written) written.add(position);
    else this.#written.set(table, new Set([position]));
  }

  /** After all rows: what the base has in spans that are new, and this history has not, is hidden. */
  finish(): void {
    for (const { base, from, to } of this.#begun) {
      for (const table of rowTables) {
        for (const id of this.#tables.of[table].ids.all(rowIdOf(base, from), rowIdOf(base, to))) {
          const position = positionOf(id);
          // The first place of a span was noted with the commit before, which ended there.
          if (table === 'starts') this.#tables.of[table].remove.run(rowIdOf(this.#history, position));
          else if (!this.#written.get(table)?.has(position)) this.#tables.spans.hide(table, rowIdOf(this.#history, position));
        }
      }
    }
  }
}

const spanAt = <S extends Pick<SharedSpan, 'from' | 'to'>>(spans: readonly S[], position: number): S | undefined => spans.find(({ from, to }) => position >= from && position < to);

/** Begins a commit's writing; undefined where no row is shared. */
export function sharedWrite(tables: SharedRowTables, history: HistoryId, { shared }: Pick<HistoryWrite, 'shared'>): SharedWrite | undefined {
  const begun = shared ? ownersOf(tables.spans, shared) : [];
  tables.spans.add(history, begun);
  const write = new SharedWrite(tables, history, begun);
  return write.isAlone ? undefined : write;
}
