import type { HistoryId, HistoryState } from '../thread-store.js';

/**
 * Something else that is made of the rows of a history and kept in the same database (search text): told inside the transaction that writes them, so that it
 * is never ahead of them nor behind. A row that a history shares is its base's, and told of once.
 */
export interface RowCompanion {
  /** A history was written. `items`: row ids of items, of whatever history, that are new or other than before, or no more. */
  wrote(history: HistoryId, items: readonly number[], state: HistoryState): void;
  /** All rows of a history are about to go. */
  cleared(history: HistoryId): void;
}
