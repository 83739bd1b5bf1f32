import type { ItemRow } from '@tapefold/threads';
import type { HistoryId, HistoryState } from '../thread-store.js';

/**
 * Something else that is made of the rows of a history and kept in the same database (search text): told inside the transaction that writes them, so that it
 * is never ahead of them nor behind. `rowIdOf(history, row.position)` is the row id of an item.
 */
export interface RowCompanion {
  /** Items were written, new or anew. */
  wrote(history: HistoryId, items: readonly ItemRow[], state: HistoryState): void;
  /** All rows of a history are about to go. */
  cleared(history: HistoryId): void;
}
