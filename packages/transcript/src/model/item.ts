import type { ItemId, MarkerId, TaskId, TaskRefId } from './ids.js';
import type { TranscriptTurn } from './turn.js';

/** The markers that an agent writes by name; others are of the open namespace `custom:<ns>`. */
export const KNOWN_MARKERS = [
  'compaction', 'undo', 'clear', 'goal', 'plan.enter', 'plan.exit', 'plan.revision', 'swarm.enter', 'swarm.exit', 'skill', 'cron.fired', 'notice', 'hook', 'interruption',
] as const;
/** A known marker, or any other word. */
export type MarkerKey = (typeof KNOWN_MARKERS)[number] | (string & {});

/** Something between turns. */
export interface TranscriptMarker {
  readonly kind: 'marker';
  readonly markerId: MarkerId;
  readonly marker: MarkerKey;
  readonly payload?: unknown;
  readonly at?: string | undefined;
}

/** The place of a task in the reading flow; the task itself is a global entity. */
export interface TranscriptTaskRef {
  readonly kind: 'taskref';
  readonly refId: TaskRefId;
  readonly taskId: TaskId;
  readonly at?: string | undefined;
}

/** One entry of a timeline. */
export type TranscriptItem = TranscriptTurn | TranscriptMarker | TranscriptTaskRef;

/** What an item is called in the namespace that all items share. */
export function itemId(item: TranscriptItem): ItemId {
  switch (item.kind) {
    case 'turn': return item.turnId;
    case 'marker': return item.markerId;
    case 'taskref': return item.refId;
  }
}
