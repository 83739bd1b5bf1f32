import { History } from '@tapefold/threads';
import { openThread } from '../files/read-thread.js';
import type { ShelfThread } from '../files/shelf.js';
import { MappedThreads } from '../source/mapped-threads.js';
import type { ThreadStore } from '../thread-store.js';
import { differentPages } from './different-pages.js';
import { firstDifference, plain } from './first-difference.js';

/** Compares what the map of a thread answers with what its whole file does: the first difference; undefined where there is none, or no map of the file as it is. Memory: the thread. */
export async function differentMap(store: ThreadStore, thread: ShelfThread): Promise<string | undefined> {
  const mapped = await new MappedThreads(store).of(thread.threadId, thread);
  if (!mapped) return undefined;
  const whole = await openThread(thread, {});
  const difference = firstDifference(plain(whole.thread), plain(mapped.thread), 'thread') ?? await differentPages(new History(whole), mapped.history);
  return difference === undefined ? undefined : `the map of its turns: ${difference}`;
}
