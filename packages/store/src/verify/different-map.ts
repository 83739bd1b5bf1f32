import { History } from '@tapefold/threads';
import { openThread } from '../files/read-thread.js';
import { pieceReader } from '../files/piece-reader.js';
import type { ShelfThread } from '../files/shelf.js';
import { historyName } from '../indexing/plan-history.js';
import type { ThreadStore } from '../thread-store.js';
import { isMapOf, mappedFiles } from '../turn-map/map-turns.js';
import { mappedHistory } from '../turn-map/mapped-history.js';
import { differentPages } from './different-pages.js';
import { firstDifference, plain } from './first-difference.js';

/** Compares what the map of a thread answers with what its whole file does: the first difference; undefined where there is none, or no map of the file as it is. Memory: the thread. */
export async function differentMap(store: ThreadStore, thread: ShelfThread): Promise<string | undefined> {
  const files = mappedFiles(thread, 0);
  const map = files && await store.turnMap(historyName(thread));
  if (!map || !isMapOf(map, files)) return undefined;
  const { head } = map.state;
  const whole = await openThread(thread, {});
  const mapped = mappedHistory(map, { thread: thread.object(head), files, readPiece: pieceReader(thread.shelf.byTape) });
  const difference = firstDifference(plain(whole.thread), plain(thread.object(head)), 'thread') ?? await differentPages(new History(whole), mapped);
  return difference === undefined ? undefined : `the map of its turns: ${difference}`;
}
