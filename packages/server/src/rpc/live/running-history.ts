import type { HistoryItem, HistoryReader, HistoryTurn, KeysetPage } from '@tapefold/threads';

const mapped = <T>(page: KeysetPage<T>, map: (entry: T) => T): KeysetPage<T> => ({ ...page, rows: page.rows.map(map) });

/** A history in which one turn runs (the key of the fact that began it): it and what is open in it are in progress. The same history where none does. */
export function runningHistory(history: HistoryReader, turnKey: string | undefined): HistoryReader {
  if (turnKey === undefined) return history;
  const turnOf = (turn: HistoryTurn): HistoryTurn => (turn.rows.turn.key === turnKey ? { ...turn, phase: 'running' } : turn);
  const itemOf = (item: HistoryItem): HistoryItem => (item.row.turn === turnKey ? { ...item, isTurnOver: false } : item);
  const chunks = history.turnChunks?.bind(history);
  return {
    threadId: history.threadId, historyMode: history.historyMode, marks: history.marks,
    turnPage: async (request) => mapped(await history.turnPage(request), turnOf),
    itemPage: async (request, turnId) => mapped(await history.itemPage(request, turnId), itemOf),
    turnsOfId: async (id) => (await history.turnsOfId(id)).map(turnOf),
    eachTurn: async function* () { for await (const turn of history.eachTurn()) yield turnOf(turn); },
    ...(chunks && { turnChunks: () => chunks(turnKey) }),
    eachItem: async function* (from) { for await (const item of history.eachItem(from)) yield itemOf(item); },
    ...(history.saying && { saying: async (term: string) => (await history.saying?.(term))?.map(itemOf) }),
    endedTurns: (upTo, limit) => history.endedTurns(upTo, limit),
    realtime: () => history.realtime(),
    turnObject: (turn, view) => history.turnObject(turn, view),
    itemObject: (item) => history.itemObject(item),
  };
}
