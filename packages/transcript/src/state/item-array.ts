import type { TranscriptItem } from '../model/item.js';

/** Changes after which the whole array is made anew: following more would cost about as much. */
const MAX_CHANGES = 1_024;

/** Where the positions of a list stand in the array of its items. Holds on while items are replaced or added at the end. */
interface Layout {
  /** By position; absent: the positions are the indexes. */
  readonly indexes: readonly number[] | undefined;
  /** Positions when it was made, and items then: what came later stands behind them. */
  readonly end: number;
  readonly length: number;
}

interface Change {
  readonly position: number;
  readonly earlier: Change | undefined;
}

const indexIn = ({ indexes, end, length }: Layout, position: number): number => (position >= end ? length + position - end : (indexes?.[position] ?? position));

/**
 * An array of items that was handed out, and what changed since: so the array of the next state is a copy with a few items replaced, and not all
 * items read again. Immutable.
 */
export class ItemArray {
  private readonly items: readonly TranscriptItem[];
  private readonly layout: Layout;
  private readonly changes: Change | undefined;
  private readonly changeCount: number;

  private constructor(from: { readonly items: readonly TranscriptItem[]; readonly layout: Layout; readonly changes?: Change | undefined; readonly changeCount: number }) {
    this.items = from.items;
    this.layout = from.layout;
    this.changes = from.changes;
    this.changeCount = from.changeCount;
  }

  /** `positions`: of each item in order; absent: as they stand in the list. `end`: positions of the list. */
  static of(items: readonly TranscriptItem[], positions: readonly number[] | undefined, end: number): ItemArray {
    const indexes = positions && Array.from({ length: end }, () => 0);
    positions?.forEach((position, index) => { if (indexes) indexes[position] = index; });
    return new ItemArray({ items, layout: { indexes, end, length: items.length }, changeCount: 0 });
  }

  /** Notes that the item at a position was replaced, or added at the end; undefined where so much changed that the array is better made anew. */
  changed(position: number): ItemArray | undefined {
    if (this.changes?.position === position) return this;
    if (this.changeCount === MAX_CHANGES) return undefined;
    return new ItemArray({ items: this.items, layout: this.layout, changes: { position, earlier: this.changes }, changeCount: this.changeCount + 1 });
  }

  /** The array with its changes, read anew from where they stand; the same array where there are none. */
  read(itemAt: (position: number) => TranscriptItem): readonly TranscriptItem[] {
    return this.changes ? this.copied(itemAt) : this.items;
  }

  private copied(itemAt: (position: number) => TranscriptItem): TranscriptItem[] {
    const positions: number[] = [];
    for (let change = this.changes; change; change = change.earlier) positions.push(change.position);
    const copy = this.items.slice();
    for (const position of positions.reverse()) copy[indexIn(this.layout, position)] = itemAt(position);
    return copy;
  }

  /** The same with its changes read: what comes next counts from there. */
  settled(items: readonly TranscriptItem[]): ItemArray {
    return new ItemArray({ items, layout: this.layout, changeCount: 0 });
  }
}
