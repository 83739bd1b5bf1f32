import { type Fact, factKey } from '@tapefold/facts';
import { threadFacts } from '@tapefold/testing';
import type { TranscriptResponse } from '@tapefold/transcript';
import { OutlineFilter, TranscriptFold, type TranscriptView, settleTranscript, transcriptAnswer } from '@tapefold/transcript/fold';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { FactOutline, PlacedFact } from '../thread-source.js';
import { OutlinedTranscript } from './outlined-transcript.js';

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value)) as unknown;
const answered = (view: TranscriptView, page: { pageSize: number; beforeTurn?: string | undefined }): TranscriptResponse =>
  transcriptAnswer({ agentId: 'main', snapshot: settleTranscript(view), hasModes: view.hasModes }, { page, agents: [] });

/** The outline of facts, as an index keeps it, over the facts themselves. */
function outlineOf(facts: readonly Fact[]): FactOutline {
  const filter = new OutlineFilter();
  const placed: PlacedFact[] = facts.map((fact, position) => ({ position, fact }));
  const outlined = placed.filter(({ fact }) => filter.take(fact, factKey(fact.tape, fact.ordinal)));
  return { stamp: 'one', facts: outlined, end: facts.length, async *in(ranges) { for (const { from, to } of ranges) yield* placed.slice(from, to); } };
}

/** Turns of plain talk before and behind other facts: what most of a long thread is. */
function withTalk(facts: readonly Fact[], turns: number): Fact[] {
  const tape = 'talk';
  const line = { offset: 0, length: 0 };
  const talk = Array.from({ length: turns }, (_, i): Fact[] => {
    const at = i * 4;
    const turn = factKey(tape, at);
    return [
      { type: 'turn.started', tape, ordinal: at, line, id: `talk-${i}`, isImplicit: false, replacesOlder: i % 2 === 0 },
      { type: 'input.received', tape, ordinal: at + 1, line, id: `said-${i}`, content: [{ kind: 'text', text: `word ${i}` }], visibility: 'shown', isAdded: false },
      { type: 'input.placed', tape, ordinal: at + 2, line, turn, input: factKey(tape, at + 1), as: 'opens' },
      { type: 'turn.ended', tape, ordinal: at + 3, line, turn, status: i % 3 === 0 ? 'interrupted' : 'completed' },
    ];
  });
  return [...talk.slice(0, turns >> 1).flat(), ...facts, ...talk.slice(turns >> 1).flat()];
}

/** Some of the talk taken back, and some of its words said before their turn began. */
function disturbed(facts: readonly Fact[], turns: number): Fact[] {
  const early = facts.map((fact, i) => {
    const next = facts[i + 1];
    const isOf = (started: Fact | undefined): boolean => started?.type === 'turn.started' && started.tape === 'talk' && (started.ordinal / 4) % 3 === 1;
    return isOf(fact) && next ? next : isOf(facts[i - 1]) && fact.type === 'input.received' ? facts[i - 1] as Fact : fact;
  });
  const revoked = Array.from({ length: turns }, (_, i) => i).filter((i) => i % 4 === 1).map((i) => factKey('talk', i * 4));
  return [...early, { type: 'history.superseded', tape: 'talk', ordinal: turns * 4, line: { offset: 0, length: 0 }, reason: 'rollback', turns: revoked, context: [] }];
}

describe('[R-STO-3] a page of a transcript from an outline', () => {
  it('is that of the fold of all facts, whatever turns stand before and behind it', async () => {
    await fc.assert(fc.asyncProperty(threadFacts, fc.integer({ min: 0, max: 6 }), fc.integer({ min: 1, max: 3 }), async (some, turns, pageSize) => {
      const facts = disturbed(withTalk(some, turns), turns);
      const fold = new TranscriptFold({ sessionId: 's' });
      for (const fact of facts) fold.load(fact);
      const outlined = new OutlinedTranscript(outlineOf(facts), { newFold: (part) => new TranscriptFold({ sessionId: 's', part }), whole: (fact) => fact });
      for (let beforeTurn: string | undefined, left = 6; left > 0; left--) {
        const page = { pageSize, beforeTurn };
        const expected = answered(fold.view(), page);
        expect(plain(answered(await outlined.page(page), page))).toEqual(plain(expected));
        const first = expected.items.find((item) => item.kind === 'turn');
        if (!expected.has_more || first?.kind !== 'turn') break;
        beforeTurn = first.turnId;
      }
    }));
  });

  it('names an item by its call, also where both stand in the stretch of another turn', async () => {
    const tape = 'tape';
    const line = { offset: 0, length: 0 };
    const item = { tape, line, call: 'c', turnId: 'talk-0' };
    const facts: Fact[] = [
      ...withTalk([], 2),
      { type: 'context.appended', tape, ordinal: 0, line, turn: factKey('talk', 4), call: 'c', item: { kind: 'call', callId: 'c', name: 'exec_command', input: '{}', form: 'json' } },
      { ...item, type: 'item.started', ordinal: 1, id: 'c', visibility: 'shown', isAdded: true, body: { kind: 'command', command: 'ls', source: 'agent', status: 'running', actions: [] } },
    ];
    const fold = new TranscriptFold({ sessionId: 's' });
    for (const fact of facts) fold.load(fact);
    const page = { pageSize: 1, beforeTurn: 't1' };
    const expected = answered(fold.view(), page);
    expect(JSON.stringify(expected.items)).toContain('exec_command');
    const outlined = new OutlinedTranscript(outlineOf(facts), { newFold: (part) => new TranscriptFold({ sessionId: 's', part }), whole: (fact) => fact });
    expect(plain(answered(await outlined.page(page), page))).toEqual(plain(expected));
  });

  it('leaves words alone that stand in its stretch and opened a turn that was taken back', async () => {
    const [tape, line] = ['tape', { offset: 0, length: 0 }];
    const of = (ordinal: number): { tape: string; ordinal: number; line: typeof line } => ({ tape, ordinal, line });
    const started = (ordinal: number): Fact => ({ ...of(ordinal), type: 'turn.started', id: `turn-${ordinal}`, isImplicit: false, replacesOlder: false });
    const facts: Fact[] = [
      started(0), { ...of(1), type: 'input.received', id: 'early', visibility: 'shown', isAdded: false, content: [{ kind: 'text', text: 'early' }] },
      started(2), { ...of(3), type: 'input.placed', turn: factKey(tape, 2), input: factKey(tape, 1), as: 'opens' },
      { ...of(4), type: 'history.superseded', reason: 'rollback', turns: [factKey(tape, 2)], context: [] }, started(5),
    ];
    const fold = new TranscriptFold({ sessionId: 's' });
    for (const fact of facts) fold.load(fact);
    const page = { pageSize: 2 };
    const expected = answered(fold.view(), page);
    expect(expected.items.map((item) => item.kind === 'turn' && item.turnId)).toEqual(['t0', 't1']);
    const outlined = new OutlinedTranscript(outlineOf(facts), { newFold: (part) => new TranscriptFold({ sessionId: 's', part }), whole: (fact) => fact });
    expect(plain(answered(await outlined.page(page), page))).toEqual(plain(expected));
  });

  it('folds no more facts for there being more turns, once the outline was folded', async () => {
    const counts = [];
    for (const turns of [40, 400]) {
      let loaded = 0;
      class CountingFold extends TranscriptFold {
        override load(fact: Fact): void {
          loaded += 1;
          super.load(fact);
        }
      }
      const outlined = new OutlinedTranscript(outlineOf(withTalk([], turns)), { newFold: (part) => new CountingFold({ sessionId: 's', part }), whole: (fact) => fact });
      await outlined.page({ pageSize: 5 });
      loaded = 0;
      await outlined.page({ pageSize: 5, beforeTurn: 't30' });
      counts.push(loaded);
    }
    expect(counts[0]).toBe(counts[1]);
    expect(counts[0]).toBeLessThan(40);
  });
});
