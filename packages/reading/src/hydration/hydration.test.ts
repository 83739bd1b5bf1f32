import { describe, expect, it } from 'vitest';
import { pagedEntries } from '../pager/pager.js';
import { advanceHydration, planHydration } from './hydration.js';
import type { HydrationGoal } from './hydration-state.js';
import { pagerAfterHydration } from './pager-after-hydration.js';
import { type Plan, type TestItem, type TestTurn, answered, carriedOut, rowsOf, sourceOf } from './source.suite.js';

const initial = (rowBudget: number | null): HydrationGoal => ({ kind: 'initial', rowBudget });
const planOf = (goal: HydrationGoal): Plan => planHydration<TestItem, TestTurn>(goal);
const turnsOfOne = (turns: number, rows = 1): number[][] => Array.from({ length: turns }, () => [rows]);
const asking = (plan: Plan): Extract<Plan, { kind: 'asking' }> => {
  if (plan.kind !== 'asking') throw new Error(`the plan is ${plan.kind}`);
  return plan;
};

describe('[R-STO-4] a first fill', () => {
  it('asks for five turns, then a page of 100 items, then the turns it misses', () => {
    const { plan, requests } = carriedOut(planOf(initial(null)), sourceOf(turnsOfOne(30)));
    expect(requests.map(({ kind, limit, cursor }) => [kind, limit, cursor])).toEqual([['turns', 5, null], ['items', 100, null], ['turns', 25, '25']]);
    expect(plan).toMatchObject({ kind: 'done', endedBy: 'start', progress: { missingTurnIds: [] } });
    expect(plan.progress.turns.items).toHaveLength(30);
  });

  it('ends after 400 items, after four pages, or when the rows are spent, and says which', () => {
    const many = sourceOf([Array.from({ length: 1000 }, () => 1)]);
    const full = carriedOut(planOf(initial(null)), many);
    expect(full.plan).toMatchObject({ kind: 'done', endedBy: 'items', progress: { itemsRead: 400, itemPages: 4 } });
    expect(carriedOut(planOf(initial(null)), { ...many, most: 20 }).plan).toMatchObject({ endedBy: 'pages', progress: { itemsRead: 80, itemPages: 4 } });
    const rows = carriedOut(planOf(initial(120)), many);
    expect(rows.plan).toMatchObject({ endedBy: 'rows', progress: { rows: 120 } });
    expect(rows.requests.map(({ limit }) => limit)).toEqual([5, 100, 20]);
  });

  it('counts what a source sends beyond what it was asked for', () => {
    const { items } = sourceOf([Array.from({ length: 350 }, () => 1)]);
    const plan = asking(answered(asking(planOf(initial(null))), sourceOf([[1]])));
    const next = advanceHydration(plan, { type: 'items', requestId: plan.request.id, page: { data: items, nextCursor: 'c' } }, rowsOf);
    expect(asking(next).request.limit).toBe(50);
  });

  it('does not let pages of invisible items shrink to nothing', () => {
    const invisible = sourceOf([[...Array.from({ length: 10 }, () => 1), ...Array.from({ length: 150 }, () => 0)]]);
    expect(carriedOut(planOf(initial(3)), invisible).requests.map(({ limit }) => limit)).toEqual([5, 100, 100]);
  });

  it('asks for no item where there is no row to fill, and takes a budget that is no number for none', () => {
    expect(carriedOut(planOf(initial(0)), sourceOf(turnsOfOne(3))).requests.map(({ kind }) => kind)).toEqual(['turns']);
    expect(planOf(initial(NaN)).progress.goal).toEqual(initial(null));
    expect(planOf(initial(Infinity)).progress.goal).toEqual(initial(null));
  });

  it('counts an estimate that is no number of rows as none', () => {
    const { plan } = carriedOut(planOf(initial(5)), sourceOf([[NaN, -3, 2]]));
    expect(plan).toMatchObject({ progress: { rows: 2 } });
  });

  it('does not read thousands of turns without items to find one that it misses', () => {
    const sparse = sourceOf([[1], ...Array.from({ length: 2000 }, () => []), [1]]);
    const { plan, requests } = carriedOut(planOf(initial(null)), sparse);
    expect(requests.map(({ kind, limit }) => `${kind} ${limit}`)).toEqual(['turns 5', 'items 100', 'turns 1', 'turns 100', 'turns 100', 'turns 100']);
    expect(plan).toMatchObject({ kind: 'done', endedBy: 'start', progress: { missingTurnIds: ['t0'] } });
  });
});

describe('[R-STO-4] the other modes', () => {
  it('complete: pages to the beginning, turns without items too', () => {
    const source = sourceOf([...Array.from({ length: 300 }, () => []), ...turnsOfOne(1200)]);
    const { plan } = carriedOut(planOf({ kind: 'complete' }), source);
    expect(plan).toMatchObject({ kind: 'done', endedBy: 'start' });
    expect(plan.progress.entries.items).toEqual(source.items);
    expect(plan.progress.turns.items).toEqual(source.turns);
  });

  it('through a turn: until all of it is there', () => {
    const source = sourceOf(Array.from({ length: 20 }, () => Array.from({ length: 30 }, () => 1)));
    const { plan } = carriedOut(planOf({ kind: 'throughTurn', turnId: 't7' }), source);
    expect(plan).toMatchObject({ kind: 'done', endedBy: 'turn' });
    expect(plan.progress.entries.items.filter((entry) => entry.turnId === 't7')).toHaveLength(30);
    expect(plan.progress.entries.items).toHaveLength(400);
    expect(carriedOut(planOf({ kind: 'throughTurn', turnId: 't0' }), source).plan).toMatchObject({ endedBy: 'start' });
    expect(carriedOut(planOf({ kind: 'throughTurn', turnId: 'nowhere' }), source).plan).toMatchObject({ endedBy: 'start' });
  });
});

describe('[R-STO-4] a plan and its source', () => {
  const source = sourceOf(turnsOfOne(300));

  it('drops answers to other requests whole', () => {
    const plan = asking(planOf(initial(null)));
    const page = { data: [], nextCursor: null };
    expect(advanceHydration(plan, { type: 'items', requestId: 1, page })).toBe(plan);
    expect(advanceHydration(plan, { type: 'turns', requestId: 2, page })).toBe(plan);
    expect(advanceHydration(plan, { type: 'failure', requestId: 7, reason: '' })).toBe(plan);
    expect(advanceHydration(plan, { type: 'retry' })).toBe(plan);
    const anew = planHydration({ kind: 'complete' }, plan);
    expect(advanceHydration(anew, { type: 'turns', requestId: 1, page })).toBe(anew);
  });

  it('fails, and retries the same', () => {
    const plan = asking(answered(asking(planOf(initial(null))), source));
    const failed = advanceHydration(plan, { type: 'failure', requestId: plan.request.id, reason: 'gone' });
    expect(failed).toMatchObject({ kind: 'failed', reason: 'gone' });
    expect(asking(advanceHydration(failed, { type: 'retry' })).request).toEqual({ ...plan.request, id: plan.request.id + 1 });
    expect(pagerAfterHydration(failed)).toMatchObject({ kind: 'failed', reason: 'gone' });
  });

  it('says that the source cannot page, which is no empty page', () => {
    const plan = asking(planOf(initial(null)));
    const refused = advanceHydration(plan, { type: 'unsupported', requestId: plan.request.id });
    expect(refused.kind).toBe('unsupported');
    expect(pagerAfterHydration(refused).kind).toBe('unsupported');
  });

  it('ends where a cursor comes a second time, and where a page brings nothing new', () => {
    const items = (plan: Plan, data: TestItem[], nextCursor: string): Plan => advanceHydration(plan, { type: 'items', requestId: asking(plan).request.id, page: { data, nextCursor } }, rowsOf);
    const first = answered(asking(planOf({ kind: 'complete' })), sourceOf([[1]]));
    const [entry] = sourceOf([[1]]).items;
    const second = items(first, entry === undefined ? [] : [entry], 'c');
    expect(items(second, sourceOf([[1, 1]]).items.slice(1), 'c')).toMatchObject({ kind: 'done', endedBy: 'repeatedCursor' });
    expect(pagerAfterHydration(items(second, sourceOf([[1, 1]]).items.slice(1), 'c')).kind).toBe('looped');
    expect(items(second, [], 'd')).toMatchObject({ kind: 'done', endedBy: 'nothingNew' });
    expect(pagerAfterHydration(items(second, [], 'd'))).toMatchObject({ kind: 'more', chain: { cursor: 'd' } });
  });

  it('hands over to a pager that goes on where it stands', () => {
    const { plan } = carriedOut(planOf(initial(120)), source);
    const pager = pagerAfterHydration(plan);
    expect(pager).toMatchObject({ kind: 'more', chain: { cursor: '180' } });
    expect(pagedEntries(pager)).toEqual(source.items.slice(180));
    expect(pagerAfterHydration(carriedOut(planOf({ kind: 'complete' }), source).plan).kind).toBe('start');
    expect(pagerAfterHydration(carriedOut(planOf({ kind: 'complete' }), sourceOf([])).plan).kind).toBe('empty');
    expect(pagerAfterHydration(planOf({ kind: 'complete' })).kind).toBe('idle');
  });
});
