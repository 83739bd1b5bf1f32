import type { Fact } from '@tapefold/facts';
import { TranscriptFold } from '@tapefold/transcript/fold';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BUS_FACTS, BUS_THREADS, RECORDER_SILENT_MS } from '../../limits.js';
import { FactBus } from './fact-bus.js';
import type { FeedEvents, OpenFeed } from './feed.js';

const sessionId = '01a22b99-774f-7000-8000-000000000001';
const tape = `native/${sessionId}`;
const notice = (ordinal: number, ofTape = tape): Fact => ({ type: 'notice.posted', tape: ofTape, ordinal, line: { offset: 0, length: 10 }, level: 'info', code: 'n', text: `${ordinal}` });
const notices = (from: number, to: number): Fact[] => Array.from({ length: Math.max(0, to - from) }, (_, i) => notice(from + i));

/** A clock that a test turns. */
class Timers {
  #nowMs = 0;
  #due: { readonly atMs: number; readonly run: () => void }[] = [];
  readonly schedule = (delayMs: number, run: () => void): (() => void) => {
    const timer = { atMs: this.#nowMs + delayMs, run };
    this.#due.push(timer);
    return () => { this.#due = this.#due.filter((each) => each !== timer); };
  };

  pass(ms: number): void {
    this.#nowMs += ms;
    const due = this.#due.filter(({ atMs }) => atMs <= this.#nowMs);
    this.#due = this.#due.filter(({ atMs }) => atMs > this.#nowMs);
    for (const { run } of due) run();
  }
}

/** A file of the session that tells when it is told to. */
class ScriptedFile {
  #events: FeedEvents | undefined;
  told: number;
  constructor(told: number) { this.told = told; }

  readonly open = async (id: string, events: FeedEvents): Promise<OpenFeed | undefined> => {
    if (id !== sessionId) return undefined;
    this.#events = events;
    const fold = new TranscriptFold();
    for (const fact of notices(0, this.told)) fold.load(fact);
    return { sessionId, agents: [{ descriptor: { agentId: 'main', type: 'main' }, fold, nextOrdinal: this.told, activity: { isRunning: false, certainty: 'guessed' } }], close: () => undefined };
  };

  tell(count: number): void {
    const facts = notices(this.told, this.told + count);
    this.told += facts.length;
    if (facts.length > 0) this.#events?.facts('main', facts, { isRunning: true, certainty: 'guessed' });
  }
}

interface Heard { readonly ordinals: number[]; readonly activities: boolean[]; replaced: number }
async function listening(bus: FactBus): Promise<{ readonly heard: Heard; readonly feed: OpenFeed }> {
  const heard: Heard = { ordinals: [], activities: [], replaced: 0 };
  const feed = await bus.open(sessionId, {
    joined: () => undefined, described: () => undefined, delta: () => undefined, dropped: () => undefined, gone: () => undefined,
    facts: (_, facts) => void heard.ordinals.push(...facts.map(({ ordinal }) => ordinal)), activity: (_, { isRunning }) => void heard.activities.push(isRunning), replaced: () => { heard.replaced += 1; },
  });
  return { heard, feed: feed! };
}

const arbitraryActs = fc.array(fc.record({ act: fc.constantFrom('record', 'record', 'file', 'file', 'again', 'left', 'begin'), count: fc.nat(4) }), { maxLength: 30 });

describe('what a file and a recorder tell of one thread', () => {
  it('[R-OPS-8] [R-LIVE-1] is one sequence: every fact once, in order, whoever tells it first, however often, and whoever leaves', async () => {
    let fromBoth = 0;
    await fc.assert(fc.asyncProperty(arbitraryActs, fc.nat(5), fc.nat(5), async (acts, before, openAt) => {
      const file = new ScriptedFile(before);
      const bus = new FactBus({ files: file, schedule: () => () => undefined, failed: (error) => { throw error; } });
      let recorded = before;
      let opened: Awaited<ReturnType<typeof listening>> | undefined;
      let first = 0;
      let byBus = 0;
      for (const [i, { act, count }] of acts.entries()) {
        if (i === openAt) { opened = await listening(bus); first = opened.feed.agents[0]!.nextOrdinal; }
        switch (act) {
          // A fact is on the tape before it is told.
          case 'record': {
            recorded += count;
            const from = bus.nextOrdinal(sessionId);
            expect(bus.facts(sessionId, notices(from, recorded))).toBeUndefined();
            byBus += count;
            break;
          }
          case 'file': file.tell(Math.min(count, recorded - file.told)); break;
          case 'again': bus.facts(sessionId, notices(Math.max(0, bus.nextOrdinal(sessionId) - count), bus.nextOrdinal(sessionId))); break;
          case 'left': bus.left(sessionId); break;
          case 'begin': bus.begin(sessionId, Math.max(0, recorded - count)); break;
        }
      }
      opened ??= await listening(bus);
      if (openAt >= acts.length) first = opened.feed.agents[0]!.nextOrdinal;
      file.tell(recorded - file.told);
      expect(opened.heard.ordinals).toEqual(Array.from({ length: recorded - first }, (_, i) => first + i));
      expect(opened.heard.replaced).toBe(0);
      if (byBus > 0 && file.told > before) fromBoth += 1;
    }), { numRuns: 200 });
    expect(fromBoth).toBeGreaterThan(100);
  });
});

describe('the bus', () => {
  const none = { open: async (): Promise<undefined> => undefined };

  it('[R-LIVE-1] a recorder in another process that falls silent counts as gone, and is there again with its next word', async () => {
    const timers = new Timers();
    const bus = new FactBus({ files: none, schedule: timers.schedule, failed: (error) => { throw error; } });
    const started: Fact = { type: 'turn.started', tape, ordinal: 0, line: { offset: 0, length: 1 }, id: 't0', isImplicit: false, replacesOlder: false };
    expect(bus.publish(sessionId, [{ type: 'fact', fact: started }], 100)).toBeUndefined();
    const { heard, feed } = await listening(bus);
    expect(feed.agents[0]).toMatchObject({ activity: { isRunning: true, certainty: 'known' } });
    timers.pass(RECORDER_SILENT_MS - 1);
    bus.publish(sessionId, [], 0);
    timers.pass(RECORDER_SILENT_MS - 1);
    expect(heard.activities).toEqual([]);
    timers.pass(1);
    expect(heard.activities).toEqual([false]);
    bus.publish(sessionId, [{ type: 'fact', fact: notice(1) }], 100);
    expect([heard.activities, heard.ordinals]).toEqual([[false, true], [1]]);
    bus.publish(sessionId, [{ type: 'runs', turn: null }], 100);
    expect(heard.activities).toEqual([false, true, false]);
    bus.publish(sessionId, [{ type: 'left' }], 100);
    timers.pass(10 * RECORDER_SILENT_MS);
    feed.close();
    expect(bus.nextOrdinal(sessionId)).toBe(0);
  });

  it('[R-LIVE-3] holds so many facts, and so many threads of other processes; those that are there are told on', async () => {
    const bus = new FactBus({ files: none, schedule: () => () => undefined, failed: (error) => { throw error; } });
    bus.facts(sessionId, notices(0, 10));
    const { heard } = await listening(bus);
    for (let from = 10; from < BUS_FACTS * 3; from += 1_000) bus.facts(sessionId, notices(from, from + 1_000));
    expect(heard.ordinals.length).toBe(bus.nextOrdinal(sessionId) - 10);
    // Who comes now lacks the beginning, and there is no file that has it.
    expect(await bus.open(sessionId, { joined: () => undefined, described: () => undefined, facts: () => undefined, delta: () => undefined, dropped: () => undefined, activity: () => undefined, replaced: () => undefined, gone: () => undefined })).toBeUndefined();
    for (let i = 1; i < BUS_THREADS; i += 1) expect(bus.publish(`thread-${i}`, [{ type: 'fact', fact: notice(0, `native/thread-${i}`) }], 100)).toBeUndefined();
    expect(bus.publish('one-more', [{ type: 'fact', fact: notice(0, 'native/one-more') }], 100)).toEqual({ why: 'full' });
    bus.publish('thread-1', [{ type: 'left' }], 100);
    expect(bus.publish('one-more', [{ type: 'fact', fact: notice(0, 'native/one-more') }], 100)).toBeUndefined();
  });

  it('[R-LIVE-3] of a large thread only the newest facts are held, of others none before them', () => {
    const bus = new FactBus({ files: none, schedule: () => () => undefined, failed: (error) => { throw error; } });
    const huge = 60 * 1024 * 1024;
    for (const id of ['a', 'b', 'c']) expect(bus.publish(id, [{ type: 'fact', fact: notice(0, `native/${id}`) }], huge)).toBeUndefined();
    expect(bus.publish('a', [{ type: 'fact', fact: notice(0, 'native/a') }], huge)).toBeUndefined();
    expect([bus.nextOrdinal('a'), bus.nextOrdinal('b'), bus.nextOrdinal('c')]).toEqual([1, 1, 1]);
  });
});
