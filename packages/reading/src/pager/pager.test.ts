import { describe, expect, it } from 'vitest';
import { advancePager, createPager, pagedEntries, pagerTable, requestToSend } from './pager.js';
import type { PagerEvent, PagerEventType, PagerKind, PagerState } from './pager-state.js';

const entry = (turnId: string, id: string, text = '') => ({ turnId, item: { id, text } });
type Entry = ReturnType<typeof entry>;
type State = PagerState<Entry>;
type Event = PagerEvent<Entry>;

const after = (...events: Event[]): State => events.reduce<State>(advancePager, createPager<Entry>());
const ask: Event = { type: 'askOlder' };
const jump: Event = { type: 'askBeginning' };
const page = (requestId: number, data: Entry[], nextCursor: string | null): Event => ({ type: 'page', requestId, page: { data, nextCursor } });
const failure = (requestId: number): Event => ({ type: 'failure', requestId, reason: 'gone' });
const unsupported = (requestId: number): Event => ({ type: 'unsupported', requestId });
const superseded = (...turnIds: string[]): Event => ({ type: 'superseded', turnIds });
const ids = (state: State): string[] => pagedEntries(state).map(({ turnId, item }) => `${turnId}/${item.id}`);

const a = entry('t1', 'a');
const b = entry('t2', 'b');
const c = entry('t3', 'c');

const states: Record<PagerKind, State> = {
  idle: createPager<Entry>(),
  loading: after(ask, page(1, [c, b], 'c1'), ask),
  more: after(ask, page(1, [c, b], 'c1')),
  start: after(ask, page(1, [c, b], null)),
  empty: after(ask, page(1, [], null)),
  unsupported: after(ask, unsupported(1)),
  failed: after(ask, page(1, [c, b], 'c1'), jump, failure(2)),
  looped: after(ask, page(1, [c, b], 'c1'), ask, page(2, [a], 'c1')),
};
const events: Record<PagerEventType, Event> = {
  askOlder: ask, askBeginning: jump, cancelJump: { type: 'cancelJump' }, retry: { type: 'retry' }, page: page(2, [a], 'c2'), failure: failure(2), unsupported: unsupported(2),
  live: { type: 'live', entries: [entry('t4', 'd')] }, superseded: superseded('t3'), reset: { type: 'reset' },
};

/** Where each cell leads; `=`: the very same state. */
const expected: Record<PagerKind, Record<PagerEventType, PagerKind | '='>> = {
  idle: { askOlder: 'loading', askBeginning: 'loading', cancelJump: '=', retry: '=', page: '=', failure: '=', unsupported: '=', live: 'idle', superseded: '=', reset: '=' },
  loading: { askOlder: '=', askBeginning: 'loading', cancelJump: '=', retry: '=', page: 'more', failure: 'failed', unsupported: 'unsupported', live: 'loading', superseded: 'loading', reset: 'idle' },
  more: { askOlder: 'loading', askBeginning: 'loading', cancelJump: '=', retry: '=', page: '=', failure: '=', unsupported: '=', live: 'more', superseded: 'more', reset: 'idle' },
  start: { askOlder: '=', askBeginning: '=', cancelJump: '=', retry: '=', page: '=', failure: '=', unsupported: '=', live: 'start', superseded: 'start', reset: 'idle' },
  empty: { askOlder: '=', askBeginning: '=', cancelJump: '=', retry: '=', page: '=', failure: '=', unsupported: '=', live: 'start', superseded: '=', reset: 'idle' },
  unsupported: { askOlder: '=', askBeginning: '=', cancelJump: '=', retry: '=', page: '=', failure: '=', unsupported: '=', live: 'unsupported', superseded: '=', reset: 'idle' },
  failed: { askOlder: 'loading', askBeginning: 'loading', cancelJump: 'failed', retry: 'loading', page: '=', failure: '=', unsupported: '=', live: 'failed', superseded: 'failed', reset: 'idle' },
  looped: { askOlder: '=', askBeginning: '=', cancelJump: '=', retry: '=', page: '=', failure: '=', unsupported: '=', live: 'looped', superseded: 'looped', reset: 'idle' },
};

describe('[R-SCR-5] the pager, cell by cell', () => {
  for (const kind of Object.keys(pagerTable) as PagerKind[]) {
    for (const type of Object.keys(pagerTable[kind]) as PagerEventType[]) {
      it(`${kind} × ${type} → ${expected[kind][type]}`, () => {
        const before = states[kind];
        expect(before.kind).toBe(kind);
        const next = advancePager(before, events[type]);
        if (expected[kind][type] === '=') expect(next).toBe(before);
        else expect(next).not.toBe(before);
        expect(next.kind).toBe(expected[kind][type] === '=' ? kind : expected[kind][type]);
      });
    }
  }

  it('has a cell for every state and event of this test', () => {
    expect(Object.keys(pagerTable).sort()).toEqual(Object.keys(expected).sort());
    for (const kind of Object.keys(expected) as PagerKind[]) expect(Object.keys(pagerTable[kind]).sort()).toEqual(Object.keys(events).sort());
  });
});

describe('[R-SCR-5] the pager', () => {
  it('asks once, newest first, until it is answered', () => {
    const idle = createPager<Entry>();
    const loading = advancePager(idle, ask);
    expect(requestToSend(idle, loading)).toEqual({ id: 1, cursor: null, limit: 100 });
    expect(requestToSend(loading, advancePager(loading, jump))).toBeUndefined();
  });

  it('jumps page by page to the start, and stops where the reader moves', () => {
    const first = after(jump, page(1, [c], 'c1'));
    expect(first).toMatchObject({ kind: 'loading', request: { id: 2, cursor: 'c1' }, goal: 'beginning' });
    expect(advancePager(first, page(2, [b, a], null))).toMatchObject({ kind: 'start' });
    expect([{ type: 'cancelJump' } as const, page(2, [b], 'c2')].reduce<State>(advancePager, first)).toMatchObject({ kind: 'more', chain: { cursor: 'c2' } });
  });

  it('does not follow by itself a source whose pages bring nothing new', () => {
    expect(after(jump, page(1, [c], 'c1'), page(2, [c], 'c2'))).toMatchObject({ kind: 'more', chain: { cursor: 'c2' } });
    expect(after(jump, page(1, [], 'c1'))).toMatchObject({ kind: 'more' });
  });

  it('retries with the same cursor and the same goal', () => {
    const failed = after(jump, page(1, [c], 'c1'), failure(2));
    expect(failed).toMatchObject({ kind: 'failed', reason: 'gone' });
    expect(advancePager(failed, { type: 'retry' })).toMatchObject({ kind: 'loading', request: { id: 3, cursor: 'c1' }, goal: 'beginning' });
    expect(advancePager(failed, ask)).toMatchObject({ kind: 'loading', goal: 'page' });
  });

  it('drops whole what answers a superseded request', () => {
    const reset = after(ask, { type: 'reset' }, ask);
    expect(advancePager(reset, page(1, [c, b], null))).toBe(reset);
    expect(advancePager(reset, failure(1))).toBe(reset);
    expect(advancePager(reset, unsupported(1))).toBe(reset);
    const again = after(ask, page(1, [c, b], 'c1'), ask, superseded('t3'));
    expect(again).toMatchObject({ kind: 'loading', request: { id: 3, cursor: 'c1' } });
    expect(advancePager(again, page(2, [a], null))).toBe(again);
  });

  it('keeps its cursor while the oldest shown turn survives, and starts anew when it falls', () => {
    expect(after(ask, page(1, [c, b], 'c1'), superseded('t3'))).toMatchObject({ kind: 'more', chain: { cursor: 'c1' } });
    expect(after(ask, page(1, [c, b], 'c1'), superseded('t3', 't2')).kind).toBe('idle');
    expect(after(ask, page(1, [c, b], 'c1'), ask, superseded('t3', 't2'))).toMatchObject({ kind: 'loading', request: { cursor: null } });
    expect(after(ask, page(1, [c], null), superseded('t3')).kind).toBe('empty');
  });

  it('tells item ids of different turns apart', () => {
    expect(ids(after(ask, page(1, [entry('t2', 'item-1'), entry('t1', 'item-1')], null)))).toEqual(['t1/item-1', 't2/item-1']);
    expect(ids(after(ask, page(1, [entry('t1', '1x'), entry('t11', 'x')], null)))).toHaveLength(2);
  });

  it('keeps what came live in the meantime, newest last, and its newer content', () => {
    const state = after(ask, { type: 'live', entries: [entry('t3', 'c', 'new'), entry('t4', 'd')] }, page(1, [c, b], 'c1'));
    expect(ids(state)).toEqual(['t2/b', 't3/c', 't4/d']);
    expect(pagedEntries(state)[1]?.item.text).toBe('new');
  });

  it('puts live entries that the first page does not reach before it', () => {
    const live: Event = { type: 'live', entries: [a, b, c] };
    expect(ids(after(live, ask, page(1, [c], 'c1')))).toEqual(['t1/a', 't2/b', 't3/c']);
    expect(ids(after(live, ask, page(1, [c], 'c1'), ask, page(2, [b, a, entry('t0', 'z')], null)))).toEqual(['t0/z', 't1/a', 't2/b', 't3/c']);
  });

  it('moves an old entry that changed before it was loaded to its place when its page comes', () => {
    const state = after(ask, page(1, [c], 'c1'), { type: 'live', entries: [entry('t1', 'a', 'new')] });
    expect(ids(state)).toEqual(['t3/c', 't1/a']);
    const next = [ask, page(2, [b, a], null)].reduce<State>(advancePager, state);
    expect(ids(next)).toEqual(['t1/a', 't2/b', 't3/c']);
    expect(pagedEntries(next)[0]?.item.text).toBe('new');
  });

  it('merges pages that are reversed, doubled or overlap', () => {
    const asc: Event = { type: 'page', requestId: 1, page: { data: [b, c], nextCursor: 'c1', sortDirection: 'asc' } };
    expect(ids(after(ask, asc, ask, page(2, [c, c, b, b, a, a], null)))).toEqual(['t1/a', 't2/b', 't3/c']);
    expect(ids(after(ask, page(1, [c, a], 'c1'), ask, page(2, [entry('t4', 'd'), c, b, a, entry('t0', 'z')], null)))).toEqual(['t0/z', 't1/a', 't2/b', 't3/c', 't4/d']);
  });

  it('pages 100,000 items in the time of one copy a page', () => {
    let state = advancePager(createPager<Entry>(), jump);
    for (let n = 1000; n > 0; n -= 1) {
      const data = Array.from({ length: 100 }, (_, i) => entry('t', String(n * 100 - i)));
      state = advancePager(state, page(1001 - n, data, n === 1 ? null : `c${n}`));
    }
    expect(state.kind).toBe('start');
    expect(pagedEntries(state)).toHaveLength(100_000);
  });
});
