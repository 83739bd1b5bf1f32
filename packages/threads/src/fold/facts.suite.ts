import type { Fact } from '@tapefold/facts';
import { threadFacts as toldFacts } from '@tapefold/testing';
import type fc from 'fast-check';
import { type FoldedFact, foldThread } from './fold-thread.js';
import type { RowChange } from './row-change.js';
import { type ThreadHead, emptyThreadHead } from './thread-head.js';

/** Facts of one thread, as tests of every fold tell them. */
export const threadFacts: fc.Arbitrary<readonly Fact[]> = toldFacts;

/** Folds facts at positions from `from`. */
export function foldAll(facts: readonly Fact[], head: ThreadHead = emptyThreadHead, from = 0): { head: ThreadHead; changes: RowChange[] } {
  return facts.reduce<{ head: ThreadHead; changes: RowChange[] }>((folded, fact, i) => {
    const next: FoldedFact = foldThread(folded.head, fact, from + i);
    folded.changes.push(...next.changes);
    return { head: next.head, changes: folded.changes };
  }, { head, changes: [] });
}
