import type { RealtimeRow } from '../../fold/row.js';
import { compareOrder } from '../../rows/order.js';
import { TIMELINE_KIND, type TimelinePlace, readTimelineCursor, writeTimelineCursor } from '../cursors/timeline-cursor.js';
import type { TimelineListParams } from '../schemas/history-params.js';
import type { TimelineEntry, TimelineListResponse } from '../schemas/history-results.js';
import type { EndedTurn, HistoryReader, HistoryTurn, PlacedRealtime } from './history-reader.js';
import { clampedLimit } from './keyset.js';
import type { RecordPlace } from './record-index.js';

interface Entry {
  readonly at: TimelinePlace;
  readonly make: () => TimelineEntry;
}

function compare(a: TimelinePlace, b: TimelinePlace): number {
  return a.position - b.position || compareOrder(a.part, b.part) || a.kind - b.kind || (a.id < b.id ? -1 : Number(a.id > b.id));
}

const placed = ({ ordinal, part }: RecordPlace, kind: keyof typeof TIMELINE_KIND, id: string): TimelinePlace => ({ position: ordinal, part, kind: TIMELINE_KIND[kind], id });

type BareTurn = Pick<Extract<TimelineEntry, { type: 'turnCompleted' }>, 'turnId' | 'status' | 'error' | 'startedAt' | 'completedAt' | 'durationMs'>;

function bare(history: HistoryReader, turn: HistoryTurn): BareTurn {
  const { id: turnId, status, error, startedAt, completedAt, durationMs } = history.turnObject(turn, 'notLoaded');
  return { turnId, status, error, startedAt, completedAt, durationMs };
}

/** Where a turn began. */
function startEntry(history: HistoryReader, turn: HistoryTurn): Entry {
  return { at: placed(turn.place, 'turnStarted', turn.id), make: () => ({ type: 'turnStarted', position: turn.place.ordinal, turnId: turn.id, startedAt: bare(history, turn).startedAt }) };
}

/** Where a record ended it. */
function endEntry(history: HistoryReader, { turn, place }: EndedTurn): Entry {
  return { at: placed(place, 'turnCompleted', turn.id), make: () => ({ type: 'turnCompleted', position: place.ordinal, ...bare(history, turn) }) };
}

/** Words of a record as the wire has them: `transcript_segment` → `transcriptSegment`. */
const camelCase = (words: string): string => words.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

function spoken({ id, sessionId, kind, role, text }: RealtimeRow): Extract<TimelineEntry, { type: 'realtime' }>['item'] {
  return { id, realtimeSessionId: sessionId, type: camelCase(kind), ...(role === null ? {} : { role }), ...(text === null ? {} : { text }) };
}

/** The newest entries before an anchor, oldest first: at least `count` where there are so many. */
async function entriesBefore(history: HistoryReader, anchor: TimelinePlace | undefined, { count, realtime }: { count: number; realtime: readonly PlacedRealtime[] }): Promise<Entry[]> {
  const place: RecordPlace | undefined = anchor && { ordinal: anchor.position, part: anchor.part };
  // Each kind has at most one entry at the anchor's own place, which may stand behind it.
  const request = { anchor: place && { ...place, includeAnchor: true }, direction: 'desc', limit: count + 1 } as const;
  const [turns, ends, items] = await Promise.all([history.turnPage({ ...request, hasItems: false }), history.endedTurns(place, count + 1), history.itemPage(request)]);
  const entries = [
    ...turns.rows.map((turn) => startEntry(history, turn)), ...ends.map((ended) => endEntry(history, ended)),
    ...items.rows.map((item): Entry => ({
      at: placed(item.place, 'item', item.row.id), make: () => ({ type: 'item', position: item.place.ordinal, turnId: item.turnId, item: history.itemObject(item) }),
    })),
    ...realtime.map((row): Entry => ({ at: placed(row.place, 'realtime', row.id), make: () => ({ type: 'realtime', position: row.place.ordinal, item: spoken(row) }) })),
  ];
  return entries.filter(({ at }) => !anchor || compare(at, anchor) < 0).sort((a, b) => compare(a.at, b.at));
}

/** The spoken session that was going on before a place. */
function sessionAt(realtime: readonly PlacedRealtime[], first: TimelinePlace | undefined): string | null {
  let active: string | null = null;
  for (const row of realtime) {
    if (!first || compare(placed(row.place, 'realtime', row.id), first) >= 0) break;
    if (row.kind === 'realtime_session_started') active = row.sessionId;
    else if (row.kind === 'realtime_session_ended' && row.sessionId === active) active = null;
  }
  return active;
}

/** Answers `thread/timeline/list`: turns' starts and ends, items and spoken words; the newest page first, each page oldest first. Pure. */
export async function timelinePage(history: HistoryReader, params: TimelineListParams): Promise<TimelineListResponse> {
  const limit = clampedLimit(params.limit);
  const realtime = await history.realtime();
  const anchor = params.cursor === null || params.cursor === undefined ? undefined : readTimelineCursor(history.threadId, params.cursor);
  const entries = await entriesBefore(history, anchor, { count: limit + 1, realtime });
  const page = entries.slice(-limit);
  const first = page[0]?.at;
  return {
    data: page.map(({ make }) => make()), nextCursor: first && entries.length > limit ? writeTimelineCursor(history.threadId, first) : null, activeRealtimeSessionAtPageStart: sessionAt(realtime, first),
  };
}
