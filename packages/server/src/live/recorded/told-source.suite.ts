import { type LiveLog, openLiveLog } from '@tapefold/store';
import type { AgentTranscriptSnapshot } from '@tapefold/transcript';
import { join } from 'node:path';
import type { EventCursor, LiveAgentState, LiveSource } from '../live-source.js';
import { AgentChannel } from '../hub/agent-channel.js';
import { SharedBatches } from '../hub/shared-batches.js';
import { HubSubscription } from '../hub/subscription.js';

const nothing: AgentTranscriptSnapshot = { items: [], tasks: [], interactions: [], attachments: [], todos: [], prompts: [], meta: {} };
const cursor: EventCursor = { seq: 0, epoch: 'ep_told' };

/** Sessions whose main agents dispatch the operations that they are given: what the hub does with those of its folds, with another's. */
export class ToldSource implements LiveSource {
  readonly failures: unknown[] = [];
  readonly #log: LiveLog;
  readonly #channels = new Map<string, AgentChannel>();
  readonly #batches = new SharedBatches();

  constructor(folder: string) { this.#log = openLiveLog(join(folder, 'live.sqlite')); }

  /** A session begins. */
  begin(sessionId: string): AgentChannel {
    const schedule = (delayMs: number, run: () => void): (() => void) => { const timer = setTimeout(run, delayMs); return () => clearTimeout(timer); };
    const channel = new AgentChannel({ sessionId, agentId: 'main' }, nothing, { log: this.#log, nowMs: Date.now, schedule, failed: (error) => void this.failures.push(error) });
    this.#channels.set(sessionId, channel);
    return channel;
  }

  close(): void {
    for (const channel of this.#channels.values()) channel.end();
    this.#log.close();
  }

  readonly cursorOf: LiveSource['cursorOf'] = async (sessionId) => (this.#channels.has(sessionId) ? cursor : undefined);

  readonly subscribe: LiveSource['subscribe'] = async (sessionId, following, sink) => {
    const channel = this.#channels.get(sessionId);
    if (!channel) return undefined;
    const subscription = new HubSubscription({ channels: () => new Map([['main', channel]]), batches: this.#batches, cursor: () => cursor }, sink, () => undefined);
    await subscription.change(following);
    return subscription;
  };

  readonly stateOf: LiveSource['stateOf'] = async (sessionId): Promise<LiveAgentState | undefined> => {
    const channel = this.#channels.get(sessionId);
    const snapshot = channel?.snapshot();
    return channel && snapshot && { snapshot, seq: channel.seq, epoch: channel.epoch, agents: [{ agentId: 'main', type: 'main' }], since: (seq, epoch) => channel.since(seq, epoch) };
  };
}
