import type { Segment } from './shelf.js';

/** Bytes of a piece of a thread: its file's, up to the cut. */
export function segmentBytes({ file, endOffset }: Segment): number {
  return Math.min(file.sizeBytes, endOffset ?? file.sizeBytes);
}

/** Bytes of pieces together. */
export function bytesOfSegments(segments: readonly Segment[]): number {
  return segments.reduce((sum, segment) => sum + segmentBytes(segment), 0);
}
