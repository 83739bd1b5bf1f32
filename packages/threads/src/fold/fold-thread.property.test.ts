import { type Fact, factSchema } from '@tapefold/facts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { turnSchema } from '../objects/turn.js';
import { ThreadRows } from '../rows/thread-rows.js';
import { settleThread, unsettledThread } from '../settle/settle-thread.js';
import { threadObject } from '../settle/thread-object.js';
import { foldAll, threadFacts } from './facts.suite.js';
import { foldThread } from './fold-thread.js';
import { factsWithoutRow } from './without-row.js';
import { emptyThreadHead } from './thread-head.js';

const copy = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

function rowsOf(facts: readonly Fact[]): { head: typeof emptyThreadHead; rows: ThreadRows } {
  const { head, changes } = foldAll(facts);
  const rows = new ThreadRows();
  rows.apply(changes);
  return { head, rows };
}

const allTypes = factSchema.options.map((option) => option.shape.type.value);
const facets = { path: null, updatedAtMs: 0, recencyAtMs: null, status: { type: 'notLoaded' } } as const;

describe('laws of the row fold', () => {
  it('[R-THR-1] is total: any facts give public objects that their schemas accept', () => {
    fc.assert(fc.property(threadFacts, (facts) => {
      const { head, rows } = rowsOf(facts);
      for (const turn of settleThread(head, rows)) turnSchema.parse(turn);
      for (const turn of settleThread(head, rows, { running: {}, view: 'summary' })) turnSchema.parse(turn);
      threadObject(head, facets);
    }));
  });

  it('[R-STO-2] stops anywhere and goes on from JSON with the same result', () => {
    fc.assert(fc.property(threadFacts, fc.nat(), (facts, at) => {
      const cut = facts.length === 0 ? 0 : at % facts.length;
      const first = rowsOf(facts.slice(0, cut));
      const restored = ThreadRows.restore(copy(first.rows.snapshot()));
      const rest = foldAll(facts.slice(cut), copy(first.head), cut);
      restored.apply(copy(rest.changes));
      const whole = rowsOf(facts);
      expect(copy(rest.head)).toEqual(copy(whole.head));
      expect(copy(restored.snapshot())).toEqual(copy(whole.rows.snapshot()));
      expect(settleThread(rest.head, restored)).toEqual(settleThread(whole.head, whole.rows));
    }));
  });

  it('[R-OPS-1] changes nothing when a change is applied a second time, also as a copy through JSON', () => {
    fc.assert(fc.property(threadFacts, (facts) => {
      const { changes } = foldAll(facts);
      const rows = new ThreadRows();
      for (const change of changes) {
        rows.apply([change]);
        const before = copy(rows.snapshot());
        expect(rows.apply([change])).toEqual([]);
        expect(rows.apply([copy(change)])).toEqual([]);
        expect(copy(rows.snapshot())).toEqual(before);
      }
      const before = copy(rows.snapshot());
      expect(rows.apply(changes)).toEqual([]);
      expect(copy(rows.snapshot())).toEqual(before);
    }));
  });

  it('is pure: facts and changes that were folded and applied are as they were', () => {
    fc.assert(fc.property(threadFacts, (facts) => {
      const before = copy(facts);
      const { changes } = foldAll(facts);
      const told = copy(changes);
      const rows = new ThreadRows();
      rows.apply(changes);
      expect(copy(facts)).toEqual(before);
      expect(copy(changes)).toEqual(told);
      const snapshot = copy(rows.snapshot());
      settleThread(emptyThreadHead, rows);
      rows.asOf(3).leftovers();
      expect(copy(rows.snapshot())).toEqual(snapshot);
    }));
  });

  it('[R-THR-4] shows the same turns when what was superseded is restored', () => {
    fc.assert(fc.property(threadFacts, (facts) => {
      const { head, changes } = foldAll(facts);
      const rows = new ThreadRows();
      rows.apply(changes);
      const before = settleThread(head, rows);
      const turns = rows.turns().map(({ key }) => key);
      const items = turns.flatMap((turn) => rows.items(turn).map(({ key }) => key));
      const scope = { turns, steps: [], items, facts: [] };
      rows.apply([{ op: 'history.close', position: facts.length, ...scope }]);
      expect(rows.turns()).toEqual([]);
      rows.apply([{ op: 'history.open', position: facts.length + 1, ...scope }]);
      expect(settleThread(head, rows)).toEqual(before);
    }));
  });

  it('[R-DIA-7] settles only open turns and open items; without inputs that no record placed, nothing else differs', () => {
    fc.assert(fc.property(threadFacts, (facts) => {
      const { head, rows } = rowsOf(facts);
      fc.pre(rows.leftovers().length === 0);
      const settled = settleThread(head, rows);
      const unsettled = unsettledThread(head, rows);
      expect(settled.length).toBe(unsettled.length);
      settled.forEach((turn, i) => {
        const { status, error, items, ...rest } = unsettled[i] ?? turn;
        expect({ ...turn, status, error, items }).toEqual({ ...rest, status, error, items });
        if (status === 'interrupted' || status === 'failed') expect(turn.status).toBe(status);
        const were = turn.items.map(({ outcome, ...item }) => (outcome === undefined || outcome === 'unknown' ? item : { ...item, outcome }));
        expect(were).toEqual(items);
      });
    }));
  });

  it('[R-DIA-7] leaves nothing in progress without saying that its outcome is unknown, where a record opened it and none ended it', () => {
    fc.assert(fc.property(threadFacts, (facts) => {
      const { head, rows } = rowsOf(facts);
      for (const turn of settleThread(head, rows)) expect(turn.status).not.toBe('inProgress');
      const inputs = rows.leftovers().filter((row) => row.visibility === 'shown' && row.otherwise !== 'dropped');
      const shown = settleThread(head, rows).flatMap((turn) => turn.items).filter(({ type }) => type === 'userMessage').length;
      const placed = rows.turns().flatMap((turn) => rows.items(turn.key)).filter((row) => row.body.kind === 'input' && row.visibility === 'shown').length;
      expect(shown).toBe(placed + inputs.length);
    }));
  });

  it('[R-STO-7] shows as of a position what the facts up to it give', () => {
    fc.assert(fc.property(threadFacts, fc.nat(), (facts, at) => {
      const isPlain = facts.every((fact) => !('turnId' in fact) && !('place' in fact)) && new Set(facts.flatMap((fact) => (fact.type === 'input.placed' ? fact.input : []))).size === facts.filter(({ type }) => type === 'input.placed').length;
      fc.pre(isPlain && facts.length > 0);
      const position = at % facts.length;
      const { head } = rowsOf(facts);
      const now = rowsOf(facts).rows.asOf(position);
      const then = rowsOf(facts.slice(0, position + 1)).rows;
      expect(settleThread(head, now)).toEqual(settleThread(head, then));
    }));
  });

  it('keeps a head that does not grow with turns and items', () => {
    fc.assert(fc.property(threadFacts, (facts) => {
      const { head } = foldAll(facts);
      expect(Object.keys(head.offsets).length).toBeLessThanOrEqual(2);
      expect(JSON.stringify(head).length).toBeLessThan(1_800);
    }));
  });

  it('gives no change for the families that the table names', () => {
    fc.assert(fc.property(threadFacts, (facts) => {
      facts.forEach((fact, i) => {
        if (!(fact.type in factsWithoutRow)) return;
        const { head, changes } = foldThread(emptyThreadHead, fact, i);
        expect(changes).toEqual([]);
        expect({ ...head, offsets: {}, counts: emptyThreadHead.counts }).toEqual(emptyThreadHead);
      });
    }));
  });

  it('is not vacuous: the facts of these tests reach every family, and rows of every kind', () => {
    const samples = fc.sample(threadFacts, { numRuns: 300, seed: 7 });
    const types = new Set(samples.flatMap((facts) => facts.map(({ type }) => type)));
    expect([...types].sort()).toEqual(allTypes.sort());
    const all = samples.map((facts) => rowsOf(facts).rows);
    expect(all.some((rows) => rows.orphans().length > 0)).toBe(true);
    expect(all.some((rows) => rows.leftovers().length > 0)).toBe(true);
    expect(all.some((rows) => rows.allTurns().length > rows.turns().length && rows.turns().length > 0)).toBe(true);
    expect(all.some((rows) => rows.turns().some((turn) => rows.items(turn.key).some(({ order }) => order.length > 1)))).toBe(true);
    expect(all.some((rows) => rows.snapshot().steps.length > 0)).toBe(true);
  });
});
