import type { ThreadItem } from '../objects/thread-item.js';
import type { ItemOutcome } from '../objects/item-parts.js';
import type { ItemProgress } from './item-status.js';

/** What the object of an item is made with besides its body. `cwd`: the thread's folder, for commands that name none. */
export interface ObjectParts {
  readonly id: string;
  readonly startedAtMs: number | null;
  readonly completedAtMs: number | null;
  readonly progress: ItemProgress;
  readonly cwd: string;
}

/** The keys that every item ends with; `outcome` only where there is one. */
export function tailOf(parts: ObjectParts, outcome?: ItemOutcome): Pick<ThreadItem, 'startedAtMs' | 'completedAtMs'> & { outcome?: ItemOutcome } {
  const times = { startedAtMs: parts.startedAtMs, completedAtMs: parts.completedAtMs };
  return outcome === undefined ? times : { ...times, outcome };
}
