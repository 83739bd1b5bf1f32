import { type TurnId, turnOrdinal } from '../model/ids.js';
import type { TranscriptItem } from '../model/item.js';

/** Turns of a page where nobody asks for another number, and at most. */
export const TURN_PAGE_SIZE = { default: 20, max: 100 } as const;

/** Which page: the newest turns, those before a turn, or those after one. The turn itself need not exist; only its number counts. */
export interface TurnPageQuery {
  readonly beforeTurn?: TurnId | undefined;
  readonly afterTurn?: TurnId | undefined;
  /** Turns at most, at least 1; by default 20. */
  readonly pageSize?: number | undefined;
}

export interface TurnPage {
  /** Oldest first. */
  readonly items: readonly TranscriptItem[];
  /** Whether turns are left in the direction of the query. */
  readonly hasMore: boolean;
}

/** A turn and what stands behind it, up to the next one. */
interface Segment {
  readonly ordinal: number;
  readonly items: TranscriptItem[];
}

/** What stands before the first turn, and the turns with what stands behind each. */
function segmentsOf(items: readonly TranscriptItem[]): { readonly head: readonly TranscriptItem[]; readonly segments: readonly Segment[] } {
  const head: TranscriptItem[] = [];
  const segments: Segment[] = [];
  for (const item of items) {
    if (item.kind === 'turn') segments.push({ ordinal: item.ordinal, items: [item] });
    else (segments.at(-1)?.items ?? head).push(item);
  }
  return { head, segments };
}

const itemsOf = (segments: readonly Segment[]): TranscriptItem[] => segments.flatMap(({ items }) => items);

/** One page of a timeline. What stands before the first turn belongs to the oldest page. `afterTurn` counts only without `beforeTurn`. Never throws. */
export function paginateTurns(items: readonly TranscriptItem[], { beforeTurn, afterTurn, pageSize = TURN_PAGE_SIZE.default }: TurnPageQuery): TurnPage {
  const size = Math.max(1, Math.floor(pageSize));
  const { head, segments } = segmentsOf(items);
  if (afterTurn !== undefined && beforeTurn === undefined) {
    const newer = segments.filter(({ ordinal }) => ordinal > turnOrdinal(afterTurn));
    return { items: itemsOf(newer.slice(0, size)), hasMore: newer.length > size };
  }
  const older = beforeTurn === undefined ? segments : segments.filter(({ ordinal }) => ordinal < turnOrdinal(beforeTurn));
  const page = older.slice(-size);
  const hasMore = older.length > size;
  return { items: [...(hasMore ? [] : head), ...itemsOf(page)], hasMore };
}
