import { describe, expect, it } from 'vitest';
import { contextBaseline } from './baseline.js';
import { vectorOf } from './container/vector.js';
import { foldContext } from './fold-context.js';
import { contextAsOf, historyOf, historyVersion, isStale, takeSnapshot } from './history.js';
import { replaceMedia } from './media.js';
import { type ContextState, emptyContext, emptyContextOf } from './state.js';
import { appended, call, compacted, factsOf, historyAfter, kept, restored, result, said, summary, superseded, texts } from './sketch.suite.js';
import { readOnlyView } from './views.js';

const q = (n: number) => appended(said('user', `q${n}`));
const a = (n: number) => appended(said('assistant', `a${n}`));
const after = (...drafts: Parameters<typeof historyAfter>[0]): string[] => texts(historyOf(historyAfter(drafts)));

describe('[R-CTX-2] compaction and rollback', () => {
  it('a compaction replaces the history, and what comes later follows it', () => {
    expect(after(q(1), a(1), compacted([summary('S')]), q(2))).toEqual(['S', 'q2']);
  });
  it('a rollback after a compaction cuts what came since', () => {
    expect(after(q(1), a(1), compacted([summary('S')]), q(2), a(2), superseded(3, 5), q(3))).toEqual(['S', 'q3']);
  });
  it('a rollback across a compaction undoes it: what it had replaced is back', () => {
    expect(after(q(1), a(1), q(2), compacted([summary('S')]), q(3), superseded(2, 5), q(4))).toEqual(['q1', 'a1', 'q4']);
  });
  it('a compaction after a rollback sums up what is left', () => {
    expect(after(q(1), a(1), q(2), superseded(2, 3), q(3), compacted([kept(0, 5), summary('S')]), a(3))).toEqual(['q1', 'a1', 'q3', 'S', 'a3']);
  });
  it('a superseded compaction that comes back takes its entries away again', () => {
    expect(after(q(1), compacted([summary('S')]), superseded(1, 2), q(2), restored(1, 2))).toEqual(['S', 'q2']);
  });
  it('of two compactions the newer counts, and the older one when the newer never happened', () => {
    const two = [q(1), compacted([summary('S1')]), q(2), compacted([summary('S2'), kept(1, 3)])];
    expect(after(...two)).toEqual(['S2', 'S1', 'q2']);
    expect(after(...two, superseded(3, 4))).toEqual(['S1', 'q2']);
  });
  it('a kept entry that is rolled back later is gone', () => {
    expect(after(q(1), a(1), compacted([summary('S'), kept(0, 2)]), superseded(1, 2))).toEqual(['S', 'q1']);
  });
  it('a clearing leaves nothing, and is undone like a compaction', () => {
    expect(after(q(1), { type: 'context.cleared' }, q(2))).toEqual(['q2']);
    expect(after(q(1), { type: 'context.cleared' }, superseded(1, 2))).toEqual(['q1']);
  });
  it('a list that was left in the file stands as items still to be read', () => {
    const state = historyAfter([q(1), { type: 'context.compacted', summary: 's', replacementAt: { record: 0, path: ['payload', 'list'], count: 2 } }]);
    expect(historyOf(state).map(({ key, item }) => [key, item.kind, item.native])).toEqual([0, 1].map((i) => [
      `a#1.${i}`, 'other', { dialect: 'a', span: { tape: 'a', line: { offset: 10, length: 9 }, record: 0, path: ['payload', 'list', i] } },
    ]));
  });
});

describe('[R-CTX-1] order, versions, snapshots', () => {
  it('puts an entry right behind the one that it names, the newest nearest', () => {
    expect(after(appended(call('c1')), appended(call('c2')), q(1), appended(result('c1', 'r1'), 1), appended(result('c2', 'r2'), 3), appended(result('x', 'r3'), 1))).toEqual(['c1', 'c2', 'r3', 'r1', 'r2', 'q1']);
  });
  it('puts an entry whose anchor was summarised behind the summary', () => {
    expect(after(appended(call('c1')), compacted([summary('S')]), q(1), appended(result('c1', 'late'), 0))).toEqual(['S', 'q1', 'late']);
    expect(after(appended(call('c1')), compacted([summary('S'), kept(0, 1)]), q(1), appended(result('c1', 'late'), 0))).toEqual(['S', 'c1', 'late', 'q1']);
  });
  it('rises on every rewriting, and not on growth', () => {
    const drafts = [q(1), a(1), q(2), superseded(2, 3), restored(2, 3), superseded(90, 99), compacted([summary('S')]), q(3), { type: 'context.cleared' } as const, q(4), appended(said('user', 'x'), 7)];
    const versions: number[] = [];
    factsOf(drafts).reduce<ContextState>((state, fact, position) => {
      const next = foldContext(state, fact, position);
      versions.push(historyVersion(next));
      return next;
    }, emptyContext);
    expect(versions).toEqual([0, 0, 0, 1, 2, 2, 3, 3, 4, 4, 5]);
  });
  it('a holder can ask whether what it holds is stale', () => {
    const snapshot = takeSnapshot(historyAfter([q(1)]));
    const grown = foldContext(snapshot.state, factsOf([q(1), a(1)])[1] ?? (() => { throw new Error('no fact'); })(), 1);
    expect(isStale(snapshot, grown)).toBe(false);
    expect(isStale(snapshot, historyAfter([q(1), a(1), superseded(1, 2)]))).toBe(true);
    expect(texts(historyOf(snapshot.state))).toEqual(['q1']);
  });
  it.each([10, 100_000])('a snapshot of %i entries copies nothing', (size) => {
    const facts = factsOf([q(1)]);
    const [fact] = facts;
    if (!fact) throw new Error('no fact');
    const state = Array.from({ length: size }, (_, i) => i).reduce<ContextState>((before, i) => foldContext(before, { ...fact, ordinal: i }, i), emptyContext);
    const { state: held } = takeSnapshot(state);
    expect(held).toBe(state);
    expect(held.slots).toBe(state.slots);
    const next = foldContext(state, { ...fact, ordinal: size }, size);
    expect(next.slots.root).toBe(size % 32 === 0 && size > 0 ? next.slots.root : state.slots.root);
    expect(next.resets).toBe(state.resets);
  });
  it('keeps the histories of agents in one tape apart', () => {
    const facts = factsOf([q(1), q(2), q(3)]).map((fact, i) => (i === 1 ? { ...fact, agent: 'side' } : fact));
    const of = (start: ContextState): string[] => texts(historyOf(facts.reduce((state, fact, position) => foldContext(state, fact, position), start)));
    expect(of(emptyContext)).toEqual(['q1', 'q3']);
    expect(of(emptyContextOf('side'))).toEqual(['q2']);
  });
  it('goes over several tapes in order, each with ordinals of its own', () => {
    const [one, two] = factsOf([q(1), q(2)]);
    if (!one || !two) throw new Error('no facts');
    const facts = [one, { ...two, tape: 'b', ordinal: 0 }, { ...two, type: 'history.superseded' as const, reason: 'rollback' as const, turns: [], context: [{ tape: 'b', from: 0, to: 9 }], tape: 'b', ordinal: 1 }];
    const states = facts.map((_, i) => facts.slice(0, i + 1).reduce<ContextState>((state, fact, position) => foldContext(state, fact, position), emptyContext));
    expect(states.map((state) => texts(historyOf(state)))).toEqual([['q1'], ['q1', 'q2'], ['q1']]);
    expect(contextAsOf(states[2] ?? emptyContext, 1)).toEqual(states[1]);
  });
});

describe('[R-CTX-1] media that a provider refused', () => {
  const picture = (): ContextState => historyAfter([appended({ kind: 'media', content: [{ kind: 'text', text: 'see ' }, { kind: 'image', source: { url: 'data:x' } }] }), q(1)]);
  it('are replaced by a text; the version rises, and as of before they are there', () => {
    const state = replaceMedia(picture(), { entry: 'a#0', text: '[no picture]' }, 1);
    expect(texts(historyOf(state))).toEqual(['see [no picture]', 'q1']);
    expect(historyVersion(state)).toBe(1);
    expect(texts(historyOf(contextAsOf(state, 0)))).toEqual(['see image']);
  });
  it('where there is none, nothing changes', () => {
    const state = picture();
    expect(replaceMedia(state, { entry: 'a#1', text: '' }, 1)).toBe(state);
    expect(replaceMedia(state, { entry: 'ghost#9', text: '' }, 1)).toBe(state);
  });
});

describe('[R-CTX-3] views', () => {
  it('the read-only view leaves control items out, the history has them', () => {
    const entries = historyOf(historyAfter([appended(said('developer', 'rules', 'injected')), q(1), appended(said('user', '<turn_aborted>', 'control')), appended(call('c'))]));
    expect(texts(readOnlyView(entries))).toEqual(['q1', 'c']);
    expect(entries).toHaveLength(4);
  });
});

describe('[R-CTX-5] the baseline of the injected context', () => {
  const configured = (model: string) => ({ type: 'context.configured' as const, model });
  const modelAfter = (...drafts: Parameters<typeof historyAfter>[0]): string | undefined => contextBaseline(historyAfter(drafts))?.settings.model;
  it('is what was configured last', () => {
    expect(contextBaseline(emptyContext)).toBeNull();
    expect(modelAfter(configured('m1'), q(1), configured('m2'))).toBe('m2');
  });
  it('goes with a rollback, and comes back to the one before', () => {
    expect(modelAfter(configured('m1'), q(1), configured('m2'), superseded(2, 3))).toBe('m1');
  });
  it('is gone after a compaction, unless that put the context back in', () => {
    expect(modelAfter(configured('m1'), q(1), compacted([summary('S')]))).toBeUndefined();
    expect(modelAfter(configured('m1'), q(1), compacted([said('developer', 'rules', 'injected'), summary('S')]))).toBe('m1');
    expect(modelAfter(configured('m1'), q(1), compacted([summary('S')]), superseded(2, 3))).toBe('m1');
  });
});

it('is plain data: an empty state equals its copy', () => {
  expect(JSON.parse(JSON.stringify(emptyContext))).toEqual(emptyContext);
  expect(vectorOf([])).toEqual(emptyContext.slots);
});
