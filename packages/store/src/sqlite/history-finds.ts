import { Buffer } from 'node:buffer';
import { type RecordFinds, sharedRecords } from './records-reader.js';
import type { ItemRecord } from './item-record.js';
import { type RowFinds, type TurnRecord, sharedRows } from './row-queries.js';
import { type Find, type SharedView, downwards } from './shared-view.js';

/** Rows between two row ids, up to a number of them. */
type Scan<R> = Find<[number, number, number], R>;

/** A turn with the row id of the end that counts. */
export type EndedRecord = TurnRecord & { readonly ended: number };

/** Scans of rows in order, each a few at a time. */
export interface RowScans {
  readonly turnsUp: Scan<TurnRecord>;
  readonly turnsDown: Scan<TurnRecord>;
  readonly endedDown: Scan<EndedRecord>;
  readonly itemsUp: Scan<ItemRecord>;
  readonly itemsDown: Scan<ItemRecord>;
  readonly movedUp: Find<[Buffer, Buffer, number], ItemRecord>;
  readonly movedDown: Find<[Buffer, Buffer, number], ItemRecord>;
  readonly waiting: Find<[number, number], ItemRecord>;
}

/** What rows of one history are looked up with. */
export interface HistoryFinds {
  readonly rows: RowFinds;
  readonly records: RecordFinds;
  readonly scans: RowScans;
}

const byEnd = (a: EndedRecord, b: EndedRecord): number => b.ended - a.ended;
const byOrder = (a: ItemRecord, b: ItemRecord): number => (a.ord && b.ord ? Buffer.compare(a.ord, b.ord) : 0);

function sharedScans(scans: RowScans, view: SharedView): RowScans {
  const params = ['from', 'to', 'limit'] as const;
  const keys = ['key', 'keyUntil', 'limit'] as const;
  return {
    turnsUp: view.many('turns', scans.turnsUp, { params }), turnsDown: view.many('turns', scans.turnsDown, { params, order: downwards }), endedDown: view.many('turns', scans.endedDown, { params: ['at', 'until', 'limit'], order: byEnd }),
    itemsUp: view.many('items', scans.itemsUp, { params }), itemsDown: view.many('items', scans.itemsDown, { params, order: downwards }),
    movedUp: view.many('items', scans.movedUp, { params: keys, order: byOrder }), movedDown: view.many('items', scans.movedDown, { params: keys, order: (a, b) => byOrder(b, a) }),
    waiting: view.many('items', scans.waiting, { params: ['from', 'to'] }),
  };
}

/** The same look-ups of a history that shares rows. */
export function sharedFinds(finds: HistoryFinds, view: SharedView | undefined): HistoryFinds {
  return view ? { rows: sharedRows(finds.rows, view), records: sharedRecords(finds.records, view), scans: sharedScans(finds.scans, view) } : finds;
}
