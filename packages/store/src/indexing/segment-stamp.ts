import { createHash } from 'node:crypto';
import { type FileIdentity, fileIdentity, readSpan } from '@tapefold/tapes';
import type { Segment } from '../files/shelf.js';
import type { SegmentStamp } from '../rows/segment-stamp.js';
import { HASH_BYTES } from './limits.js';

/** Hash of some bytes of a file as it lies on disk; empty for none. */
function hashOf(path: string, from: number, to: number): string {
  if (to <= from) return '';
  return createHash('sha256').update(readSpan(path, { offset: from, length: to - from })).digest('base64').slice(0, 22);
}

/** Hashes of what was read, by the plain content; for compressed files there are none, since size and time tell all: they do not grow. Throws `TapeError`. */
export function hashes(path: string, bytes: number): Pick<SegmentStamp, 'headHash' | 'tailHash'> {
  if (path.endsWith('.zst')) return { headHash: '', tailHash: '' };
  return { headHash: hashOf(path, 0, Math.min(HASH_BYTES, bytes)), tailHash: hashOf(path, Math.max(0, bytes - HASH_BYTES), bytes) };
}

/** The segment as rows were made of it: of its first `bytes`. `identity`: taken before the reading began, so that a change meanwhile is noticed. Throws `TapeError`. */
export function stampOf({ file, endOffset, endOrdinal }: Segment, identity: FileIdentity, bytes: number): SegmentStamp {
  return { tape: file.tape, path: file.path, ...identity, bytes, ...hashes(file.path, bytes), endOffset: endOffset ?? null, endOrdinal: endOrdinal ?? null };
}

/** What became of a file since: `same`; `grown` (or cut by its thread before the end, and whatever is behind it); `moved` otherwise the same; `changed`, so that rows do not hold. */
export type SegmentChange = 'same' | 'grown' | 'moved' | 'changed';

const isSameCut = (stamp: SegmentStamp, { endOffset, endOrdinal }: Segment): boolean => stamp.endOffset === (endOffset ?? null) && stamp.endOrdinal === (endOrdinal ?? null);
const nameOf = (path: string): string => path.split(/[\\/]/).at(-1) ?? path;

function holds(stamp: SegmentStamp, path: string): boolean {
  const now = hashes(path, stamp.bytes);
  return now.headHash === stamp.headHash && now.tailHash === stamp.tailHash;
}

/** Compares a segment with what rows were made of. Reads at most `HASH_BYTES` twice, and nothing of a file whose size, time and inode are the same. Throws `TapeError`. */
export function changeOf(stamp: SegmentStamp, segment: Segment): SegmentChange {
  const { path, tape } = segment.file;
  // A file's name tells the player who the thread is.
  if (stamp.tape !== tape || !isSameCut(stamp, segment) || nameOf(stamp.path) !== nameOf(path)) return 'changed';
  const now = fileIdentity(path);
  const isSameFile = now.inode === stamp.inode && now.device === stamp.device;
  const isSameState = now.sizeBytes === stamp.sizeBytes && now.mtimeMs === stamp.mtimeMs;
  if (isSameFile && isSameState) return stamp.path === path ? 'same' : 'moved';
  if (isSameState) return holds(stamp, path) ? 'moved' : 'changed';
  // A program that appends makes a file longer. One of the same length with another time, or another file in its place, was rewritten.
  if (!isSameFile || now.sizeBytes <= stamp.sizeBytes || path.endsWith('.zst')) return 'changed';
  return holds(stamp, path) ? 'grown' : 'changed';
}
