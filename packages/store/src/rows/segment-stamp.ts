import type { TapeId } from '@tapefold/facts';

/**
 * A session file as it was when a piece of a history was made of it. Hashes are over bytes that rows were made of: the first `HASH_BYTES`, and those
 * before `bytes`.
 */
export interface SegmentStamp {
  readonly tape: TapeId;
  readonly path: string;
  readonly sizeBytes: number;
  readonly mtimeMs: number;
  readonly inode: number;
  readonly device: number;
  /** Bytes of the content that rows were made of. */
  readonly bytes: number;
  readonly headHash: string;
  readonly tailHash: string;
  /** The cut that the thread gives the file: a byte, or the agent's ordinal. */
  readonly endOffset: number | null;
  readonly endOrdinal: number | null;
}
