import type { Segment } from './shelf.js';

/** Bytes of a file, up to the cut. */
export function cutBytes({ sizeBytes, endOffset }: { readonly sizeBytes: number; readonly endOffset?: number | null | undefined }): number {
  return Math.min(sizeBytes, endOffset ?? sizeBytes);
}

/** Bytes of a piece of a thread: its file's, up to the cut. */
export function segmentBytes({ file: { sizeBytes }, endOffset }: Segment): number {
  return cutBytes({ sizeBytes, endOffset });
}

/** Bytes of pieces together. */
export function bytesOfSegments(segments: readonly Segment[]): number {
  return segments.reduce((sum, segment) => sum + segmentBytes(segment), 0);
}
