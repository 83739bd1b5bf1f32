import { KeptByBytes } from '../files/kept-by-bytes.js';
import { pieceReader } from '../files/piece-reader.js';
import type { ShelfThread } from '../files/shelf.js';
import { historyName } from '../indexing/plan-history.js';
import type { ThreadHistory } from '../thread-source.js';
import type { ThreadStore } from '../thread-store.js';
import { MAPS_BYTES, STRETCHES_BYTES } from '../turn-map/limits.js';
import { isMapOf, mappedFiles } from '../turn-map/map-turns.js';
import { type MappedHistory, mappedHistory } from '../turn-map/mapped-history.js';

/** Threads that are answered from the maps of their files. */
export class MappedThreads {
  readonly #store: ThreadStore;
  /** By the id that was asked for: histories under the stamp of their map, and threads as they were found in the homes. */
  readonly #histories = new KeptByBytes<MappedHistory>(MAPS_BYTES);
  readonly #threads = new KeptByBytes<ShelfThread>(MAPS_BYTES);

  constructor(store: ThreadStore) {
    this.#store = store;
  }

  /** The thread of an id that was found before, without a look through the homes; undefined where it was not, or its files are others by now. */
  async again(id: string): Promise<ThreadHistory | undefined> {
    const thread = this.#threads.get(id, '');
    return thread && this.of(id, thread);
  }

  /** A thread by the map of its files; undefined where there is none, or the files are others by now. */
  async of(id: string, thread: ShelfThread): Promise<ThreadHistory | undefined> {
    const files = mappedFiles(thread, 0);
    const map = files && await this.#store.turnMap(historyName(thread));
    if (!map || !isMapOf(map, files)) return undefined;
    const { head, problems } = map.state;
    const object = thread.object(head);
    const history = this.#histories.get(id, map.stamp) ?? mappedHistory(map, { thread: object, files, readPiece: pieceReader(thread.shelf.byTape) });
    this.#histories.keep(id, { stamp: map.stamp, value: history, sizeBytes: STRETCHES_BYTES });
    // Which thread a part of an id means, or the newest one is, only a look through the homes tells.
    if (id === thread.threadId) this.#threads.keep(id, { stamp: '', value: thread, sizeBytes: STRETCHES_BYTES });
    return { stamp: map.stamp, program: thread.shelf.program, thread: object, history, problems, openTurn: () => history.openTurn() };
  }
}
