import type { ItemRow } from '../fold/row.js';
import { type Order, compareOrder, insertionIndex } from './order.js';

const orderOf = (row: ItemRow): Order => row.order;

/** The order in which rows came into their groups: taking them up in it restores the groups as they were. */
export function compareArrival(a: ItemRow, b: ItemRow): number {
  return a.placedAt - b.placedAt || compareOrder(a.order, b.order) || a.position - b.position;
}

/** The items of one turn (or of a turn id that no turn has): by id, and in order. */
export class ItemGroup {
  readonly #byId = new Map<string, ItemRow>();
  readonly #ordered: ItemRow[] = [];

  /** The row that came last under an id: an id names one item of a turn, unless a damaged file repeats it. */
  get(id: string): ItemRow | undefined {
    return this.#byId.get(id);
  }

  inOrder(): readonly ItemRow[] {
    return this.#ordered;
  }

  insert(row: ItemRow): void {
    const known = this.#byId.get(row.id);
    // Rows that are taken up from a store may come later than they arrived.
    if (!known || compareArrival(known, row) <= 0) this.#byId.set(row.id, row);
    this.#ordered.splice(insertionIndex(this.#ordered, row.order, orderOf), 0, row);
  }

  remove(row: ItemRow): void {
    const end = insertionIndex(this.#ordered, row.order, orderOf);
    const index = this.#ordered.lastIndexOf(row, end);
    if (index >= 0) this.#ordered.splice(index, 1);
    if (this.#byId.get(row.id) === row) this.#byId.delete(row.id);
  }
}
