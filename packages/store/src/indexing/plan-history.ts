import { TapeError } from '@tapefold/tapes';
import type { Segment, ShelfThread } from '../files/shelf.js';
import { type HistoryEntry, ROWS_VERSION } from '../thread-store.js';
import type { SegmentStamp } from '../rows/segment-stamp.js';
import { type SegmentChange, changeOf } from './segment-stamp.js';

/** What has to be done so that a history's rows are those of its files: nothing; only note that files moved; go on from the checkpoint; build it anew. */
export type HistoryPlan = 'keep' | 'restamp' | 'continue' | 'build';

/** The name of a thread's history: a session file, and which of the threads in it. */
export function historyName(thread: ShelfThread): string {
  return `${thread.file.tape} ${thread.threadId}`;
}

/** What became of each segment that was begun; `changed` where there is none any more. */
export function changesOf(stamps: readonly SegmentStamp[], segments: readonly Segment[]): SegmentChange[] {
  return stamps.map((stamp, i) => {
    const segment = segments[i];
    try {
      return segment ? changeOf(stamp, segment) : 'changed';
    } catch (cause) {
      if (cause instanceof TapeError) return 'changed';
      throw cause;
    }
  });
}

/** A base is read up to its cut: it may have grown behind it, unless it did not reach it. */
function isBaseSame(change: SegmentChange, { bytes, endOffset }: SegmentStamp): boolean {
  return change === 'same' || change === 'moved' || (change === 'grown' && endOffset !== null && bytes >= endOffset);
}

/** What was made of files, and of which. */
export interface MadeOfFiles extends Pick<HistoryEntry, 'rowsVersion'> {
  readonly state: Pick<HistoryEntry['state'], 'segments' | 'isWhole' | 'hasLooseEnd'>;
}

/** Compares what is stored with what lies on disk. */
export function planHistory(entry: MadeOfFiles | undefined, segments: readonly Segment[]): HistoryPlan {
  if (!entry || entry.rowsVersion !== ROWS_VERSION) return 'build';
  const { segments: stamps, isWhole, hasLooseEnd } = entry.state;
  if (stamps.length > segments.length) return 'build';
  if (segments.length === 0) return 'keep';
  const changes = changesOf(stamps, segments);
  const newest = changes.at(-1);
  const last = stamps.at(-1);
  if (!newest || !last || newest === 'changed') return 'build';
  if (!changes.slice(0, -1).every((change, i) => isBaseSame(change, stamps[i] as SegmentStamp))) return 'build';
  const isResumable = segments[stamps.length - 1]?.file.form === 'lines';
  const hasMore = !isWhole || newest === 'grown';
  if (hasMore) return isResumable && !(hasLooseEnd && newest === 'grown') ? 'continue' : 'build';
  return changes.every((change) => change === 'same') ? 'keep' : 'restamp';
}
