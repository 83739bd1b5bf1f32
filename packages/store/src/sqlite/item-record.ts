import type { Buffer } from 'node:buffer';
import type { ItemPlace } from '../rows/row-codec.js';

/** An item as it stands in the table. `body`: as text, or deflated. `past`: only where it is asked for. */
export interface ItemRecord {
  readonly id: number;
  readonly place: ItemPlace;
  readonly turn: number | null;
  readonly step: number | null;
  readonly ord: Buffer | null;
  readonly item_id: string;
  readonly state: string | null;
  readonly body: string | Buffer;
  readonly past?: string | null;
}
