import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Quirks, type TestEntry, TestHistory, plain } from './history.suite.js';
import { type HistoryPage, type PageRequest, entryKey } from './history-page.js';
import { advancePager, createPager, pagedEntries, requestToSend } from './pager.js';
import type { PagerEvent, PagerKind } from './pager-state.js';

type Op =
  | { readonly do: 'askOlder' | 'askBeginning' | 'cancelJump' | 'retry' | 'reset' }
  | { readonly do: 'append'; readonly isNewTurn: boolean }
  | { readonly do: 'change'; readonly which: number }
  | { readonly do: 'supersede'; readonly from: number; readonly count: number }
  | { readonly do: 'answer'; readonly which: number; readonly most: number; readonly isSnapshot: boolean; readonly quirks: Quirks }
  | { readonly do: 'failure' | 'unsupported'; readonly which: number };

const quirks: fc.Arbitrary<Quirks> = fc.record({
  overlap: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.nat(4)), isReversed: fc.boolean(), isDoubled: fc.boolean(),
  isLooping: fc.nat(7).map((n) => n === 0), isEmpty: fc.nat(9).map((n) => n === 0),
});
/** Mostly the newest request, now and then one that was answered or superseded long ago. */
const which = fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, fc.nat(3));
const answer = fc.record({ do: fc.constant('answer' as const), which, most: fc.integer({ min: 1, max: 5 }), isSnapshot: fc.boolean(), quirks });
const op: fc.Arbitrary<Op> = fc.oneof(
  { weight: 8, arbitrary: answer },
  { weight: 6, arbitrary: fc.record({ do: fc.constantFrom('askOlder' as const, 'askOlder' as const, 'askBeginning' as const, 'cancelJump' as const, 'retry' as const) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('append' as const), isNewTurn: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('change' as const), which: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('supersede' as const), from: fc.nat(5), count: fc.integer({ min: 1, max: 2 }) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('failure' as const, 'failure' as const, 'unsupported' as const), which }) },
  { weight: 1, arbitrary: fc.constant({ do: 'reset' as const }) },
);

/** The slow, obvious pager: sets of ordinals, an array of cursors, no order of its own. */
class Oracle {
  kind: PagerKind = 'idle';
  paged = new Set<number>();
  live = new Set<number>();
  cursor: string | null = null;
  asked: (string | null)[] = [];
  inFlight: number | undefined;
  isJump = false;
  private requests = 0;

  ask(isJump: boolean): void {
    if (this.kind === 'loading') { this.isJump ||= isJump; return; }
    if (this.kind === 'idle' || this.kind === 'more' || this.kind === 'failed') this.send(isJump);
  }

  send(isJump: boolean): void {
    this.requests += 1;
    this.kind = 'loading';
    this.inFlight = this.requests;
    this.isJump = isJump;
    this.asked.push(this.cursor);
  }

  private forget(): void {
    this.cursor = null;
    this.asked = [];
    this.paged.clear();
    this.inFlight = undefined;
  }

  restart(): void {
    this.forget();
    this.live.clear();
    this.kind = 'idle';
  }

  page(id: number, { data, nextCursor }: HistoryPage<TestEntry>): void {
    if (this.inFlight !== id) return;
    const before = this.paged.size;
    for (const { item } of data) { this.paged.add(item.ordinal); this.live.delete(item.ordinal); }
    this.inFlight = undefined;
    if (nextCursor === null) this.kind = this.paged.size + this.live.size > 0 ? 'start' : 'empty';
    else if (this.asked.includes(nextCursor)) this.kind = 'looped';
    else {
      this.cursor = nextCursor;
      this.kind = 'more';
      if (this.isJump && this.paged.size > before) this.send(true);
    }
  }

  end(id: number, kind: 'failed' | 'unsupported'): void {
    if (this.inFlight !== id) return;
    this.inFlight = undefined;
    this.kind = kind;
  }

  arrive(ordinal: number): void {
    if (!this.paged.has(ordinal)) this.live.add(ordinal);
    if (this.kind === 'empty') this.kind = 'start';
  }

  supersede(ordinals: readonly number[]): void {
    const oldest = Math.min(...this.paged);
    const isLost = ordinals.includes(oldest) && (this.kind === 'more' || this.kind === 'failed' || this.kind === 'loading');
    for (const ordinal of ordinals) { this.paged.delete(ordinal); this.live.delete(ordinal); }
    const wasLoading = this.kind === 'loading';
    if (isLost) {
      for (const ordinal of this.live) if (ordinal < oldest) this.live.delete(ordinal);
      this.forget();
      this.kind = 'idle';
    }
    if (wasLoading) this.send(this.isJump);
    if (this.kind === 'start' && this.paged.size + this.live.size === 0) this.kind = 'empty';
  }
}

interface Sent {
  readonly request: PageRequest;
  readonly snapshot: TestHistory;
}

const copyOf = (history: TestHistory): TestHistory => Object.assign(new TestHistory(), history, { entries: [...history.entries] });

/** Drives pager and oracle over one history, and compares them after each step. */
class Run {
  readonly history = new TestHistory();
  readonly oracle = new Oracle();
  state = createPager<TestEntry>();
  readonly sent: Sent[] = [];
  pages = 0;

  event(event: PagerEvent<TestEntry>): void {
    const before = this.state;
    const copy = JSON.stringify(before);
    this.state = advancePager(before, event);
    expect(JSON.stringify(before)).toBe(copy);
    const request = requestToSend(before, this.state);
    if (request !== undefined) this.sent.push({ request, snapshot: copyOf(this.history) });
  }

  apply(op: Op): void {
    switch (op.do) {
      case 'askOlder': this.oracle.ask(false); return this.event({ type: 'askOlder' });
      case 'askBeginning': this.oracle.ask(true); return this.event({ type: 'askBeginning' });
      case 'cancelJump': this.oracle.isJump = false; return this.event({ type: 'cancelJump' });
      case 'retry': if (this.oracle.kind === 'failed') this.oracle.send(this.oracle.isJump); return this.event({ type: 'retry' });
      case 'reset': this.oracle.restart(); return this.event({ type: 'reset' });
      case 'append': return this.append(op.isNewTurn);
      case 'change': return this.change(op.which);
      case 'supersede': return this.supersede(op.from, op.count);
      case 'answer': return this.answer(op);
      case 'failure': case 'unsupported': return this.end(op.do, op.which);
    }
  }

  private append(isNewTurn: boolean): void {
    const entry = this.history.append(isNewTurn);
    this.oracle.arrive(entry.item.ordinal);
    this.event({ type: 'live', entries: [entry] });
  }

  private change(which: number): void {
    const shown = pagedEntries(this.state);
    const ordinal = shown[which % Math.max(shown.length, 1)]?.item.ordinal;
    const entry = ordinal === undefined ? undefined : this.history.change(ordinal);
    if (entry !== undefined) this.event({ type: 'live', entries: [entry] });
  }

  private supersede(from: number, count: number): void {
    const turnIds = this.history.turnIds().reverse().slice(from, from + count);
    if (turnIds.length === 0) return;
    const fallen = this.history.entries.filter((entry) => turnIds.includes(entry.turnId)).map((entry) => entry.item.ordinal);
    this.history.supersede(turnIds);
    this.oracle.supersede(fallen);
    this.event({ type: 'superseded', turnIds });
  }

  private answer({ which, most, isSnapshot, quirks }: Extract<Op, { do: 'answer' }>): void {
    const sent = this.sent.at(-1 - which);
    if (sent === undefined) return;
    const page = (isSnapshot ? sent.snapshot : this.history).page(sent.request, most, quirks);
    this.pages += 1;
    this.oracle.page(sent.request.id, page);
    this.event({ type: 'page', requestId: sent.request.id, page });
  }

  private end(type: 'failure' | 'unsupported', which: number): void {
    const id = this.sent.at(-1 - which)?.request.id;
    if (id === undefined) return;
    this.oracle.end(id, type === 'failure' ? 'failed' : 'unsupported');
    this.event(type === 'failure' ? { type, requestId: id, reason: 'no' } : { type, requestId: id });
  }

  check(): void {
    const { oracle, state } = this;
    const shown = pagedEntries(state);
    const expected = this.history.entries.filter(({ item }) => oracle.paged.has(item.ordinal) || oracle.live.has(item.ordinal));
    expect(shown).toEqual(expected);
    expect(new Set(shown.map(entryKey)).size).toBe(shown.length);
    expect(state.kind).toBe(oracle.kind);
    expect(state.kind === 'loading' ? state.request.id : undefined).toBe(oracle.inFlight);
    expect(new Set(this.sent.map(({ request }) => request.id)).size).toBe(this.sent.length);
  }
}

describe('[R-SCR-5] laws of paging', () => {
  it('shows each entry once and in order, as the oracle does, whatever comes in whatever order', () => {
    const seen = new Set<string>();
    fc.assert(fc.property(fc.nat(20), fc.array(op, { maxLength: 60, size: 'large' }), (before, ops) => {
      const run = new Run();
      for (let n = 0; n < before; n += 1) run.history.append(n % 3 === 0);
      for (const each of ops) {
        run.apply(each);
        run.check();
        seen.add(run.state.kind);
      }
    }));
    expect([...seen].sort()).toEqual(['empty', 'failed', 'idle', 'looped', 'loading', 'more', 'start', 'unsupported'].sort());
  });

  it('reaches the start of any history, after any beginning, once the source behaves', () => {
    fc.assert(fc.property(fc.nat(40), fc.array(op, { maxLength: 30 }), (before, ops) => {
      const run = new Run();
      for (let n = 0; n < before; n += 1) run.history.append(n % 3 === 0);
      for (const each of ops) run.apply(each);
      if (run.state.kind === 'looped' || run.state.kind === 'unsupported') run.apply({ do: 'reset' });
      let steps = 0;
      for (; run.state.kind !== 'start' && run.state.kind !== 'empty'; steps += 1) {
        run.apply({ do: 'askBeginning' });
        run.apply({ do: 'answer', which: 0, most: 5, isSnapshot: false, quirks: plain });
        expect(steps).toBeLessThan(100);
      }
      expect(pagedEntries(run.state)).toEqual(run.history.entries);
    }));
  });

  it('never asks twice with one cursor of a chain unless the first failed, so it ends on any source with finitely many cursors', () => {
    fc.assert(fc.property(fc.array(fc.nat(6), { minLength: 1, maxLength: 60 }), (cursors) => {
      let state = advancePager(createPager<TestEntry>(), { type: 'askBeginning' });
      const asked: (string | null)[] = [];
      for (let n = 0; state.kind === 'loading'; n += 1) {
        asked.push(state.request.cursor);
        const entry: TestEntry = { turnId: 't', item: { id: String(n), ordinal: -n, version: 0 } };
        state = advancePager(state, { type: 'page', requestId: state.request.id, page: { data: [entry], nextCursor: String(cursors[n % cursors.length]) } });
      }
      expect(state.kind).toBe('looped');
      expect(new Set(asked).size).toBe(asked.length);
      expect(asked.length).toBeLessThanOrEqual(8);
    }));
  });
});
