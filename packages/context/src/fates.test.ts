import type { FactDraft } from '@tapefold/facts';
import { describe, expect, it } from 'vitest';
import { fatesOf } from './fates.js';
import { type FateState, emptyFates, foldFates } from './fold-fates.js';
import { plainProfile } from './normalise/profile.js';
import { codexThreads, folded, requestPoints, scenarios } from './recorded.suite.js';
import { codexProfile } from './profiles/codex.js';
import { appended, call, compacted, factsOf, kept, result, said, summary, superseded } from './sketch.suite.js';

const options = { profile: plainProfile('responses'), reader: { value: () => undefined } };
const stateOf = (drafts: readonly FactDraft[]): FateState => factsOf(drafts).reduce((state, fact, position) => foldFates(state, fact, position), emptyFates);
const fates = (drafts: readonly FactDraft[]) => fatesOf(stateOf(drafts), options).map(({ key, fate, reason, by }) => [key, fate, reason, by]);

describe('[R-CTX-7] the fate of every item of the full history', () => {
  it('sent, summarised away, rolled back, hidden: each with the fact that did it', () => {
    expect(fates([
      appended(said('user', 'q1')), appended(said('assistant', 'a1')), appended(said('user', 'q2')), superseded(2, 3), appended(result('x', 'orphan')), compacted([kept(0, 1), kept(4, 5), summary('S')]), appended(call('c')),
    ])).toEqual([
      ['a#0', 'sent', 'present', undefined], ['a#1', 'summarised', 'compaction', 'a#5'], ['a#2', 'rolledBack', 'rollback', 'a#3'], ['a#4', 'hidden', 'orphanResult', undefined],
      ['a#5.2', 'sent', 'present', undefined], ['a#6', 'sent', 'present', undefined],
    ]);
  });
  it('what a compaction that never happened had put in is rolled back with it, and what it had replaced is sent', () => {
    expect(fates([appended(said('user', 'q1')), compacted([summary('S')]), superseded(1, 2)])).toEqual([['a#0', 'sent', 'present', undefined], ['a#1.0', 'rolledBack', 'rollback', 'a#2']]);
  });
  it('an older summary is summarised by the newer one', () => {
    expect(fates([compacted([summary('S1')]), compacted([summary('S2')])])).toEqual([['a#0.0', 'summarised', 'compaction', 'a#1'], ['a#1.0', 'sent', 'present', undefined]]);
  });
  it('what a compaction wrote down once more goes on, of equal words the newest', () => {
    const state = stateOf([appended(said('user', 'go on')), appended(said('user', 'go on')), appended(said('user', 'x')), compacted([said('user', 'go on'), summary('S')]), compacted([said('user', 'go on')])]);
    expect(fatesOf(state, options).map(({ key, fate, by, carriedAs }) => [key, fate, by, carriedAs])).toEqual([
      ['a#0', 'summarised', 'a#3', undefined], ['a#1', 'sent', undefined, 'a#4.0'], ['a#2', 'summarised', 'a#3', undefined], ['a#3.1', 'summarised', 'a#4', undefined],
    ]);
  });
  it('what was cleared is hidden', () => {
    expect(fates([appended(said('user', 'q1')), { type: 'context.cleared' }])).toEqual([['a#0', 'hidden', 'clearing', 'a#1']]);
  });
  it('a shown item that no entry of the history says is never sent; links go both ways', () => {
    const shown = (id: string, context?: string): FactDraft => ({ type: 'item.completed', id, body: { kind: 'agentMessage', text: id }, visibility: 'shown', isAdded: false, ...(context === undefined ? {} : { context }) });
    const state = stateOf([shown('m1'), { ...appended(said('assistant', 'm1')), shows: 'a#0' } as FactDraft, appended(said('assistant', 'm2')), shown('m2', 'a#2'), shown('m3')]);
    expect(fatesOf(state, options).map(({ key, fate, shown: seen }) => [key, fate, seen?.text])).toEqual([['a#1', 'sent', 'm1'], ['a#2', 'sent', 'm2'], ['a#4', 'neverSent', 'm3']]);
  });
  it('is that of the facts up to a point, as of that point', () => {
    const drafts = [appended(said('user', 'q1')), compacted([summary('S')]), superseded(1, 2)];
    expect([1, 2, 3].map((end) => fates(drafts.slice(0, end))[0]?.[1])).toEqual(['sent', 'summarised', 'sent']);
  });
});

describe('[R-CTX-7] of recorded homes', () => {
  it.each(['0.171/compact', '0.171/rollback', '0.98.0/interactive', '0.171/sigkill-resume'])('%s: what is sent is the request, at every request', async (name) => {
    const found = scenarios('codex/recorded', 'last-request-input.json').find((scenario) => scenario.name === name);
    for (const thread of await codexThreads(`${found?.path ?? ''}/home`)) {
      for (const point of requestPoints(thread.facts)) {
        const facts = thread.facts.slice(0, point);
        const state = facts.reduce((before, fact, position) => foldFates(before, fact, position), emptyFates);
        expect(state.context).toEqual(folded(facts));
        const counts = fatesOf(state, { profile: codexProfile('responses', thread.version), reader: thread.reader });
        expect(counts.filter(({ fate, item }) => item === undefined && fate !== 'neverSent')).toEqual([]);
      }
    }
  });
});
