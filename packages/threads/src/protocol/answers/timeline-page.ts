import type { RealtimeRow } from '../../fold/row.js';
import { compareOrder } from '../../rows/order.js';
import { newestWord } from '../../rows/turn-as-of.js';
import { TIMELINE_KIND, type TimelinePlace, readTimelineCursor, writeTimelineCursor } from '../cursors/timeline-cursor.js';
import type { TimelineListParams } from '../schemas/history-params.js';
import type { TimelineEntry, TimelineListResponse } from '../schemas/history-results.js';
import type { History, HistoryTurn } from './history.js';
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

/** A turn as two entries: where it began, and where a record ended it. */
function turnEntries(history: History, turn: HistoryTurn): Entry[] {
  const end = newestWord(turn.rows.turn.ends);
  const bare = (): Pick<Extract<TimelineEntry, { type: 'turnCompleted' }>, 'turnId' | 'status' | 'error' | 'startedAt' | 'completedAt' | 'durationMs'> => {
    const { id: turnId, status, error, startedAt, completedAt, durationMs } = history.turnObject(turn, 'notLoaded');
    return { turnId, status, error, startedAt, completedAt, durationMs };
  };
  const started: Entry = { at: placed(turn.place, 'turnStarted', turn.id), make: () => ({ type: 'turnStarted', position: turn.place.ordinal, turnId: turn.id, startedAt: bare().startedAt }) };
  if (!end) return [started];
  const place = history.placeOf([end.position]);
  return [started, { at: placed(place, 'turnCompleted', turn.id), make: () => ({ type: 'turnCompleted', position: place.ordinal, ...bare() }) }];
}

/** Words of a record as the wire has them: `transcript_segment` → `transcriptSegment`. */
const camelCase = (words: string): string => words.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

function spoken({ id, sessionId, kind, role, text }: RealtimeRow): Extract<TimelineEntry, { type: 'realtime' }>['item'] {
  return { id, realtimeSessionId: sessionId, type: camelCase(kind), ...(role === null ? {} : { role }), ...(text === null ? {} : { text }) };
}

function entriesOf(history: History): Entry[] {
  const items = history.items.map((item): Entry => ({
    at: placed(item.place, 'item', item.row.id), make: () => ({ type: 'item', position: item.place.ordinal, turnId: item.turnId, item: history.itemObject(item) }),
  }));
  const realtime = history.realtime.map((row): Entry => ({ at: placed(row.place, 'realtime', row.id), make: () => ({ type: 'realtime', position: row.place.ordinal, item: spoken(row) }) }));
  return [...history.turns.flatMap((turn) => turnEntries(history, turn)), ...items, ...realtime].sort((a, b) => compare(a.at, b.at));
}

/** The spoken session that was going on before a place. */
function sessionAt(history: History, first: TimelinePlace | undefined): string | null {
  let active: string | null = null;
  for (const row of history.realtime) {
    if (!first || compare(placed(row.place, 'realtime', row.id), first) >= 0) break;
    if (row.kind === 'realtime_session_started') active = row.sessionId;
    else if (row.kind === 'realtime_session_ended' && row.sessionId === active) active = null;
  }
  return active;
}

/** Answers `thread/timeline/list`: turns' starts and ends, items and spoken words; the newest page first, each page oldest first. Pure. */
export function timelinePage(history: History, params: TimelineListParams): TimelineListResponse {
  const entries = entriesOf(history);
  const anchor = params.cursor === null || params.cursor === undefined ? undefined : readTimelineCursor(history.threadId, params.cursor);
  const to = anchor ? entries.filter(({ at }) => compare(at, anchor) < 0).length : entries.length;
  const from = Math.max(to - clampedLimit(params.limit), 0);
  const page = entries.slice(from, to);
  const first = page[0]?.at;
  return {
    data: page.map(({ make }) => make()), nextCursor: first && from > 0 ? writeTimelineCursor(history.threadId, first) : null, activeRealtimeSessionAtPageStart: sessionAt(history, first),
  };
}
