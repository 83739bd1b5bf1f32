import { fileIdentity } from '@tapefold/tapes';
import type { RecordList } from '@tapefold/threads';
import { endProblems } from '../files/read-thread.js';
import type { Segment, ShelfThread } from '../files/shelf.js';
import { bytesPlayed } from '../indexing/bytes-played.js';
import { hashes } from '../indexing/segment-stamp.js';
import { BLOCK_RECORDS } from '../rows/record-blocks.js';
import type { SegmentStamp } from '../rows/segment-stamp.js';
import type { HistoryState } from '../thread-store.js';
import { firstDifference, plain } from './first-difference.js';
import type { Afresh } from './fold-afresh.js';

/** The newest records of a history: those behind the complete blocks. */
export function newestRecords({ records }: Afresh): RecordList {
  const from = Math.max(0, Math.floor((records.length - 1) / BLOCK_RECORDS)) * BLOCK_RECORDS;
  return records.slice(from, records.length);
}

/** Where the checkpoint stands, as the files have it: not in the middle of a line, and behind all of those before its own. */
export function differentEnd({ ends }: Afresh, stamps: readonly SegmentStamp[]): string | undefined {
  for (const [i, stamp] of stamps.entries()) {
    const end = ends[i];
    if (end && end.bytes !== stamp.bytes) return `the checkpoint is at byte ${stamp.bytes} of file ${i + 1}, where no line ends: the last one before it ends at ${end.bytes}`;
    if (end?.behind === 'line' && i < stamps.length - 1) return `the checkpoint is behind file ${i + 1}, of which lines behind byte ${stamp.bytes} are left`;
  }
  return undefined;
}

/** What the stamp of a file has to be. When and where it lay may have changed: then nothing tells how large it was. */
function expectedStamp(stamp: SegmentStamp, { file }: Segment): SegmentStamp {
  const now = fileIdentity(file.path);
  const isSame = now.inode === stamp.inode && now.device === stamp.device && now.mtimeMs === stamp.mtimeMs;
  return { ...stamp, sizeBytes: isSame ? now.sizeBytes : stamp.sizeBytes, ...hashes(file.path, stamp.bytes) };
}

/** Whether all of the files is in the rows; undefined where the rest is nothing that rows are made of, so that both may be said. */
function isAllPlayed({ ends }: Afresh, segments: readonly Segment[]): boolean | undefined {
  const behind = ends.length < segments.length ? 'line' : ends.at(-1)?.behind;
  return behind === 'nothing' || (behind === 'line' ? false : undefined);
}

/** The last word on a line without an end counts, whichever file it is in. */
function hasLooseEnd({ ends }: Afresh): boolean {
  return ends.reduce((isLoose, end) => (end.behind === 'torn' ? false : isLoose || end.isLoose), false);
}

function problemsOf({ ends }: Afresh, thread: ShelfThread, isWhole: boolean): string[] {
  const { segments, problems } = thread.segments();
  const finished = isWhole ? ends : ends.slice(0, -1);
  return [...problems, ...finished.flatMap(({ behind, damage, endOffset }, i) => (behind === 'cut' ? [] : endProblems(segments[i] as Segment, damage, endOffset)))];
}

/** Compares what the state of a history says of its files with what they are: the first difference. Throws `TapeError`. */
export function differentFiles(fresh: Afresh, thread: ShelfThread, state: HistoryState): string | undefined {
  const { segments } = thread.segments();
  const { head: _head, position: _position, lastAt: _lastAt, records: _records, outline: _outline, ...stored } = state;
  const stamps = state.segments.map((stamp, i) => expectedStamp(stamp, segments[i] as Segment));
  const isWhole = isAllPlayed(fresh, segments) ?? state.isWhole;
  // Files that were not begun may have grown since.
  const { bytes, totalBytes } = bytesPlayed(stamps, segments);
  const expected = {
    segments: stamps, bytes: stamps.length < segments.length ? state.bytes : bytes, totalBytes: stamps.length < segments.length ? state.totalBytes : totalBytes,
    appliedTo: fresh.rows.appliedTo, isWhole, hasLooseEnd: hasLooseEnd(fresh), problems: problemsOf(fresh, thread, isWhole),
  };
  return firstDifference(plain(expected), plain(stored), 'checkpoint');
}
