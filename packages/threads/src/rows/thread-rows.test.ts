import type { Fact } from '@tapefold/facts';
import { describe, expect, it } from 'vitest';
import { foldThread } from '../fold/fold-thread.js';
import { emptyThreadHead } from '../fold/thread-head.js';
import { type FactSketch, factsOf } from '../fold/sketch.suite.js';
import { insertionIndex } from './order.js';
import { ThreadRows } from './thread-rows.js';

function rowsOf(facts: readonly Fact[]): ThreadRows {
  const rows = new ThreadRows();
  let head = emptyThreadHead;
  facts.forEach((fact, i) => {
    const folded = foldThread(head, fact, i);
    head = folded.head;
    rows.apply(folded.changes);
  });
  return rows;
}

const turn = (id: string, more: Partial<FactSketch> = {}): FactSketch => ({ type: 'turn.started', id, isImplicit: false, replacesOlder: false, ...more });
const message = (id: string, of: string, more: Partial<FactSketch> = {}): FactSketch => ({
  type: 'item.completed', id, turn: of, body: { kind: 'agentMessage', text: id }, visibility: 'shown', isAdded: false, ...more,
});
const input = (id: string): FactSketch => ({ type: 'input.received', id, content: [{ kind: 'text', text: id }], visibility: 'shown', isAdded: false });
const ids = (rows: ThreadRows, of: string): string[] => rows.items(of).map(({ id }) => id);

describe('[R-THR-2] order inside a turn', () => {
  it('keeps an item at the place of its first record when a later one completes it', () => {
    const rows = rowsOf(factsOf([turn('T1'), message('m1', 'a#0', { type: 'item.started' }), message('m2', 'a#0'), message('m1', 'a#0', { body: { kind: 'agentMessage', text: 'whole' } })]));
    expect(ids(rows, 'a#0')).toEqual(['m1', 'm2']);
    expect(rows.items('a#0')[0]).toMatchObject({ key: 'a#1', position: 1, isOpen: false, body: { text: 'whole' } });
  });

  it('moves it where the record says so, and stands chains of "right after" in their order', () => {
    const rows = rowsOf(factsOf([
      turn('T1'), message('m1', 'a#0'), message('m2', 'a#0'), message('b', 'a#0', { place: { after: 'a#1' } }), message('c', 'a#0', { place: { after: 'a#3' } }),
      message('d', 'a#0', { place: { after: 'a#1' } }), message('m1', 'a#0', { place: 'here' }),
    ]));
    expect(ids(rows, 'a#0')).toEqual(['b', 'c', 'd', 'm2', 'm1']);
  });

  it('keeps a late item inside its own turn', () => {
    const rows = rowsOf(factsOf([turn('T1'), { type: 'turn.ended', turn: 'a#0', status: 'interrupted' }, turn('T2'), message('late', 'a#0')]));
    expect([ids(rows, 'a#0'), ids(rows, 'a#2')]).toEqual([['late'], []]);
  });
});

describe('turns named by their native id', () => {
  it('resolves an item of a later segment to the newest turn that has the id, and keeps it as an orphan where none has', () => {
    const rows = rowsOf(factsOf([
      turn('T1'), turn('T1'), { tape: 'b', ...message('mine', 'x'), turn: undefined, turnId: 'T1' }, { tape: 'b', ...message('lost', 'x'), turn: undefined, turnId: 'T9' },
    ]));
    expect(ids(rows, 'a#1')).toEqual(['mine']);
    expect(rows.orphans().map(({ id, turnId }) => [id, turnId])).toEqual([['lost', 'T9']]);
    expect(rows.orphans('T1')).toEqual([]);
  });

  it('gives orphans to a turn of their id that comes later', () => {
    const rows = rowsOf(factsOf([{ ...message('early', 'x'), turn: undefined, turnId: 'T1' }, turn('T1'), message('m', 'a#1')]));
    expect(ids(rows, 'a#1')).toEqual(['early', 'm']);
    expect(rows.orphans()).toEqual([]);
  });

  it('ends a turn of an earlier segment by its id', () => {
    const rows = rowsOf(factsOf([turn('T1'), { tape: 'b', type: 'turn.ended', turnId: 'T1', status: 'completed' }]));
    expect(rows.turn('a#0')?.ends).toMatchObject([{ key: 'b#0', status: 'completed' }]);
  });
});

describe('[R-THR-4] the effective history', () => {
  it('hides the older copy of a turn that a newer segment repeats, but not one of the same file', () => {
    const rows = rowsOf(factsOf([turn('T1'), turn('T1', { replacesOlder: true }), turn('T2'), { tape: 'b', ...turn('T1', { replacesOlder: true }) }]));
    expect(rows.turns().map(({ key }) => key)).toEqual(['a#2', 'b#0']);
    expect(rows.allTurns().map(({ effective }) => effective)).toEqual([[[0, 3]], [[1, 3]], [[2, null]], [[3, null]]]);
  });

  it('closes and opens intervals, deletes nothing, and reads back as of a position', () => {
    const rows = rowsOf(factsOf([
      turn('T1'), message('m1', 'a#0'), { type: 'history.superseded', reason: 'rollback', turns: ['a#0'], context: [] }, turn('T2'),
      { type: 'history.restored', reason: 'branch', turns: ['a#0'], context: [] }, { type: 'turn.replaced', turn: 'a#3', by: 'a#0' },
    ]));
    expect(rows.turns().map(({ id }) => id)).toEqual(['T1']);
    expect(rows.turn('a#0')?.effective).toEqual([[0, 2], [4, null]]);
    expect([1, 2, 3, 4, 5].map((p) => rows.asOf(p).turns().map(({ id }) => id))).toEqual([['T1'], [], ['T2'], ['T1', 'T2'], ['T1']]);
    expect(rows.allItems('a#0')).toHaveLength(1);
  });

  it('takes parts of a turn back: an item, an input, and all that is or will be in a step', () => {
    const rows = rowsOf(factsOf([
      turn('T1'), message('m1', 'a#0'), input('i1'), { type: 'input.placed', input: 'a#2', turn: 'a#0', as: 'steers' }, message('m2', 'a#0', { step: 'a#9' }),
      { type: 'history.superseded', reason: 'retracted', turns: [], items: ['a#1'], inputs: ['a#2'], steps: ['a#9'], context: [] }, message('m3', 'a#0', { step: 'a#9' }), message('m4', 'a#0'),
    ]));
    expect(ids(rows, 'a#0')).toEqual(['m4']);
    expect(rows.asOf(4).items('a#0').map(({ id }) => id)).toEqual(['m1', 'i1', 'm2']);
  });

  it('lets the end of a turn and a notice count no longer when their range is superseded', () => {
    const rows = rowsOf(factsOf([
      turn('T1'), { type: 'turn.ended', turn: 'a#0', status: 'failed' }, { type: 'notice.posted', level: 'info', code: 'c', text: 't' },
      { type: 'history.superseded', reason: 'branch', turns: [], facts: [{ tape: 'a', from: 1, to: 3 }], context: [] },
    ]));
    expect(rows.turn('a#0')?.ends[0]?.effective).toEqual([[1, 3]]);
    expect(rows.notices()).toEqual([]);
  });
});

describe('inputs', () => {
  it('stand where they were placed, and where they were placed anew', () => {
    const rows = rowsOf(factsOf([
      input('i1'), turn('T1'), { type: 'input.placed', input: 'a#0', turn: 'a#1', as: 'opens' }, message('m1', 'a#1'), turn('T2'), { type: 'input.placed', input: 'a#0', turn: 'a#4', as: 'steers' },
    ]));
    expect([ids(rows, 'a#1'), ids(rows, 'a#4')]).toEqual([['m1'], ['i1']]);
    expect(rows.leftovers()).toEqual([]);
  });

  it('wait while deferred, are left over without a placing, and make no item as twins or when dropped', () => {
    const rows = rowsOf(factsOf([
      turn('T1'), input('held'), { type: 'input.placed', input: 'a#1', turn: 'a#0', as: 'deferred', otherwise: 'steers' }, input('never'), input('twin'), { type: 'input.placed', input: 'a#4', as: 'twin' },
      input('gone'), { type: 'input.placed', input: 'a#6', as: 'dropped' },
    ]));
    expect(rows.leftovers().map(({ id, placedAs, heldFor }) => [id, placedAs, heldFor])).toEqual([['held', 'deferred', 'a#0'], ['never', null, null]]);
    expect(ids(rows, 'a#0')).toEqual([]);
  });
});

describe('texts that grow', () => {
  it('push summaries and contents, join outputs and texts, and read back as of a position', () => {
    const start: FactSketch = { type: 'item.started', id: 'r', turn: 'a#0', body: { kind: 'reasoning', summary: ['one'], content: [] }, visibility: 'shown', isAdded: false };
    const grow = (append: object): FactSketch => ({ type: 'item.changed', id: 'r', turn: 'a#0', append });
    const rows = rowsOf(factsOf([turn('T1'), start, grow({ summary: ['two'] }), grow({ content: ['raw'], summary: ['three', 'four'] })]));
    expect(rows.items('a#0')[0]?.body).toEqual({ kind: 'reasoning', summary: ['one', 'two', 'three', 'four'], content: ['raw'] });
    expect(rows.asOf(2).items('a#0')[0]?.body).toEqual({ kind: 'reasoning', summary: ['one', 'two'], content: [] });
    expect(rows.asOf(1).items('a#0')[0]?.body).toEqual({ kind: 'reasoning', summary: ['one'], content: [] });
  });

  it('keep the reference to a whole text where it now stands', () => {
    const large = [{ at: ['append', 'summary', 0], pieces: [], sizeChars: 40_000, digest: 'd' }];
    const rows = rowsOf(factsOf([
      turn('T1'), { type: 'item.started', id: 'r', turn: 'a#0', body: { kind: 'reasoning', summary: ['one'], content: [] }, visibility: 'shown', isAdded: false },
      { type: 'item.changed', id: 'r', turn: 'a#0', append: { summary: ['two'] }, large },
    ]));
    expect(rows.items('a#0')[0]?.large).toMatchObject([{ at: ['body', 'summary', 1] }]);
  });
});

describe('the cost of one change', () => {
  const many = (turns: number): ThreadRows => rowsOf(factsOf(Array.from({ length: turns }, (_, i) => turn(`T${i}`, { replacesOlder: true }))));

  it('touches one row, at a hundred turns as at fifty thousand', () => {
    for (const turns of [100, 50_000]) {
      const rows = many(turns);
      const item = { key: 'b#0', id: 'm', turn: 'a#50', turnId: null, step: null, body: { kind: 'compaction' }, visibility: 'shown', isAdded: false, isOpen: false, large: [] } as const;
      let visited = 0;
      const watched = new Proxy(item, { get: (target, key): unknown => { visited += 1; return Reflect.get(target, key); } });
      expect(rows.apply([{ op: 'item.upsert', position: turns, item: watched, place: { kind: 'first' } }])).toHaveLength(1);
      expect(visited).toBeLessThan(20);
      expect(rows.apply([{ op: 'item.upsert', position: turns + 1, item: { ...item, key: 'b#1' }, place: { kind: 'first' } }])).toHaveLength(1);
    }
  });

  it('finds a place among n rows with log n comparisons', () => {
    for (const [length, most] of [[100, 8], [50_000, 17]] as const) {
      let compared = 0;
      const list = Array.from({ length }, (_, i) => i * 2);
      insertionIndex(list, [41], (n) => { compared += 1; return [n]; });
      expect(compared).toBeLessThanOrEqual(most);
    }
  });
});
