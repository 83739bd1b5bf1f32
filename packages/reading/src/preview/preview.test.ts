import type { ThreadItem } from '@tapefold/threads';
import { describe, expect, it } from 'vitest';
import { asked, said } from './items.suite.js';
import { emptyPreview, feedPreview, previewLines } from './preview-lines.js';
import { type PreviewEntry, type PreviewState, advancePreview, planPreview } from './preview-plan.js';
import { previewResult } from './preview-result.js';

const texts = (items: readonly ThreadItem[]): string[] => previewLines(items).map(({ text }) => text);
const silent = (id: string): ThreadItem => said('::git-stage{cwd="/x"}', id);

describe('[R-STO-5] preview lines', () => {
  it('are the six newest that are not blank, newest last, and say whose they are', () => {
    expect(texts([asked('one\n\ntwo'), said('three\n  four  \nfive'), asked('six'), said('seven\n')])).toEqual(['two', 'three', 'four', 'five', 'six', 'seven']);
    expect(previewLines([asked('q'), said('a')])).toEqual([{ role: 'user', text: 'q' }, { role: 'agent', text: 'a' }]);
  });

  it('hold visible text only', () => {
    expect(texts([said('Done.\n\n::git-stage{cwd="/x"}')])).toEqual(['Done.']);
    expect(texts([silent('x')])).toEqual([]);
  });

  it('look at no item behind the bound', () => {
    const items = function* (): Generator<ThreadItem> {
      yield said('1\n2\n3\n4\n5\n6\n7');
      throw new Error('read on');
    };
    expect(feedPreview(emptyPreview, items()).lines.map(({ text }) => text)).toEqual(['2', '3', '4', '5', '6', '7']);
    const spent = feedPreview(emptyPreview, Array.from({ length: 500 }, (_, n) => silent(String(n))));
    expect(spent).toEqual({ lines: [], itemsRead: 400, bound: 'items' });
    expect(feedPreview(spent, [said('late')])).toBe(spent);
  });
});

describe('[R-STO-5] how a preview ends', () => {
  const some = feedPreview(emptyPreview, [said('x')]);

  it('shows what was found, and says what ended it', () => {
    expect(previewResult(some, 'start')).toEqual({ kind: 'lines', lines: [{ role: 'agent', text: 'x' }], endedBy: 'start' });
    expect(previewResult(some, 'bytes')).toMatchObject({ kind: 'lines', endedBy: 'bytes' });
  });

  it('names why there is nothing', () => {
    expect(previewResult(emptyPreview, 'start')).toEqual({ kind: 'empty' });
    expect(previewResult(emptyPreview, 'items')).toEqual({ kind: 'outOfBudget', budget: 'items' });
    expect(previewResult(emptyPreview, 'bytes')).toEqual({ kind: 'outOfBudget', budget: 'bytes' });
    expect(previewResult(emptyPreview, 'repeatedCursor').kind).toBe('unreadable');
    expect(previewResult(emptyPreview, 'nothingNew').kind).toBe('unreadable');
  });
});

describe('[R-STO-5] a preview from pages', () => {
  const entries = (count: number, of: (id: string) => ThreadItem = silent): PreviewEntry[] => Array.from({ length: count }, (_, n) => ({ turnId: 't', item: of(String(n)) }));

  function read(all: readonly PreviewEntry[]): { state: PreviewState; limits: number[] } {
    const limits: number[] = [];
    let state = planPreview();
    while (state.kind === 'asking') {
      const { cursor, id, limit } = state.request;
      limits.push(limit);
      const end = cursor === null ? all.length : Number(cursor);
      const from = Math.max(0, end - limit);
      state = advancePreview(state, { type: 'page', requestId: id, page: { data: all.slice(from, end).reverse(), nextCursor: from === 0 ? null : String(from) } });
    }
    return { state, limits };
  }

  it('asks for 6, then for 100 at a time, never for more than 400', () => {
    expect(read(entries(1000))).toEqual({ limits: [6, 100, 100, 100, 94], state: { kind: 'done', result: { kind: 'outOfBudget', budget: 'items' } } });
    expect(read(entries(20))).toEqual({ limits: [6, 100], state: { kind: 'done', result: { kind: 'empty' } } });
    expect(read(entries(1000, (id) => said(`line ${id}`, id))).limits).toEqual([6]);
  });

  it('ends by what the source cannot do', () => {
    const first = planPreview();
    expect(advancePreview(first, { type: 'tooOld', requestId: 1 })).toEqual({ kind: 'done', result: { kind: 'tooOld' } });
    expect(advancePreview(first, { type: 'unreadable', requestId: 1, reason: 'damaged' })).toEqual({ kind: 'done', result: { kind: 'unreadable', reason: 'damaged' } });
    expect(advancePreview(first, { type: 'tooOld', requestId: 2 })).toBe(first);
    const done = advancePreview(first, { type: 'tooOld', requestId: 1 });
    expect(advancePreview(done, { type: 'tooOld', requestId: 1 })).toBe(done);
  });

  it('counts doubled entries once, and follows no source round in circles', () => {
    const data = [{ turnId: 't', item: said('hello', 'x') }];
    const second = advancePreview(planPreview(), { type: 'page', requestId: 1, page: { data: [...data, ...data], nextCursor: 'c' } });
    expect(advancePreview(second, { type: 'page', requestId: 2, page: { data: entries(1), nextCursor: 'c' } })).toMatchObject({ result: { kind: 'lines', lines: [{ text: 'hello' }], endedBy: 'repeatedCursor' } });
    expect(advancePreview(second, { type: 'page', requestId: 2, page: { data, nextCursor: 'd' } })).toMatchObject({ result: { kind: 'lines', endedBy: 'nothingNew' } });
  });
});
