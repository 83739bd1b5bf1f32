import { type FileIdentity, TapeError, fileIdentity } from '@tapefold/tapes';
import type { FileStretches, Segment, ShelfThread } from '../files/shelf.js';
import { planHistory } from '../indexing/plan-history.js';
import { stampOf } from '../indexing/segment-stamp.js';
import { MAPPED_BYTES } from './limits.js';
import type { MappedBytes, StoredTurnMap, TurnMap } from './turn-map.js';
import { bytesOfSegments } from '../files/segment-bytes.js';

/** Session files that a map can be made of, oldest first. */
export interface MappedFiles {
  readonly segments: readonly Segment[];
  readonly stretches: FileStretches;
  readonly problems: readonly string[];
}

/** A base is read up to a byte; where only the agent's number says where it ends, there is no map. */
const isPlain = ({ file, endOffset, endOrdinal }: Segment): boolean => file.unreadable === undefined && file.form === 'lines' && (endOffset !== undefined || endOrdinal === undefined);

/** The session files of a thread, where they are large, plain, and of an agent whose files have stretches. */
export function mappedFiles(thread: ShelfThread, leastBytes = MAPPED_BYTES): MappedFiles | undefined {
  const { stretches } = thread;
  const { segments, problems } = thread.segments();
  if (!stretches || segments.length === 0 || !segments.every(isPlain)) return undefined;
  const bytes = bytesOfSegments(segments);
  return bytes >= leastBytes ? { segments, stretches, problems } : undefined;
}

/** Makes the map of files; undefined where none is sure, where a file cannot be read, or where it was stopped. */
export async function mapTurns({ segments, stretches, problems }: MappedFiles, isStopped: () => boolean): Promise<TurnMap | undefined> {
  try {
    const identities = segments.map(({ file }) => fileIdentity(file.path));
    const found = await stretches.find(segments, isStopped);
    if (!found) return undefined;
    const { head, realtime, files, marks } = found;
    const stamps = segments.map((segment, i) => stampOf(segment, identities[i] as FileIdentity, lengthOf(files[i])));
    const starts = marks.filter(({ isStart }) => isStart);
    return { marks, state: { head, realtime, files, stamps, ordinals: [starts[0]?.ordinal ?? 0, starts.at(-1)?.ordinal ?? 0], problems } };
  } catch (cause) {
    if (cause instanceof TapeError) return undefined;
    throw cause;
  }
}

const lengthOf = (file: MappedBytes | undefined): number => (file ? file.to - file.from : 0);

/** Whether a map is that of files as they are. */
export function isMapOf({ rowsVersion, state: { stamps } }: StoredTurnMap, { segments }: MappedFiles): boolean {
  const plan = planHistory({ rowsVersion, state: { segments: stamps, isWhole: true, hasLooseEnd: false } }, segments);
  return stamps.length === segments.length && (plan === 'keep' || plan === 'restamp');
}
