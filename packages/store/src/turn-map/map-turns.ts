import { TapeError, fileIdentity } from '@tapefold/tapes';
import type { FileStretches, Segment, ShelfThread } from '../files/shelf.js';
import { changeOf, stampOf } from '../indexing/segment-stamp.js';
import { ROWS_VERSION } from '../thread-store.js';
import { MAPPED_BYTES } from './limits.js';
import type { StoredTurnMap, TurnMap } from './turn-map.js';

/** A session file that a map can be made of. */
export interface MappedFile {
  readonly segment: Segment;
  readonly stretches: FileStretches;
}

/** The one session file of a thread, where it is large, plain, and of an agent whose files have stretches. */
export function mappedFile(thread: ShelfThread, leastBytes = MAPPED_BYTES): MappedFile | undefined {
  const { stretches } = thread;
  const { segments } = thread.segments();
  const [segment] = segments;
  if (!stretches || !segment || segments.length > 1 || segment.endOffset !== undefined || segment.endOrdinal !== undefined) return undefined;
  const { unreadable, form, sizeBytes } = segment.file;
  return unreadable === undefined && form === 'lines' && sizeBytes >= leastBytes ? { segment, stretches } : undefined;
}

/** Makes the map of a file; undefined where none is sure, where the file cannot be read, or where it was stopped. `problems`: of its thread. */
export async function mapTurns({ segment, stretches }: MappedFile, problems: readonly string[], isStopped: () => boolean): Promise<TurnMap | undefined> {
  try {
    const identity = fileIdentity(segment.file.path);
    const found = await stretches.find(segment, isStopped);
    const first = found?.marks[0];
    if (!found || !first) return undefined;
    const { head, realtime, endOffset, marks } = found;
    return { marks, state: { head, realtime, endOffset, stamp: stampOf(segment, identity, endOffset), firstOrdinal: first.ordinal, problems } };
  } catch (cause) {
    if (cause instanceof TapeError) return undefined;
    throw cause;
  }
}

/** Whether a map is that of a file as it is. */
export function isMapOf(map: StoredTurnMap, segment: Segment): boolean {
  try {
    return map.rowsVersion === ROWS_VERSION && map.state.stamp.bytes === segment.file.sizeBytes && changeOf(map.state.stamp, segment) === 'same';
  } catch (cause) {
    if (cause instanceof TapeError) return false;
    throw cause;
  }
}
