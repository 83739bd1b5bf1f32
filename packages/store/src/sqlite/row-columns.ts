import { Buffer } from 'node:buffer';
import { moveKey } from './order-key.js';
import type { RowTable } from './schema.js';

/** A value of a column. */
export type Cell = string | number | Buffer | null;
/** A row as cells in the order of its table's columns. */
export type Cells = readonly Cell[];

/** The columns of each table, as rows are written; the row id first. */
export const rowColumns = {
  turns: ['id', 'turn_id', 'live', 'last_word', 'ended', 'state'],
  items: ['id', 'place', 'turn', 'step', 'ord', 'item_id', 'turn_id', 'kind', 'state', 'body', 'past'],
  steps: ['id', 'live', 'state'],
  notices: ['id', 'state'],
  realtime: ['id', 'state'],
  records: ['id', 'ordinal', 'list'],
  outline: ['id', 'facts', 'entries'],
  starts: ['id', 'segment', 'byte', 'player'],
} as const satisfies Readonly<Record<RowTable, readonly string[]>>;

/** Columns that hold row ids. */
const idColumns: ReadonlySet<string> = new Set(['id', 'turn', 'step', 'last_word', 'ended']);

function movedCell(column: string, cell: Cell, by: number): Cell {
  if (idColumns.has(column)) return cell === null ? null : Number(cell) + by;
  return column === 'ord' && Buffer.isBuffer(cell) ? moveKey(cell, by) : cell;
}

/** A row as another history has it at the same position. `by`: what its row ids are more. */
export function movedCells(table: RowTable, cells: Cells, by: number): Cell[] {
  return cells.map((cell, i) => movedCell(rowColumns[table][i] ?? '', cell, by));
}

/** The same for a row by names of columns. */
export function movedRecord<R extends object>(record: R, by: number): R {
  return Object.fromEntries(Object.entries(record).map(([column, cell]) => [column, movedCell(column, cell as Cell, by)])) as R;
}

const sameCell = (a: Cell | undefined, b: Cell | undefined): boolean => (Buffer.isBuffer(a) && Buffer.isBuffer(b) ? a.equals(b) : a === b);

/** Whether two rows of a table are equal in every column. */
export function sameCells(a: Cells, b: Cells): boolean {
  return a.every((cell, i) => sameCell(cell, b[i]));
}

/** Whether a row names no row id from one on: of turns, steps and words, or in its order. */
export function isWithinIds(table: RowTable, cells: Cells, beyond: number): boolean {
  return cells.every((cell, i) => {
    const column: string = rowColumns[table][i] ?? '';
    if (column === 'ord' && Buffer.isBuffer(cell)) return Number(cell.readBigUInt64BE()) < beyond;
    return !idColumns.has(column) || cell === null || Number(cell) < beyond;
  });
}
