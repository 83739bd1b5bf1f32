import type { PieceReader } from '@tapefold/facts';
import { type ItemRow, type ItemTextOptions, type Order, compareOrder, itemObject, itemText } from '@tapefold/threads';
import { faceOf } from '../rows/row-codec.js';
import { inflated } from './deflated.js';
import type { ItemCells } from './row-queries.js';

/** An item that a turn is shown with, as it stands in the table, or as a row where that was made already. */
export interface ShownItem {
  readonly order: Order;
  readonly of: ItemCells | ItemRow;
}

/** A row as one. */
export const shownRow = (row: ItemRow): ShownItem => ({ order: row.order, of: row });

/** Sorted by order; the list itself where it is. */
export function inOrder(items: readonly ShownItem[]): readonly ShownItem[] {
  const isSorted = items.every(({ order }, i) => i === 0 || compareOrder(items[i - 1]?.order ?? [], order) <= 0);
  return isSorted ? items : [...items].sort((a, b) => compareOrder(a.order, b.order));
}

const isRow = (of: ShownItem['of']): of is ItemRow => 'order' in of;

/** How items are written. `rowOf`: makes the row of cells. */
export interface WriteOptions extends ItemTextOptions {
  readonly readPiece: PieceReader;
  readonly rowOf: (cells: ItemCells) => ItemRow;
}

/** What `JSON.stringify` writes of the item's object: only where that takes it, the object is made. */
export function shownText({ of }: ShownItem, options: WriteOptions): string {
  if (isRow(of)) return JSON.stringify(itemObject(of, options));
  const { 5: id, 6: state, 7: body } = of;
  const { hasLarge, isOpen, startedAtMs, completedAtMs } = faceOf(state);
  if (hasLarge) return JSON.stringify(itemObject(options.rowOf(of), options));
  return itemText({ id, body: typeof body === 'string' ? body : inflated(body), isOpen, startedAtMs, completedAtMs }, options);
}
