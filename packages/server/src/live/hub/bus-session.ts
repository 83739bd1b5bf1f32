import type { Fact } from '@tapefold/facts';
import type { AgentDescriptor } from '@tapefold/transcript';
import { TranscriptFold } from '@tapefold/transcript/fold';
import { nativeThreadId } from '@tapefold/store';
import type { BusNews, BusThread } from './bus-thread.js';
import type { FedAgent, FeedEvents, OpenFeed } from './feed.js';
import { following } from './following.js';
import type { Activity } from './live-agent.js';

const MAIN = 'main';

/** An agent of the session: where its sequence stands, and who tells it. `thread`: its recorder on the bus. */
interface Told { descriptor: AgentDescriptor; next: number; hasFile: boolean; thread: BusThread | undefined; stop: () => void }

/**
 * One session that is open: what its files and its recorders tell of each agent, as one sequence. Law: a fact counts once, whoever tells it first, and none is passed
 * over: the file is told whole, and of the bus only what follows what is known (the file has the rest). While a recorder is there it knows whether its agent runs, and nobody guesses.
 */
export class BusSession {
  readonly #sessionId: string;
  readonly #events: FeedEvents;
  readonly #agents = new Map<string, Told>();

  constructor(sessionId: string, events: FeedEvents) {
    this.#sessionId = sessionId;
    this.#events = events;
  }

  /** The agents as the session begins; undefined: there are no files, and the bus has not its main agent from the beginning on. */
  begin(file: OpenFeed | undefined, threads: readonly BusThread[]): readonly FedAgent[] | undefined {
    const fed = new Map<string, FedAgent>();
    for (const agent of file?.agents ?? []) {
      fed.set(agent.descriptor.agentId, agent);
      this.#add(agent.descriptor, { next: agent.nextOrdinal, hasFile: true });
    }
    // An agent that is found may have others below it that were looked at before.
    for (let found = -1; found !== fed.size;) {
      found = fed.size;
      for (const thread of threads) {
        const agent = this.#join(thread, fed);
        if (agent) fed.set(agent.descriptor.agentId, agent);
      }
    }
    const main = fed.get(MAIN);
    if (!main && !file) return undefined;
    return [...(main ? [main] : []), ...[...fed.values()].filter((agent) => agent !== main)];
  }

  /** A recorder began, or said whose thread it tells of. Answers whether it is an agent of this session that nobody told of before: others may be below it. */
  offer(thread: BusThread): boolean {
    const joined = this.#join(thread);
    if (joined) this.#events.joined(joined);
    return joined !== undefined;
  }

  close(): void {
    for (const { stop } of this.#agents.values()) stop();
    this.#agents.clear();
  }

  /** What the files tell. */
  get fromFile(): FeedEvents {
    const knows = (agentId: string): Activity | undefined => {
      const thread = this.#agents.get(agentId)?.thread;
      return thread?.isKnown === true ? activityOf(thread) : undefined;
    };
    return {
      ...this.#events,
      joined: (agent) => this.#fileJoined(agent),
      facts: (agentId, facts, activity) => this.#fileFacts(agentId, facts, knows(agentId) ?? activity),
      activity: (agentId, activity) => { if (!knows(agentId)) this.#events.activity(agentId, activity); },
      replaced: (agent) => this.#fileReplaced(agent),
    };
  }

  #add(descriptor: AgentDescriptor, { next, hasFile }: Pick<Told, 'next' | 'hasFile'>): Told {
    const told: Told = { descriptor, next, hasFile, thread: undefined, stop: () => undefined };
    this.#agents.set(descriptor.agentId, told);
    return told;
  }

  /** Which agent of this session a thread is; undefined: none. */
  #agentId(thread: BusThread): string | undefined {
    if (this.#agents.has(thread.id)) return thread.id;
    const isRoot = nativeThreadId(thread.id) === this.#sessionId;
    if (thread.parent === undefined) return isRoot ? MAIN : undefined;
    const isBelow = nativeThreadId(thread.parent) === this.#sessionId || this.#agents.has(thread.parent);
    return isBelow ? thread.id : undefined;
  }

  /** Listens to a recorder of the session. Answers the agent where it is one that nobody told of, or that only just begins (`fed`). */
  #join(thread: BusThread, fed?: ReadonlyMap<string, FedAgent>): FedAgent | undefined {
    const agentId = this.#agentId(thread);
    const known = agentId === undefined ? undefined : this.#agents.get(agentId);
    if (agentId === undefined || known?.thread === thread) return undefined;
    if (known) {
      this.#listen(known, thread);
      const begun = fed?.get(agentId);
      if (begun) return this.#caughtUp(begun, known, thread);
      this.#busFacts(known, thread, thread.facts);
      return undefined;
    }
    if (thread.first > 0 || thread.facts.length === 0) return undefined;
    const told = this.#add(this.#descriptor(agentId, thread), { next: 0, hasFile: false });
    this.#listen(told, thread);
    return this.#caughtUp({ descriptor: told.descriptor, fold: this.#newFold(told, thread), nextOrdinal: 0, activity: activityOf(thread) }, told, thread);
  }

  #caughtUp({ descriptor, fold, activity }: FedAgent, told: Told, thread: BusThread): FedAgent {
    for (const fact of following(thread.facts, told.next)) {
      fold.load(fact);
      told.next = fact.ordinal + 1;
    }
    return { descriptor, fold, nextOrdinal: told.next, activity: thread.isKnown ? activityOf(thread) : activity };
  }

  #descriptor(agentId: string, { parent, facts }: BusThread): AgentDescriptor {
    if (agentId === MAIN) return { agentId, type: 'main' };
    const opened = facts.find((fact) => fact.type === 'thread.opened');
    const label = opened && (opened.details.agentNickname ?? opened.details.agentRole);
    const isOfMain = parent === undefined || !this.#agents.has(parent);
    return { agentId, type: 'sub', parentAgentId: isOfMain ? MAIN : parent, ...(label !== undefined && { label }), ...(opened?.createdAt !== undefined && { createdAt: opened.createdAt }) };
  }

  #newFold({ descriptor: { agentId } }: Told, thread: BusThread): TranscriptFold {
    return new TranscriptFold({ agentId, sessionId: (agentId === MAIN ? thread.id : thread.parent) ?? this.#sessionId, resolvePlanKey: (key) => `${thread.id}/${key}` });
  }

  #listen(told: Told, thread: BusThread): void {
    told.stop();
    const listener = (news: BusNews): void => this.#take(told, thread, news);
    thread.listeners.add(listener);
    told.thread = thread;
    told.stop = () => { thread.listeners.delete(listener); told.thread = undefined; };
  }

  #take(told: Told, thread: BusThread, news: BusNews): void {
    const { agentId } = told.descriptor;
    switch (news.kind) {
      case 'facts': return this.#busFacts(told, thread, news.facts);
      case 'delta': return this.#events.delta(agentId, news.delta);
      case 'dropped': return this.#events.dropped(agentId, news.dropped);
      case 'activity': return this.#activity(agentId, thread);
      case 'begun': return this.#begun(told, thread);
      case 'caption': return undefined;
    }
  }

  /** What does not follow is left to the file, which has it all. Where the file told all of it before, the recorder may still know better whether the agent runs behind it. */
  #busFacts(told: Told, thread: BusThread, facts: readonly Fact[]): void {
    const fresh = following(facts, told.next);
    if (fresh.length > 0) this.#tell(told, fresh, activityOf(thread));
    else this.#activity(told.descriptor.agentId, thread);
  }

  #activity(agentId: string, thread: BusThread): void {
    if (thread.isKnown || !thread.isConnected) this.#events.activity(agentId, activityOf(thread));
  }

  #fileFacts(agentId: string, facts: readonly Fact[], activity: Activity): void {
    const told = this.#agents.get(agentId);
    if (told) this.#tell(told, facts.filter(({ ordinal }) => ordinal >= told.next), activity);
  }

  #tell(told: Told, facts: readonly Fact[], activity: Activity): void {
    const last = facts.at(-1);
    if (!last) return;
    told.next = last.ordinal + 1;
    this.#events.facts(told.descriptor.agentId, facts, activity);
  }

  /** A recorder tells another story of a thread that only recorders told of. */
  #begun(told: Told, thread: BusThread): void {
    if (told.hasFile) return;
    told.next = 0;
    this.#events.replaced({ descriptor: told.descriptor, fold: this.#newFold(told, thread), nextOrdinal: 0, activity: activityOf(thread) });
  }

  /** The file of an agent that its recorder told of before: what it has more counts. */
  #fileJoined(agent: FedAgent): void {
    const { descriptor, nextOrdinal } = agent;
    const known = this.#agents.get(descriptor.agentId);
    if (!known) {
      this.#add(descriptor, { next: nextOrdinal, hasFile: true });
      return this.#events.joined(agent);
    }
    known.hasFile = true;
    known.descriptor = descriptor;
    this.#events.described(descriptor);
    if (nextOrdinal <= known.next) return;
    known.next = nextOrdinal;
    this.#events.replaced(agent);
  }

  /** The tape is not what it was, so what its recorder told before is over, until it begins anew. */
  #fileReplaced(agent: FedAgent): void {
    const told = this.#agents.get(agent.descriptor.agentId);
    told?.stop();
    if (told) told.next = agent.nextOrdinal;
    this.#events.replaced(agent);
  }
}

const activityOf = ({ isRunning }: BusThread): Activity => ({ isRunning, certainty: 'known' });
