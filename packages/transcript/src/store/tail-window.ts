import type { TranscriptItem } from '../model/item.js';
import type { AgentTranscriptSnapshot } from '../model/snapshot.js';

/** Which part of a transcript a snapshot holds. */
export interface SnapshotWindow {
  /** The newest so many turns, and what stands behind the first of them. Entities are never left out. */
  readonly tailTurns?: number | undefined;
}

/** Where the newest `count` turns begin; undefined where there are no more than that. */
function tailFrom(items: readonly TranscriptItem[], count: number): number | undefined {
  let from = items.length;
  for (let index = items.length - 1, left = count; index >= 0; index -= 1) {
    if (items[index]?.kind !== 'turn') continue;
    if (left <= 0) return from;
    left -= 1;
    from = index;
  }
  return undefined;
}

/** The snapshot with the newest turns only. */
export function windowed(snapshot: AgentTranscriptSnapshot, { tailTurns }: SnapshotWindow): AgentTranscriptSnapshot {
  const from = tailTurns === undefined ? undefined : tailFrom(snapshot.items, tailTurns);
  return from === undefined ? snapshot : { ...snapshot, items: snapshot.items.slice(from), hasMoreOlder: true };
}
