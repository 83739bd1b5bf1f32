import { type AgentDescriptor, TranscriptStore } from '@tapefold/transcript';
import type { EventCursor, Following, TranscriptSink } from '../live-source.js';
import { AgentChannel, type ChannelHost } from './agent-channel.js';
import type { FedAgent, FeedEvents, LiveFeed, OpenFeed } from './feed.js';
import { LiveAgent, shownSnapshot } from './live-agent.js';
import { SharedBatches } from './shared-batches.js';
import { HubSubscription } from './subscription.js';

/** What a session tells its hub. */
export interface SessionEvents {
  /** Nobody follows it any more, or somebody does again. */
  readonly watched: (isWatched: boolean) => void;
  /** Its files are gone. */
  readonly gone: () => void;
}

/** A session while somebody follows it: its agents, and its subscriptions. */
export class LiveSession {
  readonly sessionId: string;
  readonly #host: ChannelHost;
  readonly #agents = new Map<string, LiveAgent>();
  readonly #channels = new Map<string, AgentChannel>();
  readonly #roster: TranscriptStore;
  readonly #subscriptions = new Set<HubSubscription>();
  readonly #batches = new SharedBatches();
  readonly #events: SessionEvents;
  #feed: OpenFeed | undefined;
  /** What was told between the moment at which the agents were handed over and the one at which they joined; undefined: they did. */
  #early: (() => void)[] | undefined = [];

  private constructor(sessionId: string, host: ChannelHost, events: SessionEvents) {
    this.sessionId = sessionId;
    this.#host = host;
    this.#events = events;
    this.#roster = new TranscriptStore(sessionId);
  }

  /** Undefined: there is no such session. */
  static async open(sessionId: string, feed: LiveFeed, of: { readonly host: ChannelHost; readonly events: SessionEvents }): Promise<LiveSession | undefined> {
    const session = new LiveSession(sessionId, of.host, of.events);
    const opened = await feed.open(sessionId, session.#feedEvents());
    if (!opened) return undefined;
    session.#feed = opened;
    for (const agent of opened.agents) session.#join(agent);
    session.#tellEarly();
    return session;
  }

  get isWatched(): boolean { return this.#subscriptions.size > 0; }
  /** Agents in the order in which they were made. */
  get agents(): readonly AgentDescriptor[] { return this.#roster.agents(); }
  /** The sequence of an agent; undefined where the session has none of that id. */
  channel(agentId: string): AgentChannel | undefined { return this.#channels.get(agentId); }

  /** A client follows; what it lacks is sent before this resolves. */
  async subscribe(following: Following, { sink, cursor }: { readonly sink: TranscriptSink; readonly cursor: () => EventCursor }): Promise<HubSubscription> {
    const subscription: HubSubscription = new HubSubscription({ channels: () => this.#channels, batches: this.#batches, cursor }, sink, () => {
      this.#subscriptions.delete(subscription);
      if (this.#subscriptions.size === 0) this.#events.watched(false);
    });
    this.#subscriptions.add(subscription);
    this.#events.watched(true);
    await subscription.change(following);
    return subscription;
  }

  /** Everything that waits is sent, numbers are written down, and nothing more is told. */
  close(): void {
    this.#feed?.close();
    for (const agent of this.#agents.values()) agent.channel.end();
    for (const subscription of this.#subscriptions) subscription.close();
  }

  #join({ descriptor, fold, activity }: FedAgent): void {
    const { agentId } = descriptor;
    const channel = new AgentChannel({ sessionId: this.sessionId, agentId }, shownSnapshot(fold, activity), this.#host);
    this.#roster.describeAgent(descriptor);
    this.#channels.set(agentId, channel);
    this.#agents.set(agentId, new LiveAgent({ fold, channel, activity }));
    for (const subscription of this.#subscriptions) subscription.joined(channel);
  }

  #tellEarly(): void {
    const early = this.#early ?? [];
    this.#early = undefined;
    for (const tell of early) tell();
  }

  #feedEvents(): FeedEvents {
    const tell = (act: () => void): void => { if (this.#early) this.#early.push(act); else act(); };
    const of = (agentId: string, act: (agent: LiveAgent) => void): void => tell(() => {
      const agent = this.#agents.get(agentId);
      if (agent) act(agent);
    });
    return {
      joined: (agent) => tell(() => this.#join(agent)),
      described: (descriptor) => tell(() => { this.#roster.describeAgent(descriptor); }),
      facts: (agentId, facts, activity) => of(agentId, (agent) => agent.facts(facts, activity)),
      delta: (agentId, delta) => of(agentId, (agent) => agent.delta(delta)),
      dropped: (agentId, dropped) => of(agentId, (agent) => agent.drop(dropped)),
      activity: (agentId, activity) => of(agentId, (agent) => agent.settle(activity)),
      replaced: ({ descriptor, fold, activity }) => of(descriptor.agentId, (agent) => agent.replace(fold, activity)),
      gone: () => tell(() => this.#events.gone()),
    };
  }
}
