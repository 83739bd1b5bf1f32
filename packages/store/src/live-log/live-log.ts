import type { NumberedBatch } from '@tapefold/transcript';

/** An agent of a session, as transcripts name them. */
export interface LiveAgentRef {
  readonly sessionId: string;
  readonly agentId: string;
}

/**
 * How an agent's numbers go on: in `epoch`, above `after`. `kept`: the newest batches of this epoch up to `after`, without holes, oldest first. `state`: what `end`
 * was told where the epoch goes on; whoever finds another state now has to say so in a batch before all others.
 */
export interface LiveNumbers {
  readonly epoch: string;
  readonly after: number;
  readonly kept: readonly NumberedBatch[];
  readonly state?: string | undefined;
}

/** How an agent's numbers end: `seq` was the last one used, and `state` names what a reader has that applied all (see `LiveNumbers`). */
export interface LiveEnd {
  readonly seq: number;
  readonly state: string;
}

/**
 * What of live transcripts outlives the process [R-LIVE-2]: numbers, reserved before they are sent, and the newest batches. Nothing is folded from it.
 * Throws `StoreError`s (`storeFull`, `storeBusy` …).
 */
export interface LiveLog {
  /**
   * Begins to number an agent. After a clean stop its epoch goes on; after an unclean one, or with `isNewEpoch` (its tape was rewritten), another begins above
   * all numbers that may have been sent: a reader that says no epoch is not taken for one that is up to date.
   */
  begin(agent: LiveAgentRef, options?: { readonly isNewEpoch?: boolean | undefined }): LiveNumbers;
  /** No number up to `seq` will ever be given to anything else: on the disk when it returns. */
  reserve(agent: LiveAgentRef, seq: number): void;
  /** Keeps a batch for readers that come back after a restart. It may be written later, but before `end` returns; a killed process loses it. */
  keep(agent: LiveAgentRef, batch: NumberedBatch): void;
  /** A clean stop. Without it the next `begin` begins another epoch. */
  end(agent: LiveAgentRef, end: LiveEnd): void;
  /** Forgets a session whose files are gone. */
  forget(sessionId: string): void;
  close(): void;
}
