import { type LiveLog, openLiveLog } from '@tapefold/store';
import type { AgentTranscriptSnapshot, TranscriptOperation } from '@tapefold/transcript';
import { join } from 'node:path';
import type { EventCursor, LiveAgentState, LiveSource } from '../live-source.js';
import { AgentChannel } from './agent-channel.js';
import { SharedBatches } from './shared-batches.js';
import { HubSubscription } from './subscription.js';

const nothing: AgentTranscriptSnapshot = { items: [], tasks: [], interactions: [], attachments: [], todos: [], prompts: [], meta: {} };
const cursor: EventCursor = { seq: 0, epoch: 'ep_told' };

/** One session whose main agent dispatches the operations that it is given: what the hub does with those of its folds, with another's. */
export class ToldSource implements LiveSource {
  readonly failures: unknown[] = [];
  readonly #channel: AgentChannel;
  readonly #log: LiveLog;
  readonly #batches = new SharedBatches();

  constructor(private readonly sessionId: string, folder: string) {
    this.#log = openLiveLog(join(folder, 'live.sqlite'));
    const schedule = (delayMs: number, run: () => void): (() => void) => { const timer = setTimeout(run, delayMs); return () => clearTimeout(timer); };
    this.#channel = new AgentChannel({ sessionId, agentId: 'main' }, nothing, { log: this.#log, nowMs: Date.now, schedule, failed: (error) => void this.failures.push(error) });
  }

  push(ops: readonly TranscriptOperation[]): void { this.#channel.push(ops); }

  /** The state behind all that was pushed; what of it waits is sent. */
  snapshot(): AgentTranscriptSnapshot {
    const { hasMoreOlder: _, ...all } = this.#channel.snapshot();
    return all;
  }

  close(): void {
    this.#channel.end();
    this.#log.close();
  }

  readonly cursorOf: LiveSource['cursorOf'] = async (sessionId) => (sessionId === this.sessionId ? cursor : undefined);

  readonly subscribe: LiveSource['subscribe'] = async (sessionId, following, sink) => {
    if (sessionId !== this.sessionId) return undefined;
    const subscription = new HubSubscription({ channels: () => new Map([['main', this.#channel]]), batches: this.#batches, cursor: () => cursor }, sink, () => undefined);
    await subscription.change(following);
    return subscription;
  };

  readonly stateOf: LiveSource['stateOf'] = async (): Promise<LiveAgentState> => {
    const snapshot = this.#channel.snapshot();
    return { snapshot, seq: this.#channel.seq, epoch: this.#channel.epoch, agents: [{ agentId: 'main', type: 'main' }], since: (seq, epoch) => this.#channel.since(seq, epoch) };
  };
}
