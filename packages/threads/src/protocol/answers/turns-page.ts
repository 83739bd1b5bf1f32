import type { ItemsView } from '../../objects/turn.js';
import { readOrdinalCursor, readTurnCursor, writeOrdinalCursor, writeTurnCursor } from '../cursors/history-cursor.js';
import type { TurnsListParams } from '../schemas/history-params.js';
import { RpcError } from '../wire/rpc-error.js';
import type { History, HistoryTurn } from './history.js';
import { type Anchor, clampedLimit, keysetPage } from './keyset.js';
import { type LazyPage, lazyPage } from './lazy-page.js';
import type { Turn } from '../../objects/turn.js';

/** A legacy cursor names a turn: where it is no part of the history any more, the original says so. */
function legacyAnchor(history: History, text: string): Anchor {
  const { turnId, includeAnchor, rolloutOrdinal } = readTurnCursor(text);
  const turns = history.turnsOfId(turnId);
  const turn = rolloutOrdinal === undefined ? turns[0] : turns.find(({ place }) => place.ordinal === rolloutOrdinal);
  if (!turn) throw new RpcError('anchorTurnGone');
  return { ...turn.place, includeAnchor };
}

function anchorOf(history: History, cursor: string | null | undefined): Anchor | undefined {
  if (cursor === null || cursor === undefined) return undefined;
  return history.historyMode === 'legacy' ? legacyAnchor(history, cursor) : readOrdinalCursor({ threadId: history.threadId, scope: 'turns' }, cursor);
}

/** The cursor that anchors at a turn: by id in legacy threads, else by record. */
export function turnCursorOf(history: History, turn: HistoryTurn, anchor: Anchor): string {
  if (history.historyMode !== 'legacy') return writeOrdinalCursor({ threadId: history.threadId, scope: 'turns' }, anchor);
  const isRepeated = history.turnsOfId(turn.id).length > 1;
  return writeTurnCursor({ turnId: turn.id, includeAnchor: anchor.includeAnchor, rolloutOrdinal: isRepeated ? turn.place.ordinal : undefined });
}

/** Answers `thread/turns/list`: newest turns first and as summaries where nothing else is asked for. Pure; refusals are `RpcError`s. */
export function turnsPage(history: History, params: TurnsListParams): LazyPage<Turn> {
  const view: ItemsView = params.itemsView ?? 'summary';
  const page = keysetPage(history.turns, { anchor: anchorOf(history, params.cursor), direction: params.sortDirection ?? 'desc', limit: clampedLimit(params.limit) });
  const cursor = (turn: HistoryTurn | undefined, anchor: Anchor | undefined): string | null => (turn && anchor ? turnCursorOf(history, turn, anchor) : null);
  return lazyPage(page.rows.map((turn) => () => history.turnObject(turn, view)), { nextCursor: cursor(page.rows.at(-1), page.next), backwardsCursor: cursor(page.rows[0], page.back) });
}
