import { Buffer } from 'node:buffer';
import type { PieceReader } from '@tapefold/facts';
import { type ItemRow, type ItemTextOptions, type Order, type StoredItem, compareOrder, itemObject, itemText } from '@tapefold/threads';
import { inflatedBytes } from './deflated.js';

/** An item that a turn is shown with, its texts packed; or its row, where the object takes it. */
export interface ShownItem {
  readonly order: Order;
  readonly of: ItemRow | (Omit<StoredItem, 'body'> & { readonly body: string | Buffer });
}

/** A row as one. */
export const shownRow = (row: ItemRow): ShownItem => ({ order: row.order, of: row });

/** Sorted by order; the list itself where it is. */
export function inOrder(items: readonly ShownItem[]): readonly ShownItem[] {
  const isSorted = items.every(({ order }, i) => i === 0 || compareOrder(items[i - 1]?.order ?? [], order) <= 0);
  return isSorted ? items : [...items].sort((a, b) => compareOrder(a.order, b.order));
}

const isRow = (of: ShownItem['of']): of is ItemRow => 'order' in of;

/** How items are written. */
export interface WriteOptions extends ItemTextOptions {
  readonly readPiece: PieceReader;
}

/** What `JSON.stringify` writes of the item's object: as text where that was made, else packed. */
export function shownText({ of }: ShownItem, options: WriteOptions): { readonly text: string } | string {
  if (isRow(of)) return { text: JSON.stringify(itemObject(of, options)) };
  const { id, isOpen, startedAtMs, completedAtMs, body } = of;
  return itemText({ id, body: typeof body === 'string' ? body : inflatedBytes(body).toString('latin1'), isOpen, startedAtMs, completedAtMs }, options);
}
