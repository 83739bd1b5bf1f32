import type { Fact } from '@tapefold/facts';
import type { TranscriptReader } from '@tapefold/store';
import { LiveThread, type Presence, type ThreadNotification, type ThreadStatus } from '@tapefold/threads';
import { QUIET_MS, RESTARTS, WRITER_LOOK_MS } from '../../limits.js';
import type { BusNews } from '../../live/hub/bus-thread.js';
import type { FactBus } from '../../live/hub/fact-bus.js';
import { OpenTurns } from '../../live/hub/open-turns.js';
import { following } from '../../live/hub/following.js';
import { type Writers, type WrittenFile, standingOf } from '../../live/writers.js';

/** What watching a thread needs of its host. */
export interface WatchHost {
  readonly transcripts: Pick<TranscriptReader, 'follow'>;
  /** Where recorders tell; undefined: nowhere. */
  readonly bus: FactBus | undefined;
  readonly writers: Writers;
  readonly nowMs: () => number;
  readonly schedule: (delayMs: number, run: () => void) => () => void;
}

/** What is told of a thread that is watched. */
export interface WatchEvents {
  readonly told: (notifications: readonly ThreadNotification[]) => void;
  /** Nobody has it open any more, or its files are gone; `why` where something failed. */
  readonly ended: (why?: unknown) => void;
}

/** Which thread, and how many bytes of its newest file were there before it began to grow: what stands behind them is news. */
export interface WatchedThread extends WrittenFile {
  readonly knownBytes: number | undefined;
  /** What clients were told last of how it stands. */
  readonly said: ThreadStatus;
}

/** Facts that a client that reads meanwhile is told one by one; of more it is told to read anew. */
const MOST_NEWS = 10_000;

const gone: Presence = { isThere: false, isRunning: false };

/**
 * A thread while it runs: what its file and its recorder tell, as notifications. Law: a fact is told once, whoever tells it first; whether the thread runs, its recorder
 * knows, else a lock, else the records of the last minutes let guess.
 */
export class ThreadWatch {
  readonly #thread: WatchedThread;
  readonly #host: WatchHost;
  readonly #events: WatchEvents;
  readonly #end = new AbortController();
  readonly #stopListening: () => void;
  #live: LiveThread;
  #turns = new OpenTurns();
  #next = 0;
  #hasBegun = false;
  /** Behind the bytes that were known, if their tape turns out to be the newest. */
  #news: Fact[] = [];
  #quiet: (() => void) | undefined;
  /** What there was at the start is taken in; resolves also where that fails. */
  readonly begun: Promise<void>;

  constructor(thread: WatchedThread, host: WatchHost, events: WatchEvents) {
    this.#thread = thread;
    this.#host = host;
    this.#events = events;
    this.#live = new LiveThread(thread.threadId, thread.said);
    this.#stopListening = host.bus?.listen(thread.threadId, (news) => this.#fromBus(news)) ?? (() => undefined);
    this.begun = new Promise((resolve) => {
      this.#run(resolve).catch((error: unknown) => this.#ended(error)).finally(resolve);
    });
  }

  get status(): ThreadStatus { return this.#live.status; }
  /** The turn that runs now. */
  get runningTurn(): string | undefined { return this.status.type === 'active' ? this.#live.openTurn : undefined; }

  /** Nothing more is told. */
  stop(): void {
    this.#end.abort();
    this.#quiet?.();
    this.#stopListening();
  }

  async #run(begun: () => void): Promise<void> {
    for (let tries = 0; tries <= RESTARTS; tries += 1) {
      const followed = await this.#host.transcripts.follow(this.#thread.threadId);
      if (!followed || this.#end.signal.aborted) return this.#ended();
      const wasRewritten = await this.#tell(followed.growth(this.#end.signal), begun);
      if (!wasRewritten) return undefined;
      this.#forget();
    }
    return this.#ended();
  }

  /** True: the tape is not what it was, and is to be read from its start. */
  async #tell(growth: AsyncGenerator<{ readonly kind: 'facts'; readonly facts: readonly Fact[] } | { readonly kind: 'caughtUp' | 'restarted' | 'gone' }>, begun: () => void): Promise<boolean> {
    const isAgain = this.#hasBegun;
    this.#hasBegun = false;
    for await (const news of growth) {
      if (this.#end.signal.aborted) return false;
      switch (news.kind) {
        case 'facts': this.#fileFacts(news.facts); break;
        case 'caughtUp': if (!this.#hasBegun) this.#begin(isAgain); begun(); break;
        case 'restarted': this.#hasBegun ||= isAgain; return true;
        case 'gone': this.#settle(gone); this.#ended(); return false;
      }
    }
    return false;
  }

  #forget(): void {
    this.#live = new LiveThread(this.#thread.threadId, this.#live.status);
    this.#turns = new OpenTurns();
    this.#next = 0;
  }

  #begin(isAgain: boolean): void {
    this.#take(this.#news.splice(0), true);
    this.#hasBegun = true;
    const thread = this.#host.bus?.thread(this.#thread.threadId);
    if (thread?.isKnown) {
      this.#take(following(thread.facts, this.#next), false);
      this.#turns.runs(thread.openTurn ?? null);
    }
    this.#events.told([...(isAgain ? [{ method: 'thread/reverted' as const, params: { threadId: this.#thread.threadId } }] : []), ...this.#live.begin(this.#standing())]);
    this.#lookLater();
  }

  #standing(): Presence {
    const recorder = this.#host.bus?.thread(this.#thread.threadId);
    return recorder?.isKnown ? { isThere: true, isRunning: this.#turns.isOpen } : standingOf(this.#host.writers.of(this.#thread), this.#turns, this.#host.nowMs());
  }

  #fileFacts(facts: readonly Fact[]): void {
    const fresh = facts.filter(({ ordinal }) => !this.#hasBegun || ordinal >= this.#next);
    if (this.#hasBegun) return this.#take(fresh, true);
    const { knownBytes = Infinity } = this.#thread;
    for (const fact of fresh) {
      if (this.#news.length > 0 && (this.#news[0]?.tape !== fact.tape || this.#news.length > MOST_NEWS)) this.#take(this.#news.splice(0), false);
      if (fact.line.offset >= knownBytes) this.#news.push(fact);
      else this.#take([fact], false);
    }
  }

  /** Facts in order: news, or what was there before. */
  #take(facts: readonly Fact[], isNews: boolean): void {
    const told: ThreadNotification[] = [];
    const writing = isNews && facts.length > 0 ? this.#host.writers.of(this.#thread) : undefined;
    for (const fact of facts) {
      this.#next = fact.ordinal + 1;
      this.#turns.take([fact]);
      if (!writing) { this.#live.load(fact); continue; }
      // Whoever writes is there, also where its lock does not say so.
      const isOld = writing.kind === 'process' && this.#turns.openedAtMs !== undefined && this.#turns.openedAtMs < writing.sinceMs;
      told.push(...this.#live.take(fact, { isThere: true, isRunning: this.#turns.isOpen && !isOld }, this.#host.nowMs()));
    }
    if (told.length > 0) this.#events.told(told);
    if (this.#hasBegun && isNews) this.#lookLater();
  }

  #fromBus(news: BusNews): void {
    if (!this.#hasBegun) return;
    const nowMs = this.#host.nowMs();
    switch (news.kind) {
      case 'facts': return this.#take(following(news.facts, this.#next), true);
      case 'delta': return this.#events.told(this.#live.delta(news.delta, nowMs));
      case 'dropped': return this.#events.told(this.#live.drop(news.dropped));
      case 'caption': return this.#events.told(this.#live.caption(news.caption));
      case 'begun': case 'activity': {
        const recorder = this.#host.bus?.thread(this.#thread.threadId);
        if (recorder?.isKnown) this.#turns.runs(recorder.openTurn ?? null);
        return this.#settle(this.#standing());
      }
    }
  }

  #settle(presence: Presence): void {
    this.#events.told(this.#live.settle(presence));
    if (presence.isThere) this.#lookLater();
    else this.#ended();
  }

  /** A recorder says when it leaves. A process is looked for; where nothing says whether there is one, after a while nobody waits. */
  #lookLater(): void {
    this.#quiet?.();
    const isKnown = this.#host.writers.of(this.#thread).kind === 'process';
    this.#quiet = this.#host.schedule(isKnown ? WRITER_LOOK_MS : QUIET_MS, () => this.#settle(this.#standing()));
  }

  #ended(why?: unknown): void {
    if (this.#end.signal.aborted) return;
    this.stop();
    this.#events.ended(why);
  }
}
