import { bytesOfSegments, cutBytes } from '../files/segment-bytes.js';
import type { Segment } from '../files/shelf.js';
import type { SegmentStamp } from '../rows/segment-stamp.js';
import type { HistoryState } from '../thread-store.js';

/** How many bytes of a history's segments rows were made of, and how many there are: of those that were begun by their stamps, since files grow. */
export function bytesPlayed(stamps: readonly SegmentStamp[], segments: readonly Segment[]): Pick<HistoryState, 'bytes' | 'totalBytes'> {
  const sizes = stamps.map(cutBytes);
  const sum = (numbers: readonly number[]): number => numbers.reduce((all, each) => all + each, 0);
  const totalBytes = sum(sizes) + bytesOfSegments(segments.slice(stamps.length));
  // A compressed file holds more than it has.
  return { bytes: Math.min(sum(sizes.slice(0, -1)) + (stamps.at(-1)?.bytes ?? 0), totalBytes), totalBytes };
}
