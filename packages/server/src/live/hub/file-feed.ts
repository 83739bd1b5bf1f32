import type { TranscriptGrowth, TranscriptReader } from '@tapefold/store';
import type { AgentDescriptor } from '@tapefold/transcript';
import { AGENT_LOOK_MS, QUIET_MS, RESTARTS, WRITER_LOOK_MS } from '../../limits.js';
import { type SessionSources, findSession } from '../../sessions.js';
import { type Writers, type WrittenFile, type Writing, fileOf, standingOf } from '../writers.js';
import type { FedAgent, FeedEvents, LiveFeed, OpenFeed } from './feed.js';
import type { Activity } from './live-agent.js';
import { OpenTurns } from './open-turns.js';

/** What a feed of files needs: the sessions, a clock, and where to tell what failed. */
export interface FileFeedOptions {
  readonly source: SessionSources['source'];
  readonly transcripts: Pick<TranscriptReader, 'agents' | 'follow'>;
  readonly writers: Writers;
  readonly nowMs: () => number;
  readonly schedule: (delayMs: number, run: () => void) => () => void;
  readonly failed: (error: unknown) => void;
}

const guessed = (isRunning: boolean): Activity => ({ isRunning, certainty: 'guessed' });

/** An agent whose facts so far are folded, and the rest of them. `growth` undefined: its files cannot grow. */
interface Begun { readonly fed: FedAgent; readonly file: WrittenFile | undefined; readonly turns: OpenTurns; readonly growth: AsyncGenerator<TranscriptGrowth, void> | undefined }

/** Sessions that are fed by the files which their agents write. */
export function fileFeed(options: FileFeedOptions): LiveFeed {
  return {
    open: async (sessionId, events) => {
      if (!(await findSession(options.source, sessionId))) return undefined;
      const session = new FedSession(sessionId, options, events);
      await session.begin();
      return session;
    },
  };
}

class FedSession implements OpenFeed {
  readonly sessionId: string;
  readonly #options: FileFeedOptions;
  readonly #events: FeedEvents;
  readonly #end = new AbortController();
  readonly #known = new Map<string, FedAgent>();
  readonly #quiet = new Map<string, () => void>();
  #look: (() => void) | undefined;

  constructor(sessionId: string, options: FileFeedOptions, events: FeedEvents) {
    this.sessionId = sessionId;
    this.#options = options;
    this.#events = events;
  }

  get agents(): readonly FedAgent[] { return [...this.#known.values()]; }

  async begin(): Promise<void> {
    for (const begun of await this.#beginNew()) setImmediate(() => this.#run(begun));
  }

  close(): void {
    this.#end.abort();
    this.#look?.();
    for (const stop of this.#quiet.values()) stop();
  }

  async #beginNew(): Promise<readonly Begun[]> {
    const begun: Begun[] = [];
    for (const { agentId } of await this.#options.transcripts.agents(this.sessionId)) {
      if (this.#known.has(agentId) || this.#end.signal.aborted) continue;
      const one = await this.#beginAgent(agentId);
      // Kimi Code lists an agent before its file is there: it is looked for again when more is said.
      if (!one || (agentId !== 'main' && one.growth === undefined && one.fed.nextOrdinal === 0)) continue;
      this.#known.set(agentId, one.fed);
      begun.push(one);
    }
    return begun;
  }

  /** Folds what there is. Undefined: no such agent, or its file is rewritten faster than it can be read. */
  async #beginAgent(agentId: string): Promise<Begun | undefined> {
    for (let tries = 0; tries < RESTARTS; tries += 1) {
      const followed = await this.#options.transcripts.follow(this.sessionId, agentId);
      if (!followed) return undefined;
      const fold = followed.newFold();
      const turns = new OpenTurns();
      const growth = followed.growth(this.#end.signal);
      const state = await loaded(growth, (facts) => { turns.take(facts); for (const fact of facts) fold.load(fact); });
      if (state === 'restarted') continue;
      const file = await fileOf(this.#options.source, followed.threadId);
      const fed: FedAgent = { descriptor: followed.descriptor, fold, nextOrdinal: turns.nextOrdinal, activity: standingOf(this.#writing(file), turns, this.#options.nowMs()) };
      if (fed.activity.isRunning) this.#quietLater(agentId, file);
      return { fed, file, turns, growth: state === 'caughtUp' ? growth : undefined };
    }
    return undefined;
  }

  #writing(file: WrittenFile | undefined): Writing {
    return file ? this.#options.writers.of(file) : { kind: 'unknown' };
  }

  #run({ fed, growth, ...rest }: Begun): void {
    if (growth) this.#tell(fed.descriptor, { ...rest, growth }).catch((error: unknown) => { if (!this.#end.signal.aborted) this.#options.failed(error); });
  }

  async #tell({ agentId }: AgentDescriptor, { file, turns, growth }: Omit<Begun, 'fed' | 'growth'> & { readonly growth: AsyncGenerator<TranscriptGrowth, void> }): Promise<void> {
    for await (const news of growth) {
      if (this.#end.signal.aborted) return;
      switch (news.kind) {
        case 'facts':
          turns.take(news.facts);
          // Whoever writes is there, also where its lock does not say so.
          this.#events.facts(agentId, news.facts, { isRunning: turns.isOpen, certainty: this.#writing(file).kind === 'process' ? 'known' : 'guessed' });
          if (turns.isOpen) this.#quietLater(agentId, file); else this.#settled(agentId);
          if (turns.isExpectingAgent) this.#lookLater(turns);
          break;
        case 'caughtUp': break;
        case 'restarted': return this.#again(agentId);
        case 'gone': if (agentId === 'main') this.#events.gone(); return undefined;
      }
    }
  }

  async #again(agentId: string): Promise<void> {
    const begun = await this.#beginAgent(agentId);
    if (!begun || this.#end.signal.aborted) return;
    this.#events.replaced(begun.fed);
    this.#run(begun);
  }

  /** A turn that is open and of which nothing is written any more: its process is looked for; where there is no lock that would say it, nobody knows, and after a while nobody waits. */
  #quietLater(agentId: string, file: WrittenFile | undefined): void {
    this.#quiet.get(agentId)?.();
    const isKnown = this.#writing(file).kind === 'process';
    const isOver = (): boolean => !isKnown || this.#writing(file).kind !== 'process';
    this.#quiet.set(agentId, this.#options.schedule(isKnown ? WRITER_LOOK_MS : QUIET_MS, () => { if (isOver()) this.#settled(agentId); else this.#quietLater(agentId, file); }));
  }

  #settled(agentId: string): void {
    this.#quiet.get(agentId)?.();
    this.#quiet.delete(agentId);
    this.#events.activity(agentId, guessed(false));
  }

  #lookLater(turns: OpenTurns): void {
    this.#look ??= this.#options.schedule(AGENT_LOOK_MS, () => {
      this.#look = undefined;
      this.#beginNew().then((begun) => {
        for (const one of begun) { turns.agentsSeen(); this.#events.joined(one.fed); this.#run(one); }
      }, this.#options.failed);
    });
  }
}

/** Reads until everything that is written by now was told. `ended`: nothing more can come. */
async function loaded(growth: AsyncGenerator<TranscriptGrowth, void>, take: (facts: Extract<TranscriptGrowth, { kind: 'facts' }>['facts']) => void): Promise<'caughtUp' | 'restarted' | 'ended'> {
  for (;;) {
    const { value, done } = await growth.next();
    if (done === true || value === undefined) return 'ended';
    if (value.kind === 'facts') take(value.facts);
    else return value.kind === 'gone' ? 'ended' : value.kind;
  }
}
