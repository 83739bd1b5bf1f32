import type { ItemsView, Turn } from '../../objects/turn.js';
import { readOrdinalCursor, readTurnCursor, writeOrdinalCursor, writeTurnCursor } from '../cursors/history-cursor.js';
import type { TurnsListParams } from '../schemas/history-params.js';
import { RpcError } from '../wire/rpc-error.js';
import type { History } from './history.js';
import type { HistoryReader, HistoryTurn } from './history-reader.js';
import { type MarkAnchor, readMarkCursor, writeMarkCursor } from '../cursors/mark-cursor.js';
import { type Anchor, clampedLimit } from './keyset.js';
import { type LazyPage, lazyPage } from './lazy-page.js';
import type { RecordMark } from './record-index.js';

/** A legacy cursor names a turn: where it is no part of the history any more, the original says so. */
async function legacyAnchor(history: HistoryReader, text: string): Promise<Anchor> {
  const { turnId, includeAnchor, rolloutOrdinal } = readTurnCursor(text);
  const turns = await history.turnsOfId(turnId);
  const turn = rolloutOrdinal === undefined ? turns[0] : turns.find(({ place }) => place.ordinal === rolloutOrdinal);
  if (!turn) throw new RpcError('anchorTurnGone');
  return { ...turn.place, includeAnchor };
}

/** The anchor of a page that was read from the end of the file, in a history that was read whole. */
function markedAnchor(history: HistoryReader, { mark, includeAnchor }: MarkAnchor, text: string): Anchor {
  const ordinal = history.marks?.ordinalAt(mark);
  if (ordinal === undefined) throw new RpcError('invalidCursor', { about: text });
  return { ordinal, part: undefined, includeAnchor };
}

async function anchorOf(history: HistoryReader, cursor: string | null | undefined): Promise<Anchor | undefined> {
  if (cursor === null || cursor === undefined) return undefined;
  const mark = readMarkCursor(history.threadId, cursor);
  if (mark) return markedAnchor(history, mark, cursor);
  return history.historyMode === 'legacy' ? legacyAnchor(history, cursor) : readOrdinalCursor({ threadId: history.threadId, scope: 'turns' }, cursor);
}

/** The cursor that anchors at a turn: by id in legacy threads, else by record. */
export async function turnCursorOf(history: HistoryReader, turn: HistoryTurn, anchor: Anchor): Promise<string> {
  if (history.historyMode !== 'legacy') return writeOrdinalCursor({ threadId: history.threadId, scope: 'turns' }, anchor);
  const isRepeated = (await history.turnsOfId(turn.id)).length > 1;
  return writeTurnCursor({ turnId: turn.id, includeAnchor: anchor.includeAnchor, rolloutOrdinal: isRepeated ? turn.place.ordinal : undefined });
}

/**
 * What a call of `thread/turns/list` asks for where it can be answered from the end of a file: the newest turns, before a mark where the page before was
 * read so too. Undefined where the whole history is needed.
 */
export function newestTurnsQuery(threadId: string, { cursor, limit, sortDirection, itemsView }: TurnsListParams): { readonly turns: number; readonly before: RecordMark | undefined; readonly isSummary: boolean } | undefined {
  if (sortDirection === 'asc') return undefined;
  const anchor = cursor === null || cursor === undefined ? undefined : readMarkCursor(threadId, cursor);
  if (typeof cursor === 'string' && (!anchor || anchor.includeAnchor)) return undefined;
  return { turns: clampedLimit(limit), before: anchor?.mark, isSummary: itemsView !== 'full' };
}

/**
 * Answers `thread/turns/list` with all the turns of a history that was read from the end of a file, newest first; `older`: where that reading began.
 * Its cursors name bytes, since records are not numbered without those before. Undefined where it holds more than the page may, or nothing. Pure.
 */
export function newestTurnsPage(history: History, { older, ...params }: TurnsListParams & { readonly older: RecordMark | null }): LazyPage<Turn> | undefined {
  const turns = [...history.turns].reverse();
  const first = turns[0] && history.marks?.markOf(turns[0].rows.turn.position);
  if (!first || turns.length > clampedLimit(params.limit)) return undefined;
  const view: ItemsView = params.itemsView ?? 'summary';
  const write = (mark: RecordMark, includeAnchor: boolean): string => writeMarkCursor(history.threadId, { mark, includeAnchor });
  return lazyPage(turns.map((turn) => () => history.turnObject(turn, view)), { nextCursor: older ? write(older, false) : null, backwardsCursor: write(first, true) });
}

/** Answers `thread/turns/list`: newest turns first and as summaries where nothing else is asked for. Pure; refusals are `RpcError`s. */
export async function turnsPage(history: HistoryReader, params: TurnsListParams): Promise<LazyPage<Turn>> {
  const view: ItemsView = params.itemsView ?? 'summary';
  const anchor = await anchorOf(history, params.cursor);
  const page = await history.turnPage({ anchor, direction: params.sortDirection ?? 'desc', limit: clampedLimit(params.limit), hasItems: view !== 'notLoaded' });
  const cursor = async (turn: HistoryTurn | undefined, at: Anchor | undefined): Promise<string | null> => (turn && at ? turnCursorOf(history, turn, at) : null);
  return lazyPage(page.rows.map((turn) => () => history.turnObject(turn, view)), { nextCursor: await cursor(page.rows.at(-1), page.next), backwardsCursor: await cursor(page.rows[0], page.back) });
}
