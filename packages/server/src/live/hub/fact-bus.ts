import type { DroppedText, Fact, TextDelta } from '@tapefold/facts';
import { TranscriptFold } from '@tapefold/transcript/fold';
import { BUS_FACTS } from '../../limits.js';
import type { FedAgent, FeedEvents, LiveFeed, OpenFeed } from './feed.js';
import type { Activity } from './live-agent.js';
import { OpenTurns } from './open-turns.js';

const MAIN = 'main';

/** What a recorder publishes of one thread. */
export type Published = { readonly kind: 'facts'; readonly facts: readonly Fact[] } | { readonly kind: 'delta'; readonly delta: TextDelta } | { readonly kind: 'dropped'; readonly dropped: DroppedText } | { readonly kind: 'left' };

/** Why facts were not taken: `expected` is the ordinal that comes next. What has that ordinal and all behind it has to be sent again. */
export interface OrdinalGap { readonly expected: number; readonly got: number }

interface Thread {
  /** The newest facts; `first` is the ordinal of the oldest of them. */
  facts: Fact[];
  first: number;
  readonly turns: OpenTurns;
  isConnected: boolean;
  readonly readers: Set<(news: Published) => void>;
}

/**
 * Where recorders publish, in this process or over `POST /ingest`: facts by their ordinals, each once however often it is sent, and text on its way. A
 * thread whose tape lies in a home is fed by its file, too; whichever tells a fact first counts.
 */
export class FactBus implements LiveFeed {
  readonly #files: LiveFeed;
  readonly #threads = new Map<string, Thread>();

  constructor(files: LiveFeed) {
    this.#files = files;
  }

  /** Ordinal of the next fact of a thread that is published. */
  nextOrdinal(threadId: string): number {
    const thread = this.#threads.get(threadId);
    return thread ? thread.first + thread.facts.length : 0;
  }

  /** Takes facts whose ordinals are dense. Those that are there already are passed over; a gap takes nothing. */
  facts(threadId: string, facts: readonly Fact[]): OrdinalGap | undefined {
    const thread = this.#thread(threadId);
    let expected = thread.first + thread.facts.length;
    const fresh = facts.filter(({ ordinal }) => ordinal >= expected);
    for (const { ordinal } of fresh) {
      if (ordinal !== expected) return { expected: this.nextOrdinal(threadId), got: ordinal };
      expected += 1;
    }
    if (fresh.length === 0) return undefined;
    thread.facts.push(...fresh);
    thread.turns.take(fresh);
    if (thread.facts.length > BUS_FACTS * 2) { thread.first += thread.facts.length - BUS_FACTS; thread.facts = thread.facts.slice(-BUS_FACTS); }
    this.#tell(thread, { kind: 'facts', facts: fresh });
    return undefined;
  }

  /** Text on its way; whoever does not watch just now has nothing of it. */
  delta(threadId: string, delta: TextDelta): void { this.#tell(this.#thread(threadId), { kind: 'delta', delta }); }

  dropped(threadId: string, dropped: DroppedText): void { this.#tell(this.#thread(threadId), { kind: 'dropped', dropped }); }

  /** The recorder is gone: what is open of its thread does not run any more. */
  left(threadId: string): void {
    const thread = this.#threads.get(threadId);
    if (!thread) return;
    thread.isConnected = false;
    this.#tell(thread, { kind: 'left' });
    if (thread.readers.size === 0) this.#threads.delete(threadId);
  }

  /** Sinks for a recorder in this process. */
  sinks(threadId: string): { readonly onFact: (fact: Fact) => void; readonly onDelta: (delta: TextDelta) => void; readonly onDropped: (dropped: DroppedText) => void } {
    return { onFact: (fact) => { this.facts(threadId, [fact]); }, onDelta: (delta) => this.delta(threadId, delta), onDropped: (dropped) => this.dropped(threadId, dropped) };
  }

  readonly open = async (sessionId: string, events: FeedEvents): Promise<OpenFeed | undefined> => {
    const reader = new BusReader(this.#threads.get(sessionId)?.turns ?? new OpenTurns(), events);
    const file = await this.#files.open(sessionId, reader.fromFile);
    const thread = this.#threads.get(sessionId);
    if (!thread) return file;
    const main = reader.begin(thread, { sessionId, fed: file?.agents.find(({ descriptor }) => descriptor.agentId === MAIN) });
    if (!main) return file;
    thread.readers.add(reader.take);
    const close = (): void => {
      file?.close();
      thread.readers.delete(reader.take);
      if (!thread.isConnected && thread.readers.size === 0) this.#threads.delete(sessionId);
    };
    return { sessionId, agents: [main, ...(file?.agents ?? []).filter(({ descriptor }) => descriptor.agentId !== MAIN)], close };
  };

  #thread(threadId: string): Thread {
    const known = this.#threads.get(threadId) ?? { facts: [], first: 0, turns: new OpenTurns(), isConnected: true, readers: new Set() };
    known.isConnected = true;
    this.#threads.set(threadId, known);
    return known;
  }

  #tell(thread: Thread, news: Published): void {
    for (const reader of thread.readers) reader(news);
  }
}

/** One session that is open: what the file and the bus tell of its main agent, as one sequence. */
class BusReader {
  readonly #turns: OpenTurns;
  readonly #events: FeedEvents;
  #thread: Thread | undefined;
  #next = 0;

  constructor(turns: OpenTurns, events: FeedEvents) {
    this.#turns = turns;
    this.#events = events;
  }

  get #activity(): Activity { return { isRunning: this.#turns.isOpen && this.#thread?.isConnected === true, certainty: 'known' }; }

  /** Undefined: neither the file nor the bus has the beginning. */
  begin(thread: Thread, { sessionId, fed }: { readonly sessionId: string; readonly fed: FedAgent | undefined }): FedAgent | undefined {
    const fold = fed?.fold ?? new TranscriptFold({ agentId: MAIN, sessionId });
    this.#next = fed?.nextOrdinal ?? 0;
    if (thread.first > this.#next) return undefined;
    this.#thread = thread;
    for (const fact of thread.facts) if (fact.ordinal >= this.#next) { fold.load(fact); this.#next = fact.ordinal + 1; }
    return { descriptor: fed?.descriptor ?? { agentId: MAIN, type: 'main' }, fold, nextOrdinal: this.#next, activity: this.#activity };
  }

  /** What the bus tells. */
  readonly take = (news: Published): void => {
    switch (news.kind) {
      case 'facts': return this.#facts(news.facts, this.#activity);
      case 'delta': return this.#events.delta(MAIN, news.delta);
      case 'dropped': return this.#events.dropped(MAIN, news.dropped);
      case 'left': return this.#events.activity(MAIN, this.#activity);
    }
  };

  /** What the file tells: of the main agent only what the bus did not tell before, and no guesses while the recorder is there to know. */
  get fromFile(): FeedEvents {
    const isKnown = (): boolean => this.#thread?.isConnected === true;
    return {
      ...this.#events,
      facts: (agentId, facts, activity) => (agentId === MAIN ? this.#facts(facts, isKnown() ? this.#activity : activity) : this.#events.facts(agentId, facts, activity)),
      activity: (agentId, activity) => { if (agentId !== MAIN || !isKnown()) this.#events.activity(agentId, activity); },
      replaced: (agent) => { if (agent.descriptor.agentId === MAIN) this.#next = agent.nextOrdinal; this.#events.replaced(agent); },
    };
  }

  #facts(facts: readonly Fact[], activity: Activity): void {
    const fresh = facts.filter(({ ordinal }) => ordinal >= this.#next);
    if (fresh.length === 0) return;
    this.#next = (fresh[fresh.length - 1]?.ordinal ?? this.#next) + 1;
    this.#events.facts(MAIN, fresh, activity);
  }
}
