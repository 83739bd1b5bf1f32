import { History } from '@tapefold/threads';
import { openThread } from '../files/read-thread.js';
import { pieceReader } from '../files/piece-reader.js';
import type { ShelfThread } from '../files/shelf.js';
import { historyName } from '../indexing/plan-history.js';
import type { ThreadStore } from '../thread-store.js';
import { isMapOf, mappedFile } from '../turn-map/map-turns.js';
import { MappedHistory } from '../turn-map/mapped-history.js';
import { differentPages } from './different-pages.js';
import { firstDifference, plain } from './first-difference.js';

/** Compares what the map of a thread answers with what its whole file does: the first difference; undefined where there is none, or no map of the file as it is. Memory: the thread. */
export async function differentMap(store: ThreadStore, thread: ShelfThread): Promise<string | undefined> {
  const file = mappedFile(thread, 0);
  const map = file && await store.turnMap(historyName(thread));
  if (!file || !map || !isMapOf(map, file.segment)) return undefined;
  const { head } = map.state;
  const whole = await openThread(thread, {});
  const mapped = new MappedHistory({ thread: thread.object(head), map, readPiece: pieceReader(thread.shelf.byTape), open: (stretch) => file.stretches.open(file.segment, head, stretch) });
  const difference = firstDifference(plain(whole.thread), plain(thread.object(head)), 'thread') ?? await differentPages(new History(whole), mapped);
  return difference === undefined ? undefined : `the map of its turns: ${difference}`;
}
