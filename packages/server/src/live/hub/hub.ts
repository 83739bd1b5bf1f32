import { IDLE_SESSIONS, IDLE_SESSION_MS } from '../../limits.js';
import type { EventCursor, Following, LiveAgentState, LiveSource, LiveSubscription, TranscriptSink } from '../live-source.js';
import type { ChannelHost } from './agent-channel.js';
import type { LiveFeed } from './feed.js';
import { LiveSession } from './live-session.js';

/** What a hub is made of. `epoch` names this server's (empty) journals of events. */
export interface HubOptions extends ChannelHost {
  readonly feed: LiveFeed;
  readonly epoch: string;
}

interface Held { readonly session: Promise<LiveSession | undefined>; expire: (() => void) | undefined }

/**
 * Live transcripts of sessions: each session that somebody follows is opened once, fed, and sent to all who follow it. It stays open for a while after the
 * last one left, so that who comes back is covered by its op log.
 */
export class LiveHub implements LiveSource {
  readonly #options: HubOptions;
  readonly #sessions = new Map<string, Held>();
  readonly #cursor: EventCursor;
  #isClosed = false;

  constructor(options: HubOptions) {
    this.#options = options;
    this.#cursor = { seq: 0, epoch: options.epoch };
  }

  readonly cursorOf = async (sessionId: string): Promise<EventCursor | undefined> => ((await this.session(sessionId)) ? this.#cursor : undefined);

  readonly subscribe = async (sessionId: string, following: Following, sink: TranscriptSink): Promise<LiveSubscription | undefined> => {
    const session = await this.session(sessionId);
    return session?.subscribe(following, { sink, cursor: () => this.#cursor });
  };

  readonly stateOf = async (sessionId: string, agentId: string): Promise<LiveAgentState | undefined> => {
    const session = await this.#sessions.get(sessionId)?.session;
    const channel = session?.channel(agentId);
    if (!session || !channel) return undefined;
    // Sends what waits first: the state and its number have to agree.
    const snapshot = channel.snapshot();
    return { snapshot, seq: channel.seq, epoch: channel.epoch, agents: session.agents, since: (seq, epoch) => channel.since(seq, epoch) };
  };

  /** Opens a session, or gives the open one. Undefined: there is no such session, or the hub is closed. */
  session(sessionId: string): Promise<LiveSession | undefined> {
    if (this.#isClosed) return Promise.resolve(undefined);
    const held = this.#sessions.get(sessionId) ?? this.#hold(sessionId);
    // The newest stands last: the longest unused is the first to go.
    this.#sessions.delete(sessionId);
    this.#sessions.set(sessionId, held);
    return held.session;
  }

  /** A clean stop: what waits is sent, and numbers go on from here at the next start. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const held = [...this.#sessions.values()];
    this.#sessions.clear();
    for (const { session, expire } of held) { expire?.(); (await session.catch(() => undefined))?.close(); }
  }

  #hold(sessionId: string): Held {
    const held: Held = {
      session: LiveSession.open(sessionId, this.#options.feed, { host: this.#options, events: { watched: (isWatched) => this.#watch(sessionId, isWatched), gone: () => this.#forget(sessionId) } }),
      expire: undefined,
    };
    held.session.then((session) => (session ? this.#watch(sessionId, session.isWatched) : this.#sessions.delete(sessionId)), () => this.#sessions.delete(sessionId));
    return held;
  }

  #watch(sessionId: string, isWatched: boolean): void {
    const held = this.#sessions.get(sessionId);
    if (!held) return;
    held.expire?.();
    held.expire = isWatched ? undefined : this.#options.schedule(IDLE_SESSION_MS, () => this.#drop(sessionId));
    if (!isWatched) this.#dropIdle();
  }

  #dropIdle(): void {
    const idle = [...this.#sessions].filter(([, { expire }]) => expire !== undefined);
    for (const [sessionId] of idle.slice(0, Math.max(0, idle.length - IDLE_SESSIONS))) this.#drop(sessionId);
  }

  #drop(sessionId: string): void {
    const held = this.#sessions.get(sessionId);
    this.#sessions.delete(sessionId);
    held?.expire?.();
    held?.session.then((session) => session?.close(), () => undefined);
  }

  #forget(sessionId: string): void {
    this.#drop(sessionId);
    try { this.#options.log.forget(sessionId); } catch (error) { this.#options.failed(error); }
  }
}
