import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { foldAll, threadFacts } from '../fold/facts.suite.js';
import { turnSchema } from '../objects/turn.js';
import { ThreadRows } from '../rows/thread-rows.js';
import { isSuperseded, settleBranches } from './branches.js';
import { settleThread } from './settle-thread.js';

describe('all branches of a thread', () => {
  it('[R-THR-4] without what is marked they are the settled thread; what is marked is all the rest, in order', () => {
    let marked = 0;
    fc.assert(fc.property(threadFacts, fc.boolean(), (facts, runs) => {
      const { head, changes } = foldAll(facts);
      const rows = new ThreadRows();
      rows.apply(changes);
      const options = runs ? { running: {} } : {};
      const all = settleBranches(head, rows, options);
      for (const turn of all) turnSchema.parse(turn);
      const counted = all.filter((turn) => !isSuperseded(turn)).map((turn) => ({ ...turn, items: turn.items.filter((item) => !isSuperseded(item)) }));
      expect(counted).toEqual(settleThread(head, rows, options));
      const shown = rows.allTurns().flatMap((turn) => rows.allItems(turn.key)).filter(({ visibility }) => visibility === 'shown').length;
      expect(all.reduce((sum, { items }) => sum + items.length, 0)).toBeGreaterThanOrEqual(shown);
      marked += all.filter(isSuperseded).length;
    }));
    expect(marked).toBeGreaterThan(0);
  });
});
