import type { SearchHit } from '@tapefold/store';
import { describe, expect, it } from 'vitest';
import { createPaint } from '../text/line.js';
import { createTimes } from '../text/times.js';
import { gapSentences, hitLines } from './search-view.js';

const hit = {
  thread: { thread: { id: '01990000-0000-7000-8000-000000000001', name: null, preview: 'Fix the\nparser', cwd: '/home/sam/app' }, program: 'codex', isArchived: true },
  turnId: 't1', itemId: 'i1', ordinal: 3, source: 'user', atMs: Date.UTC(2026, 0, 2, 3, 4), score: 1, isSuperseded: true, alsoIn: [],
  snippet: { text: 'a \u001b[31mparser\u202e\nand\tmore', ranges: [{ start: 7, end: 13 }], isCutBefore: true, isCutAfter: false },
} as unknown as SearchHit;

describe('[R-STO-6] hits on a terminal', () => {
  const lines = (hasColours: boolean): string[] => hitLines(hit, { times: createTimes(0, 'UTC'), homeDir: '/home/sam' }).map(createPaint(hasColours));

  it('[R-SEC-2] say where to go on, in safe text', () => {
    expect(lines(false)).toEqual([
      '01990000-0000-7000-8000-000000000001  2026-01-02 03:04  codex  Fix the parser  ~/app',
      expect.stringMatching(/^ {2}› …a parser\S* and more$/) as unknown,
      '    turn t1 · item i1 · archived · taken back',
    ]);
    expect(lines(false).join('')).not.toMatch(/[\p{Cc}\u202e]/u);
  });

  it('mark the places', () => {
    expect(lines(true)[1]).toContain('\u001b[33mparser\u001b[39m');
  });
});

describe('[R-STO-6] what a search may have missed', () => {
  it('is one sentence a reason', () => {
    expect(gapSentences({ isUnknown: false, threads: 0, waitingTexts: 0, cutTexts: 0, isOverBudget: false })).toEqual([]);
    expect(gapSentences({ isUnknown: true, threads: 2, waitingTexts: 1, cutTexts: 1, isOverBudget: true })).toHaveLength(5);
    expect(gapSentences({ isUnknown: false, threads: 1, waitingTexts: 0, cutTexts: 0, isOverBudget: false })).toEqual(['incomplete: 1 session not, or not all, in the index: `tapefold index` brings it up to date.']);
  });
});
