import type { TranscriptOperation } from '../operations/operation.js';

/** Batches that a server holds for one agent, so that a reader who lost the line for a while need not load everything. */
export const TRANSCRIPT_OPS_JOURNAL_CAPACITY = 2_000;

/** A dispatched batch and its number, see `transcriptSeqSchema`. */
export interface NumberedBatch {
  readonly seq: number;
  readonly ops: readonly TranscriptOperation[];
}

/** The batches behind a cursor. Not complete: the reader has to load everything. */
export interface CaughtUp {
  readonly batches: readonly NumberedBatch[];
  readonly latest: number;
  readonly complete: boolean;
}

export interface OpLogOptions {
  /** Names the row of numbers; readers who send another one are not covered. */
  readonly epoch?: string | undefined;
  /** The number before the first one: 0, or, in an epoch that follows another, the last number that was ever given. */
  readonly after?: number | undefined;
  /** Batches held at most; by default 2,000. */
  readonly capacity?: number | undefined;
}

/** Numbers an agent's batches and holds the newest of them. Bounded; adding is O(1). */
export class OpLog {
  readonly epoch: string | undefined;
  private readonly capacity: number;
  /** A ring: the batch of number n stands at n modulo the capacity. */
  private readonly ring: NumberedBatch[] = [];
  private readonly after: number;
  private last: number;

  constructor({ epoch, after = 0, capacity = TRANSCRIPT_OPS_JOURNAL_CAPACITY }: OpLogOptions = {}) {
    this.epoch = epoch;
    this.capacity = capacity;
    this.after = after;
    this.last = after;
  }

  /** The number of the newest batch: the watermark of the state that includes it. */
  get latest(): number {
    return this.last;
  }

  /** Gives a batch the next number. */
  add(ops: readonly TranscriptOperation[]): NumberedBatch {
    this.last += 1;
    const batch = { seq: this.last, ops };
    this.ring[this.last % this.capacity] = batch;
    return batch;
  }

  /** The batches behind a cursor, oldest first. A cursor of another epoch, or from ahead of the newest batch, is not covered. Never throws. */
  since(seq: number, epoch?: string): CaughtUp {
    const { latest } = this;
    if (seq > latest || (epoch !== undefined && epoch !== this.epoch)) return { batches: [], latest, complete: false };
    const oldest = Math.max(this.after, latest - this.capacity) + 1;
    const batches: NumberedBatch[] = [];
    for (let next = Math.max(seq + 1, oldest); next <= latest; next += 1) {
      const batch = this.ring[next % this.capacity];
      if (batch) batches.push(batch);
    }
    return { batches, latest, complete: seq + 1 >= oldest };
  }
}
