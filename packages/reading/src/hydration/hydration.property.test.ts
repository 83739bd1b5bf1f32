import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { advancePager, pagedEntries } from '../pager/pager.js';
import { advanceHydration, planHydration } from './hydration.js';
import type { HydrationGoal } from './hydration-state.js';
import { pagerAfterHydration } from './pager-after-hydration.js';
import { type Plan, type TestItem, type TestSource, type TestTurn, answered, carriedOut, rowsOf, sourceOf } from './source.suite.js';

const rows = fc.oneof({ weight: 3, arbitrary: fc.integer({ min: 0, max: 3 }) }, fc.nat(400), fc.double({ min: 0, max: 9, noNaN: true }));
const source: fc.Arbitrary<TestSource> = fc
  .tuple(fc.array(fc.oneof({ weight: 4, arbitrary: fc.array(rows, { maxLength: 8 }) }, fc.array(rows, { minLength: 80, maxLength: 300, size: 'max' })), { maxLength: 40, size: 'max' }), fc.constantFrom(5, 20, 100, 100), fc.boolean())
  .map(([turns, most, isSloppy]) => sourceOf(turns, { most, isSloppy }));
const rowBudget = fc.option(fc.oneof(fc.nat(2000), fc.double({ min: -1, max: 300, noNaN: true })));
const planOf = (goal: HydrationGoal): Plan => planHydration<TestItem, TestTurn>(goal);
const total = (items: readonly TestItem[]): number => items.reduce((sum, entry) => sum + rowsOf(entry), 0);

describe('[R-STO-4] laws of the planner', () => {
  it('never asks for more than is left of a budget, and says truly what ended it', () => {
    const ends = new Set<string>();
    fc.assert(fc.property(source, rowBudget, (from, budget) => {
      const { plan, requests } = carriedOut(planOf({ kind: 'initial', rowBudget: budget }), from);
      if (plan.kind !== 'done') throw new Error(plan.kind);
      const asked = requests.filter(({ kind }) => kind === 'items');
      expect(asked.length).toBeLessThanOrEqual(4);
      expect(asked.reduce((sum, { limit }) => sum + limit, 0)).toBeLessThanOrEqual(400);
      expect(requests.filter(({ kind }) => kind === 'turns').length).toBeLessThanOrEqual(1 + 4 * asked.length);
      for (const { limit } of requests) expect(limit >= 1 && limit <= 100 && Number.isInteger(limit)).toBe(true);
      for (const { limit, rows } of asked) {
        expect(rows).toBeLessThan(budget ?? Infinity);
        if (rows > 0) expect(limit).toBeLessThanOrEqual(Math.ceil((budget ?? Infinity) - rows));
      }
      const { entries, itemPages, itemsRead } = plan.progress;
      expect(entries.items).toEqual(from.items.slice(from.items.length - entries.items.length));
      expect(plan.progress.rows).toBeCloseTo(total(entries.items), 6);
      const isWhole = entries.items.length === from.items.length;
      if (plan.endedBy === 'start') expect(isWhole).toBe(true);
      else if (plan.endedBy === 'rows') expect(plan.progress.rows >= (budget ?? Infinity)).toBe(true);
      else expect(plan.endedBy).toBe(itemsRead >= 400 ? 'items' : 'pages');
      if (plan.endedBy === 'pages') expect(itemPages).toBe(4);
      ends.add(plan.endedBy);
    }));
    expect([...ends].sort()).toEqual(['items', 'pages', 'rows', 'start']);
  });

  it('reaches the beginning in complete mode: every item and every turn, once and in order', () => {
    fc.assert(fc.property(source, (from) => {
      const { plan } = carriedOut(planOf({ kind: 'complete' }), from);
      expect(plan).toMatchObject({ kind: 'done', endedBy: 'start' });
      expect(plan.progress.entries.items).toEqual(from.items);
      expect(plan.progress.turns.items).toEqual(from.turns);
      expect(plan.progress.missingTurnIds.filter((id) => from.turns.some((turn) => turn.id === id))).toEqual([]);
    }));
  });

  it('goes through the wanted turn, and not a page further', () => {
    fc.assert(fc.property(source, fc.nat(40), (from, which) => {
      const turnId = `t${which}`;
      const { plan, requests } = carriedOut(planOf({ kind: 'throughTurn', turnId }), from);
      if (plan.kind !== 'done') throw new Error(plan.kind);
      const { items } = plan.progress.entries;
      expect(items.filter((entry) => entry.turnId === turnId)).toEqual(from.items.filter((entry) => entry.turnId === turnId));
      if (plan.endedBy === 'start') expect(items).toEqual(from.items);
      else expect(plan.endedBy).toBe('turn');
      // A source with tiny pages may leave metadata out for a while, which delays the end.
      const loaded = requests.filter(({ kind }) => kind === 'items').at(-1)?.loaded ?? 0;
      const oldestThen = items[items.length - loaded];
      if (oldestThen !== undefined && from.most >= 20 && which < from.turns.length) expect(Number(oldestThen.turnId.slice(1))).toBeGreaterThanOrEqual(which);
    }));
  });

  it('hands over to a pager that shows the rest: together each item once and in order', () => {
    fc.assert(fc.property(source, rowBudget, (from, budget) => {
      const { plan } = carriedOut(planOf({ kind: 'initial', rowBudget: budget }), { ...from, isSloppy: false });
      let pager = pagerAfterHydration(plan);
      expect(pagedEntries(pager)).toEqual(plan.progress.entries.items);
      pager = advancePager(pager, { type: 'askBeginning' });
      while (pager.kind === 'loading') {
        const end = pager.request.cursor === null ? from.items.length : Number(pager.request.cursor);
        const start = Math.max(0, end - from.most);
        const page = { data: from.items.slice(start, end).reverse(), nextCursor: start === 0 ? null : String(start) };
        pager = advancePager(pager, { type: 'page', requestId: pager.request.id, page });
      }
      expect(pagedEntries(pager)).toEqual(from.items);
      expect(pager.kind).toBe(from.items.length === 0 ? 'empty' : 'start');
    }));
  });

  it('comes to the same end with failures, retries and answers of other requests in between, and never changes a plan in place', () => {
    fc.assert(fc.property(source, fc.array(fc.nat(3), { minLength: 1 }), (from, noise) => {
      const goal: HydrationGoal = { kind: 'initial', rowBudget: 500 };
      let plan = planOf(goal);
      for (let n = 0; plan.kind === 'asking' && n < 1000; n += 1) {
        const copy = JSON.stringify(plan);
        const before: Plan = plan;
        const { id } = plan.request;
        if (noise[n % noise.length] === 1) {
          expect(advanceHydration(plan, { type: 'items', requestId: id - 1, page: { data: [], nextCursor: null } })).toBe(plan);
          const failed: Plan = advanceHydration(plan, { type: 'failure', requestId: id, reason: '' });
          plan = advanceHydration(failed, { type: 'retry' });
        }
        if (plan.kind === 'asking') plan = answered(plan, from);
        expect(JSON.stringify(before)).toBe(copy);
      }
      const quiet = carriedOut(planOf(goal), from).plan;
      expect({ ...plan.progress, lastRequestId: 0 }).toEqual({ ...quiet.progress, lastRequestId: 0 });
      expect(plan.kind).toBe('done');
    }));
  });
});
