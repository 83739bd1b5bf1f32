import type { FactKey } from '@tapefold/facts';
import type { ItemRow, TurnRow } from '../fold/row.js';

/** What settled and unsettled views read: the effective rows of a thread, now or as of a position. A store implements it over its tables. */
export interface RowView {
  /** Effective turns in order. */
  turns(): readonly TurnRow[];
  /** Effective items of a turn in order, whatever their visibility. */
  items(turn: FactKey): readonly ItemRow[];
  /** Effective inputs that stand in no turn, in order of receipt. */
  leftovers(): readonly ItemRow[];
}
