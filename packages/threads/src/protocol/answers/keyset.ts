import { type Order, compareOrder } from '../../rows/order.js';
import type { RecordPlace } from './record-index.js';

/** Rows of a page at most, and where nothing is asked for (`codex-history.md` §7.4). */
const MAX_LIMIT = 100;
const DEFAULT_LIMIT = 25;

/** A limit as the original takes it: 25 where absent, else clamped to 1 to 100. */
export function clampedLimit(limit: number | null | undefined): number {
  return Math.min(Math.max(limit ?? DEFAULT_LIMIT, 1), MAX_LIMIT);
}

/** Order of the records: `asc` is oldest first. */
export type SortDirection = 'asc' | 'desc';

/** A record to go on from. Without `part` the whole record is meant: all rows that began with it. */
export interface Anchor {
  readonly ordinal: number;
  readonly part: Order | undefined;
  readonly includeAnchor: boolean;
}

/** Which rows a page is to hold: up to `limit` (from 1) behind the anchor, or from the beginning of the direction. */
export interface PageRequest {
  readonly anchor: Anchor | undefined;
  readonly direction: SortDirection;
  readonly limit: number;
}

/** A page in the order asked for. `next`: where to go on in the same direction, exclusive; `back`: from where to turn round, the first row included. */
export interface KeysetPage<R> {
  readonly rows: readonly R[];
  readonly next: Anchor | undefined;
  readonly back: Anchor | undefined;
}

interface Placed { readonly place: RecordPlace }

function compare({ place }: Placed, anchor: Anchor): number {
  return place.ordinal - anchor.ordinal || (anchor.part === undefined ? 0 : compareOrder(place.part, anchor.part));
}

/** First index from which `isPast` holds; it holds for a suffix. */
function firstIndex<R>(rows: readonly R[], isPast: (row: R) => boolean): number {
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const row = rows[middle];
    if (row !== undefined && isPast(row)) high = middle;
    else low = middle + 1;
  }
  return low;
}

function anchorAt(rows: readonly Placed[], index: number, includeAnchor: boolean): Anchor | undefined {
  const place = rows[index]?.place;
  if (!place) return undefined;
  const isAlone = [rows[index - 1], rows[index + 1]].every((neighbour) => neighbour?.place.ordinal !== place.ordinal);
  return { ordinal: place.ordinal, part: isAlone ? undefined : place.part, includeAnchor };
}

/** Bounds of a page in rows that ascend by place: `from` to before `to`. */
function boundsOf(rows: readonly Placed[], { anchor, direction, limit }: PageRequest): { from: number; to: number } {
  if (direction === 'asc') {
    const from = anchor ? firstIndex(rows, (row) => (anchor.includeAnchor ? compare(row, anchor) >= 0 : compare(row, anchor) > 0)) : 0;
    return { from, to: Math.min(from + limit, rows.length) };
  }
  const to = anchor ? firstIndex(rows, (row) => (anchor.includeAnchor ? compare(row, anchor) > 0 : compare(row, anchor) >= 0)) : rows.length;
  return { from: Math.max(to - limit, 0), to };
}

/**
 * One page of rows that ascend by place; places are unique. O(log n + limit). Pure. A store that keeps rows in a database selects the same rows by
 * (ordinal, part).
 */
export function keysetPage<R extends Placed>(rows: readonly R[], request: PageRequest): KeysetPage<R> {
  const { from, to } = boundsOf(rows, request);
  const isAsc = request.direction === 'asc';
  const kept = rows.slice(from, to);
  const [first, last] = isAsc ? [from, to - 1] : [to - 1, from];
  const hasMore = isAsc ? to < rows.length : from > 0;
  return {
    rows: isAsc ? kept : kept.reverse(), next: kept.length > 0 && hasMore ? anchorAt(rows, last, false) : undefined, back: kept.length > 0 ? anchorAt(rows, first, true) : undefined,
  };
}
