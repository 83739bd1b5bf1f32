import { type AgentTranscriptSnapshot, type CaughtUp, type NumberedBatch, type SnapshotWindow, type TranscriptOperation, AgentTranscript, OpLog, completeRemovals } from '@tapefold/transcript';
import { COALESCE_MS, SEQ_BLOCK } from '../../limits.js';
import type { LiveAgentRef, LiveLog, LiveNumbers } from '@tapefold/store';
import { PendingBatch } from './pending-batch.js';
import { stateDigest } from './state-digest.js';

/** Told of each batch after it was numbered. One that throws harms nobody else. */
export type BatchListener = (batch: NumberedBatch) => void;

/** What a channel needs of its host. */
export interface ChannelHost {
  readonly log: LiveLog;
  readonly nowMs: () => number;
  /** Runs something once, later; the answer takes it back. */
  readonly schedule: (delayMs: number, run: () => void) => () => void;
  /** What a listener threw, or the disk refused: told, never thrown at whoever recorded a fact. */
  readonly failed: (error: unknown) => void;
}

/**
 * The one sequence of one agent: a state, numbered batches, and those who listen. Law: the state at number n is what a reader has that applied the batches
 * 1 … n. The first change is sent at once, and then at most one batch every 25 ms.
 */
export class AgentChannel {
  readonly agent: LiveAgentRef;
  readonly #host: ChannelHost;
  readonly #transcript: AgentTranscript;
  #numbers: OpLog;
  #reserved: number;
  readonly #pending = new PendingBatch();
  readonly #listeners = new Set<BatchListener>();
  #sentAtMs = -Infinity;
  #cancel: (() => void) | undefined;

  constructor(agent: LiveAgentRef, snapshot: AgentTranscriptSnapshot, host: ChannelHost) {
    this.agent = agent;
    this.#host = host;
    this.#transcript = transcriptOf(agent, snapshot);
    const numbers = host.log.begin(agent);
    this.#numbers = opLogOf(numbers);
    this.#reserved = numbers.after;
    // Readers who come back hold what there was at the stop: what changed since is in no batch.
    if (numbers.state !== undefined && numbers.state !== stateDigest(snapshot)) this.#dispatch([{ op: 'reset', agentId: agent.agentId, snapshot }]);
  }

  get epoch(): string { return this.#numbers.epoch ?? ''; }
  /** Number of the newest batch; what waits is not in it. */
  get seq(): number { return this.#numbers.latest; }

  /** The state at `seq`. What waits is sent first, so that both agree. */
  snapshot(window: SnapshotWindow = {}): AgentTranscriptSnapshot {
    this.flush();
    return this.#transcript.snapshot(window);
  }

  /** The batches behind a number, as far as they are held. */
  since(seq: number, epoch?: string): CaughtUp {
    this.flush();
    return this.#numbers.since(seq, epoch);
  }

  listen(listener: BatchListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Takes operations, in order. */
  push(ops: readonly TranscriptOperation[]): void {
    if (ops.length === 0) return;
    this.#pending.add(ops);
    const waitMs = this.#sentAtMs + COALESCE_MS - this.#host.nowMs();
    if (waitMs <= 0) return this.flush();
    this.#cancel ??= this.#host.schedule(waitMs, () => this.flush());
  }

  /** Sends what waits. */
  flush(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    if (this.#pending.isEmpty) return;
    this.#dispatch(this.#pending.take());
  }

  /** The tape is not what it was: another epoch, and one batch that says all anew. */
  replace(snapshot: AgentTranscriptSnapshot): void {
    this.flush();
    const numbers = this.#host.log.begin(this.agent, { isNewEpoch: true });
    this.#numbers = opLogOf(numbers);
    this.#reserved = numbers.after;
    this.#dispatch([{ op: 'reset', agentId: this.agent.agentId, snapshot }]);
  }

  /** A clean stop: numbers go on from here the next time. */
  end(): void {
    this.flush();
    this.#attempt(() => this.#host.log.end(this.agent, { seq: this.seq, state: stateDigest(this.#transcript.snapshot()) }));
  }

  /** All operations are sent, also those that change nothing here: the upsert that ends a stream tells readers below `delta` its text. */
  #dispatch(ops: readonly TranscriptOperation[]): void {
    this.#sentAtMs = this.#host.nowMs();
    const sent = completeRemovals(this.#transcript.state, ops);
    this.#transcript.apply(sent);
    this.#reserveNext();
    const batch = this.#numbers.add(sent);
    this.#attempt(() => this.#host.log.keep(this.agent, batch));
    for (const listener of this.#listeners) this.#attempt(() => listener(batch));
  }

  /**
   * A number is on the disk before it is sent. Where the disk takes none, numbers go on in an epoch that nothing remembers, above the clock's milliseconds: no
   * epoch that is remembered comes that far, so none of these is ever taken for one of another.
   */
  #reserveNext(): void {
    if (this.seq < this.#reserved) return;
    try {
      this.#host.log.reserve(this.agent, this.seq + SEQ_BLOCK);
      this.#reserved = this.seq + SEQ_BLOCK;
    } catch (error) {
      const nowMs = this.#host.nowMs();
      this.#numbers = new OpLog({ epoch: `volatile-${nowMs}`, after: nowMs });
      this.#reserved = Infinity;
      this.#host.failed(error);
    }
  }

  #attempt(run: () => void): void {
    try { run(); } catch (error) { this.#host.failed(error); }
  }
}

/** The numbers that go on, with the batches that outlived the stop. */
function opLogOf({ epoch, after, kept }: LiveNumbers): OpLog {
  const log = new OpLog({ epoch, after: after - kept.length });
  for (const { ops } of kept) log.add(ops);
  return log;
}

function transcriptOf({ agentId }: LiveAgentRef, snapshot: AgentTranscriptSnapshot): AgentTranscript {
  const transcript = new AgentTranscript(agentId);
  transcript.apply([{ op: 'reset', agentId, snapshot }]);
  return transcript;
}
