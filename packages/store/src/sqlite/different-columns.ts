import { Buffer } from 'node:buffer';
import { Positions } from '../rows/positions.js';
import { encodeItem, encodeStep } from '../rows/row-codec.js';
import { encodeTurn } from '../rows/turn-codec.js';
import type { HistoryDump, HistoryId } from '../thread-store.js';
import { orderKey } from './order-key.js';
import type { Cell } from './row-columns.js';
import { type RowTable, positionOf, rowIdOf, rowTables } from './schema.js';
import { type SharedRows, allRows } from './shared-view.js';

/** A row by the columns that it is found by. */
type Cells = Readonly<Record<string, Cell>>;

const sameCell = (a: Cell | undefined, b: Cell | undefined): boolean => (Buffer.isBuffer(a) && Buffer.isBuffer(b) ? a.equals(b) : a === b);
const shown = (cell: Cell | undefined): string => (Buffer.isBuffer(cell) ? cell.toString('hex') : JSON.stringify(cell ?? null));

/** What the columns have to be, by table. What rows are read back from is compared elsewhere: with the files. */
function expectedCells(id: HistoryId, { checkpoint: { state }, turns, items, steps, notices, realtime, records }: HistoryDump): Readonly<Partial<Record<RowTable, readonly Cells[]>>> {
  const positions = new Positions(state.head.offsets);
  const orNull = (position: number | null): number | null => (position === null ? null : rowIdOf(id, position));
  return {
    turns: turns.map((row) => {
      const { position, turnId, isLive, lastWord, endedAt } = encodeTurn(row);
      return { id: rowIdOf(id, position), turn_id: turnId, live: Number(isLive), last_word: orNull(lastWord), ended: orNull(endedAt) };
    }),
    items: items.map((row) => {
      const { position, place, turn, step, order, itemId, turnId, kind } = encodeItem(row, positions);
      return { id: rowIdOf(id, position), place, turn: orNull(turn), step: orNull(step), ord: order && orderKey(id, order), item_id: itemId, turn_id: turnId, kind };
    }),
    steps: steps.flatMap((row) => {
      const step = encodeStep(row, positions);
      return step ? { id: rowIdOf(id, step.position), live: Number(step.isLive) } : [];
    }),
    notices: notices.map(({ position }) => ({ id: rowIdOf(id, position) })),
    realtime: realtime.map(({ position }) => ({ id: rowIdOf(id, position) })),
    records: records.map(({ starts, ordinals }) => ({ id: rowIdOf(id, starts[0] ?? 0), ordinal: ordinals[0] ?? 0 })),
  };
}

/**
 * Compares the columns that queries find and sort rows by with what the rows themselves say, as the writer would fill them. The first difference, as a sentence.
 * Memory: the thread's rows without their bodies.
 */
export function differentColumns(rows: SharedRows, dump: HistoryDump): string | undefined {
  const { id } = dump.checkpoint;
  const expectedByTable = expectedCells(id, dump);
  for (const table of rowTables) {
    const expected = expectedByTable[table];
    if (!expected) continue;
    const columns = Object.keys(expected[0] ?? { id });
    for (const [i, row] of allRows<Cells & { readonly id: number }>(rows, id, { table, columns: columns.join(', ') }).entries()) {
      const column = columns.find((name) => !sameCell(row[name], expected[i]?.[name]));
      if (column !== undefined) return `column ${column} of ${table}, at position ${positionOf(row.id)}: ${shown(expected[i]?.[column])} by the row, ${shown(row[column])} in the index`;
    }
  }
  return undefined;
}
