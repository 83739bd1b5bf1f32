import { History, type HistoryReader, isOpenTurn } from '@tapefold/threads';
import { nothingKnown, readShelves } from '../files/shelves.js';
import { openThread } from '../files/read-thread.js';
import type { ShelfThread } from '../files/shelf.js';
import { pieceReader } from '../files/piece-reader.js';
import type { SqliteStore } from '../sqlite/sqlite-store.js';
import type { HomeRef } from '../thread-source.js';
import { differentPages } from '../verify/different-pages.js';
import { firstDifference, plain } from '../verify/first-difference.js';
import { mapTurns, mappedFiles } from './map-turns.js';
import { type MappedHistory, mappedHistory } from './mapped-history.js';
import type { StoredTurnMap } from './turn-map.js';

/** Threads of a home whose files could be mapped, if they have stretches. */
export async function mappableThreads(home: HomeRef): Promise<ShelfThread[]> {
  return (await readShelves([home], { known: nothingKnown() })).threads().filter((thread) => mappedFiles(thread, 0) !== undefined);
}

/** Everything that a history answers beside its pages. Keys are a history's own. */
async function answersOf(history: HistoryReader): Promise<unknown> {
  const answers: unknown[] = [(await history.realtime()).map(({ key: _key, position: _position, ...spoken }) => spoken)];
  const ids = new Set<string>(['gone']);
  for await (const turn of history.eachTurn()) {
    ids.add(turn.id);
    answers.push([turn.place, turn.phase, history.turnObject(turn, 'full'), history.turnObject(turn, 'summary')]);
  }
  let places = 0;
  for await (const item of history.eachItem()) {
    answers.push([item.turnId, item.place, item.isTurnOver, history.itemObject(item)]);
    if (places++ % 7 === 0) for await (const first of history.eachItem(item.place)) { answers.push(first.place); break; }
  }
  for (const id of ids) {
    answers.push((await history.turnsOfId(id)).map((turn) => history.turnObject(turn, 'full')));
    for (const direction of ['asc', 'desc'] as const) answers.push(await shownItems(history, id, direction));
  }
  const ended = await history.endedTurns(undefined, 1_000);
  answers.push(ended.map(({ turn, place }) => [turn.id, place]));
  for (const { place } of ended.slice(0, 5)) answers.push((await history.endedTurns(place, 2)).map((each) => each.turn.id));
  return plain(answers);
}

async function shownItems(history: HistoryReader, turnId: string, direction: 'asc' | 'desc'): Promise<unknown> {
  const { rows, next, back } = await history.itemPage({ anchor: undefined, direction, limit: 5 }, turnId);
  return [rows.map((item) => history.itemObject(item)), next, back];
}

/** The turn that runs if anything does, by what can be compared of it. */
async function openTurnOf(history: MappedHistory): Promise<unknown> {
  const key = await history.openTurn();
  for await (const { id, rows, place } of history.eachTurn()) if (key !== undefined && rows.turn.key === key) return { id, place };
  return key ?? null;
}

function openTurnOfWhole({ turns }: History): unknown {
  const open = turns.filter(({ rows }) => isOpenTurn(rows.turn)).at(-1);
  return open ? { id: open.id, place: open.place } : null;
}

/** The map of a thread in a store; undefined where it has none. */
async function mapIn(store: SqliteStore, thread: ShelfThread): Promise<{ readonly map: StoredTurnMap; readonly history: MappedHistory } | undefined> {
  const files = mappedFiles(thread, 0);
  const made = files && await mapTurns(files, () => false);
  await store.setTurnMap(thread.threadId, made);
  const map = await store.turnMap(thread.threadId);
  if (!files || !map) return undefined;
  return { map, history: mappedHistory(map, { thread: thread.object(map.state.head), files, readPiece: pieceReader(thread.shelf.byTape) }) };
}

/**
 * Compares what the map of a thread answers with what the whole file does: undefined where there is no map, else how many stretches it has, and the first difference.
 */
export async function compareMap(store: SqliteStore, thread: ShelfThread): Promise<{ readonly turns: number; readonly stretches: number; readonly difference: string | undefined } | undefined> {
  const mapped = await mapIn(store, thread);
  if (!mapped) return undefined;
  const { map, history } = mapped;
  const whole = await openThread(thread, {});
  const expected = new History(whole);
  let stretches = 0;
  for (let stretch: ReturnType<StoredTurnMap['stretchAt']> | undefined = map.stretchAt(0); stretch; stretch = map.nextTo(stretch, 'behind')) stretches += 1;
  const difference = firstDifference(plain(whole.thread), plain(thread.object(map.state.head)), 'thread') ?? await differentPages(expected, history) ?? firstDifference(await answersOf(expected), await answersOf(history), 'answers')
    ?? firstDifference(openTurnOfWhole(expected), await openTurnOf(history), 'openTurn');
  return { turns: expected.turns.length, stretches, difference };
}
