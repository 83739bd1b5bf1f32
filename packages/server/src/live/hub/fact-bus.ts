import type { Caption, DroppedText, Fact, FactKey, Published, TextDelta } from '@tapefold/facts';
import { nativeThreadId } from '@tapefold/store';
import { BUS_CHARS, BUS_THREADS, RECORDER_SILENT_MS } from '../../limits.js';
import { BusSession } from './bus-session.js';
import { type BusListener, type BusNews, BusThread } from './bus-thread.js';
import type { FeedEvents, LiveFeed, OpenFeed } from './feed.js';

/** Why facts were not taken: `expected` is the ordinal that comes next. What has that ordinal and all behind it has to be sent again. */
export interface OrdinalGap { readonly expected: number; readonly got: number }

/** Why nothing was taken of what a recorder in another process published. `tape`: a fact of another tape; `full`: too many threads are recorded already. */
export type PublishRefusal = { readonly why: 'gap'; readonly gap: OrdinalGap; readonly at: number } | { readonly why: 'tape'; readonly at: number; readonly expected: string } | { readonly why: 'full' };

/** What a bus needs: the files that tell the rest, a timer, and where to tell what went wrong in those who listen. */
export interface FactBusOptions {
  readonly files: LiveFeed;
  readonly schedule: (delayMs: number, run: () => void) => () => void;
  readonly failed: (error: unknown) => void;
}

/** What a recorder in this process tells. */
export interface BusSinks {
  readonly onFact: (fact: Fact) => void;
  readonly onDelta: (delta: TextDelta) => void;
  readonly onDropped: (dropped: DroppedText) => void;
  readonly start: (tape: { readonly openTurn: { readonly key: FactKey } | undefined }) => void;
}

const charsOf = (facts: readonly Fact[]): number => facts.reduce((sum, { line }) => sum + line.length, 0);

/**
 * Where recorders publish, in this process or over `POST /ingest`: facts by their ordinals, each once however often it is sent, and text on its way. Threads go by
 * the ids that their recorders have. A thread whose tape lies in a home is told by its file, too; whichever tells a fact first counts.
 */
export class FactBus implements LiveFeed {
  readonly #options: FactBusOptions;
  /** By the id under which clients know the thread; the one that was heard of last stands last. */
  readonly #threads = new Map<string, BusThread>();
  readonly #sessions = new Set<BusSession>();
  /** Those who wait for a thread by its id, whether it is recorded now or not. */
  readonly #waiting = new Map<string, Set<BusListener>>();
  readonly #silences = new Map<BusThread, () => void>();
  #chars = 0;

  constructor(options: FactBusOptions) {
    this.#options = options;
  }

  /** A thread that is recorded; undefined where it is not. */
  thread(threadId: string): BusThread | undefined { return this.#find(threadId); }

  /** Hears what is told of a thread from now on, also where its recorder is still to come. */
  listen(threadId: string, listener: BusListener): () => void {
    const id = nativeThreadId(threadId);
    const waiting = this.#waiting.get(id) ?? new Set();
    this.#waiting.set(id, waiting.add(listener));
    return () => { if (waiting.delete(listener) && waiting.size === 0) this.#waiting.delete(id); };
  }

  /** Ordinal of the next fact of a thread that is published; 0 where none is. */
  nextOrdinal(threadId: string): number { return this.#find(threadId)?.next ?? 0; }

  /** A recorder begins to tell, with the fact of this ordinal; not from the first one on only where a file has those before. */
  begin(threadId: string, from: number): void {
    const thread = this.#touch(threadId, from);
    this.#chars -= thread.chars;
    thread.begin(from);
    this.#tell(thread, { kind: 'begun' });
    this.#offer(thread);
  }

  /** Takes facts whose ordinals are dense. Those that are there already are passed over; a gap takes nothing. */
  facts(threadId: string, facts: readonly Fact[], chars = charsOf(facts)): OrdinalGap | undefined {
    const expected = this.nextOrdinal(threadId);
    const fresh = facts.filter(({ ordinal }) => ordinal >= expected);
    const gap = fresh.findIndex(({ ordinal }, i) => ordinal !== expected + i);
    if (gap >= 0) return { expected, got: fresh[gap]?.ordinal ?? expected };
    const thread = this.#touch(threadId);
    if (fresh.length === 0) return undefined;
    const before = thread.chars;
    thread.take(fresh, chars);
    this.#chars += thread.chars - before;
    this.#tell(thread, { kind: 'facts', facts: fresh });
    this.#offer(thread);
    this.#forgetOldest();
    return undefined;
  }

  /** Text on its way; whoever does not watch just now has nothing of it. */
  delta(threadId: string, delta: TextDelta): void { this.#tell(this.#touch(threadId), { kind: 'delta', delta }); }

  dropped(threadId: string, dropped: DroppedText): void { this.#tell(this.#touch(threadId), { kind: 'dropped', dropped }); }

  /** Words as they are heard; kept nowhere. */
  caption(threadId: string, caption: Caption): void { this.#tell(this.#touch(threadId), { kind: 'caption', caption }); }

  /** Which turn runs, null for none, where facts do not say so. */
  runs(threadId: string, turn: FactKey | null): void {
    const thread = this.#touch(threadId);
    thread.runs(turn);
    this.#tell(thread, { kind: 'activity' });
  }

  /** The recorder is gone: what is open of its thread does not run any more. */
  left(threadId: string): void {
    const thread = this.#find(threadId);
    if (!thread) return;
    this.#hush(thread);
    thread.isConnected = false;
    this.#tell(thread, { kind: 'activity' });
    if (thread.listeners.size === 0) this.#drop(thread);
  }

  /** Sinks for a recorder in this process: give them to `openTape`, and the tape to `start`, which says that a turn that a dead recorder left open does not run. */
  sinks(threadId: string): BusSinks {
    return {
      onFact: (fact) => { this.facts(threadId, [fact]); }, onDelta: (delta) => this.delta(threadId, delta), onDropped: (dropped) => this.dropped(threadId, dropped),
      start: ({ openTurn }) => this.runs(threadId, openTurn?.key ?? null),
    };
  }

  /**
   * What a recorder in another process says at once: all of it is taken, or nothing. One that says nothing for a while counts as gone. `chars`: the length of it all.
   * Where `records` are empty it only says that it is there.
   */
  publish(threadId: string, records: readonly Published[], chars: number): PublishRefusal | undefined {
    const refusal = this.#refusal(threadId, records);
    if (refusal) return refusal;
    for (let i = 0; i < records.length; i += 1) {
      const facts: Fact[] = [];
      for (let next = records[i]; next?.type === 'fact'; next = records[i]) { facts.push(next.fact); i += 1; }
      if (facts.length > 0) this.facts(threadId, facts, Math.round(chars * facts.length / records.length));
      const record = records[i];
      if (record && record.type !== 'fact') this.#take(threadId, record);
    }
    const thread = this.#find(threadId);
    if (thread?.isConnected === true) this.#listenOn(threadId, thread);
    return undefined;
  }

  readonly open = async (sessionId: string, events: FeedEvents): Promise<OpenFeed | undefined> => {
    const session = new BusSession(sessionId, events);
    const file = await this.#options.files.open(sessionId, session.fromFile);
    const agents = session.begin(file, [...this.#threads.values()]);
    const close = (): void => {
      file?.close();
      session.close();
      this.#sessions.delete(session);
      for (const thread of this.#threads.values()) if (!thread.isConnected && thread.listeners.size === 0) this.#drop(thread);
    };
    if (agents) this.#sessions.add(session);
    else close();
    return agents && { sessionId, agents, close };
  };

  #refusal(threadId: string, records: readonly Published[]): PublishRefusal | undefined {
    const thread = this.#find(threadId);
    if (!thread && this.#threads.size >= BUS_THREADS && records.length > 0) return { why: 'full' };
    let [expected, tape] = [thread?.next ?? 0, thread?.tape];
    for (const [at, record] of records.entries()) {
      if (record.type === 'begin') [expected, tape] = [record.from, undefined];
      if (record.type !== 'fact') continue;
      const { ordinal } = record.fact;
      tape ??= record.fact.tape;
      if (record.fact.tape !== tape) return { why: 'tape', at, expected: tape };
      if (ordinal > expected) return { why: 'gap', at, gap: { expected: thread?.next ?? 0, got: ordinal } };
      if (ordinal === expected) expected += 1;
    }
    return undefined;
  }

  #take(threadId: string, record: Exclude<Published, { type: 'fact' }>): void {
    switch (record.type) {
      case 'begin': return this.begin(threadId, record.from);
      case 'delta': return this.delta(threadId, record.delta);
      case 'dropped': return this.dropped(threadId, record.dropped);
      case 'caption': return this.caption(threadId, record.caption);
      case 'runs': return this.runs(threadId, record.turn);
      case 'left': return this.left(threadId);
    }
  }

  #find(threadId: string): BusThread | undefined { return this.#threads.get(nativeThreadId(threadId)); }

  /** The thread, whose recorder is there. */
  #touch(threadId: string, first = 0): BusThread {
    const id = nativeThreadId(threadId);
    const thread = this.#threads.get(id) ?? new BusThread(threadId, first);
    this.#threads.delete(id);
    this.#threads.set(id, thread);
    const wasGone = !thread.isConnected;
    thread.isConnected = true;
    if (wasGone) this.#tell(thread, { kind: 'activity' });
    return thread;
  }

  #listenOn(threadId: string, thread: BusThread): void {
    this.#hush(thread);
    this.#silences.set(thread, this.#options.schedule(RECORDER_SILENT_MS, () => this.left(threadId)));
  }

  #hush(thread: BusThread): void {
    this.#silences.get(thread)?.();
    this.#silences.delete(thread);
  }

  #drop(thread: BusThread): void {
    this.#hush(thread);
    this.#chars -= thread.chars;
    this.#threads.delete(nativeThreadId(thread.id));
  }

  /** Sessions that are open may wait for it; an agent that joins one may have others below it. */
  #offer(thread: BusThread): void {
    for (const session of this.#sessions) if (session.offer(thread)) for (const other of this.#threads.values()) session.offer(other);
  }

  /** Facts of the threads that were heard of longest ago are held no more; who follows them has them. */
  #forgetOldest(): void {
    for (const thread of this.#threads.values()) {
      if (this.#chars <= BUS_CHARS) return;
      const isNewest = [...this.#threads.values()].at(-1) === thread;
      const before = thread.chars;
      thread.forget(isNewest ? Math.ceil(thread.facts.length / 2) : thread.facts.length);
      this.#chars += thread.chars - before;
    }
  }

  /** One that throws harms neither the recorder nor the others. */
  #tell(thread: BusThread, news: BusNews): void {
    const waiting = this.#waiting.get(nativeThreadId(thread.id)) ?? [];
    for (const listener of [...thread.listeners, ...waiting]) try { listener(news); } catch (error) { this.#options.failed(error); }
  }
}
