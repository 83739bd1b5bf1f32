import { countWalked } from '@tapefold/testing';
import { describe, expect, it } from 'vitest';
import { TranscriptFold, UNKNOWN_OUTCOME, settleTranscript } from './index.js';
import { Tape, foldOf, sketchOf } from './facts.suite.js';

describe('turns, steps and frames', () => {
  it('[R-THR-1] one step for each response: where records begin them, and where only what was said tells', () => {
    const told = new Tape();
    const turn = told.asked('T1', 'hi');
    const step = told.step(turn);
    told.answered(turn, 'one', step);
    told.say({ type: 'step.ended', step, status: 'completed', finishReason: 'stop' });
    told.answered(turn, 'two');
    expect(sketchOf(foldOf(told).fold.snapshot().items)).toEqual(['t0 running hi completed[t0.1.f1=one] running[t0.2.f1=two]']);

    const untold = new Tape();
    const other = untold.asked('T1', 'hi');
    untold.answered(other, 'one');
    untold.called(other, 'c1');
    untold.say({ type: 'usage.recorded', turn: other, usage: { inputTokens: 10, cachedInputTokens: 4, outputTokens: 2 } });
    untold.finished(other, 'c1');
    untold.say({ type: 'context.appended', turn: other, call: 'c1', item: { kind: 'result', callId: 'c1', output: [] } });
    untold.answered(other, 'two');
    untold.say({ type: 'usage.recorded', turn: other, usage: { inputTokens: 20, outputTokens: 3 } });
    untold.ended(other);
    const [only] = foldOf(untold).fold.snapshot().items;
    expect(sketchOf([only!])).toEqual(['t0 completed hi completed[t0.1.f1=one t0.1.c1=done] completed[t0.2.f1=two]']);
    expect(only).toMatchObject({ usage: { inputTokens: 26, cachedTokens: 4, outputTokens: 5 }, steps: [{ usage: { inputOther: 6, output: 2, inputCacheRead: 4, inputCacheCreation: 0 } }, { usage: { inputOther: 20 } }] });
  });

  it('[R-THR-2] a late record changes its frame in its own turn, and nothing else', () => {
    const tape = new Tape();
    const first = tape.asked('T1', 'a');
    tape.called(first, 'c1');
    tape.ended(first, 'interrupted');
    tape.asked('T2', 'b');
    tape.finished(first, 'c1', 'failed');
    const { fold, last } = foldOf(tape);
    expect(last.map((op) => (op.op === 'frame.upsert' ? op.frame.frameId : op.op))).toEqual(['t0.1.c1']);
    expect(sketchOf(fold.snapshot().items)).toEqual(['t0 cancelled a interrupted[t0.1.c1=error]', 't1 running b']);
  });

  it('[R-THR-1] words that came meanwhile stand first in the response that follows', () => {
    const tape = new Tape();
    const turn = tape.asked('T1', 'a');
    tape.called(turn, 'c1');
    tape.say({ type: 'context.appended', turn, call: 'c1', item: { kind: 'result', callId: 'c1', output: [] } });
    tape.said(turn, 'also b', { as: 'steers' });
    const step = tape.step(turn);
    tape.answered(turn, 'both', step);
    expect(sketchOf(foldOf(tape).fold.snapshot().items)).toEqual(['t0 running a completed[t0.1.c1=running] running[t0.2.f1=also b t0.2.f2=both]']);
  });

  it('[R-OPS-2] a text that grows is told by appends at absolute offsets', () => {
    const tape = new Tape();
    const turn = tape.asked('T1', 'a');
    tape.say({ type: 'item.started', turn, id: 'm1', body: { kind: 'agentMessage', text: 'He' }, visibility: 'shown', isAdded: false });
    tape.say({ type: 'item.changed', turn, id: 'm1', append: { text: 'llo' } });
    expect(foldOf(tape).last).toEqual([{ op: 'append', target: { type: 'frame', turnId: 't0', stepId: 't0.1', frameId: 't0.1.f1' }, offset: 2, text: 'llo' }]);
  });

  it('[R-DIA-7] says how a call ended that did not plainly fail', () => {
    const tape = new Tape();
    const turn = tape.asked('T1', 'a');
    tape.called(turn, 'c1');
    tape.say({ type: 'item.completed', turn, call: 'c1', id: 'c1', body: { kind: 'command', command: 'ls', source: 'agent', status: 'declined', actions: [] }, visibility: 'shown', isAdded: false });
    expect(foldOf(tape).fold.snapshot().items).toMatchObject([{ steps: [{ frames: [{ state: 'error', outcome: 'declined', error: 'The call was declined.' }] }] }]);
  });
});

describe('history', () => {
  function threeTurns(): { tape: Tape; turns: string[] } {
    const tape = new Tape();
    const turns = ['a', 'b', 'c'].map((text) => {
      const turn = tape.asked(text, text);
      tape.answered(turn, text.toUpperCase());
      tape.ended(turn);
      return turn;
    });
    return { tape, turns };
  }

  it('[R-THR-4] removes the end, and the next turn takes its number', () => {
    const { tape, turns } = threeTurns();
    tape.undone([turns[2]!]);
    expect(foldOf(tape).last).toEqual([{ op: 'items.remove', ids: ['t2'] }]);
    tape.asked('d', 'd');
    expect(sketchOf(foldOf(tape).fold.snapshot().items).map((line) => line.slice(0, 5))).toEqual(['t0 co', 't1 co', 't2 ru']);
  });

  it('[R-THR-4] numbers what is left anew, and a branch comes back whole', () => {
    const { tape, turns } = threeTurns();
    const whole = foldOf(tape).fold.snapshot();
    tape.undone([turns[0]!]);
    const { fold, last } = foldOf(tape);
    expect(last.map(({ op }) => op)).toEqual(['items.remove', ...[1, 2].flatMap(() => ['turn.upsert', 'step.upsert', 'frame.upsert'])]);
    expect(sketchOf(fold.snapshot().items)).toEqual(['t0 completed b completed[t0.1.f1=B]', 't1 completed c completed[t1.1.f1=C]']);
    tape.undone([turns[0]!], 'history.restored');
    expect(foldOf(tape).fold.snapshot()).toEqual(whole);
  });

  it('[R-THR-4] what is undone waits for nobody: its words are no leftovers, and goals go by their facts', () => {
    const { tape, turns } = threeTurns();
    const from = tape.facts.length;
    tape.say({ type: 'goal.set', objective: 'ship' });
    tape.say({ type: 'history.superseded', reason: 'undo', turns: [turns[2]!], context: [], facts: [{ tape: 'a', from, to: from + 1 }] });
    const settled = settleTranscript(foldOf(tape).fold.view());
    expect(sketchOf(settled.items).length).toBe(2);
    expect(settled.meta).toEqual({ activity: 'idle' });
  });

  it('[R-OPS-8] markers of messages are numbered first, wherever they stand, and each stays at its time', () => {
    const tape = new Tape();
    tape.marked('goal');
    tape.asked('T1', 'a');
    tape.marked('interruption');
    tape.say({ type: 'task.started', task: { taskId: 'k', kind: 'shell' } });
    tape.asked('T2', 'b');
    tape.marked('skill');
    const { fold, last } = foldOf(tape);
    expect(sketchOf(fold.snapshot().items)).toEqual(['m2 goal', 't0 running a', 'm3 interruption', 'ref-k', 't1 running b', 'm1 skill']);
    expect(last.map((op) => ('beforeTurn' in op ? `${op.op} ${op.beforeTurn}` : op.op))).toEqual(['items.remove', 'marker.upsert 0', 'marker.upsert 1', 'taskref.upsert 1', 'marker.upsert']);
  });

  it('[R-OPS-3] a fact costs what it changes, however long the history is', () => {
    const cost = (turns: number): number => {
      const tape = new Tape();
      for (let i = 0; i < turns; i += 1) {
        const turn = tape.asked(`T${i}`, 'q');
        tape.called(turn, 'c');
        tape.finished(turn, 'c');
        tape.ended(turn);
      }
      const turn = tape.asked('last', 'q');
      tape.called(turn, 'c');
      const before = foldOf(tape);
      tape.finished(turn, 'c');
      const fact = tape.facts.at(-1)!;
      return countWalked(() => void before.fold.fold(fact));
    };
    expect(cost(400)).toBeLessThanOrEqual(cost(4) + 8);

    const inOneTurn = (steps: number): number => {
      const tape = new Tape();
      const turn = tape.asked('T1', 'q');
      for (let i = 0; i < steps; i += 1) {
        tape.answered(turn, `a${i}`);
        tape.say({ type: 'usage.recorded', turn, usage: { inputTokens: 1 } });
      }
      const before = foldOf(tape);
      tape.answered(turn, 'a');
      tape.say({ type: 'usage.recorded', turn, usage: { inputTokens: 1 } });
      const [said, counted] = tape.facts.slice(-2);
      return countWalked(() => { before.fold.fold(said!); before.fold.fold(counted!); });
    };
    expect(inOneTurn(400)).toBeLessThanOrEqual(inOneTurn(4) + 8);
  });
});

describe('the settled view', () => {
  it('[R-DIA-7] ends what nothing ends: the call is unknown, the turn cancelled, its step interrupted, the question cancelled, the task lost', () => {
    const tape = new Tape();
    const turn = tape.asked('T1', 'a');
    tape.called(turn, 'c1');
    tape.say({ type: 'interaction.requested', turn, call: 'c1', id: 'q', kind: 'approval', request: null });
    tape.say({ type: 'task.started', task: { taskId: 'k', kind: 'shell' } });
    const view = foldOf(tape).fold.view();
    const settled = settleTranscript(view);
    expect(settled.items[0]).toMatchObject({ state: 'cancelled', steps: [{ state: 'interrupted', frames: [{ state: 'error', outcome: 'unknown', error: UNKNOWN_OUTCOME }] }] });
    expect([settled.interactions[0]?.state, settled.tasks[0]?.state, settled.meta.activity]).toEqual(['cancelled', 'lost', 'idle']);
    expect(settleTranscript(view, { running: {} }).items[0]).toEqual(view.snapshot.items[0]);
    expect(settleTranscript(view, { running: {} })).toMatchObject({ interactions: [{ state: 'pending' }], tasks: [{ state: 'running' }], meta: { activity: 'turn' } });
    expect(settleTranscript(view, { running: { taskIds: [] } }).tasks[0]?.state).toBe('lost');
  });

  it('[R-DIA-7] a question of a call that no record has yet is open while its own turn runs', () => {
    const tape = new Tape();
    const first = tape.asked('T1', 'a');
    tape.say({ type: 'interaction.requested', turn: first, call: 'c1', id: 'q1', kind: 'approval', request: null });
    const stateOf = (tape: Tape) => settleTranscript(foldOf(tape).fold.view(), { running: {} }).interactions.map(({ state }) => state);
    expect(stateOf(tape)).toEqual(['pending']);
    expect(settleTranscript(foldOf(tape).fold.view()).interactions[0]?.state).toBe('cancelled');
    const second = tape.asked('T2', 'b');
    tape.say({ type: 'interaction.requested', turn: second, call: 'c2', id: 'q2', kind: 'approval', request: null });
    expect(stateOf(tape)).toEqual(['cancelled', 'pending']);
    tape.say({ type: 'interaction.resolved', turn: second, call: 'c2', id: 'q2', outcome: 'approved' });
    expect(stateOf(tape)).toEqual(['cancelled', 'approved']);
  });

  it('[R-DIA-7] a turn counts as what its records say, and at most the newest open one runs', () => {
    const tape = new Tape();
    tape.turn('T1', { settlesAs: 'completed' });
    tape.turn('T2');
    const view = foldOf(tape).fold.view();
    expect(sketchOf(settleTranscript(view, { running: {} }).items)).toEqual(['t0 completed -', 't1 running -']);
    expect(sketchOf(settleTranscript(view, { running: { turnId: 't0' } }).items)).toEqual(['t0 completed -', 't1 cancelled -']);
  });

  it('[R-DIA-7] places words that nothing took up: in their turn, or in one of their own', () => {
    const tape = new Tape();
    const turn = tape.asked('T1', 'a');
    tape.answered(turn, 'A');
    tape.said(turn, 'late', { as: 'deferred', otherwise: 'steers' });
    tape.ended(turn);
    tape.said(undefined, 'never', { as: 'deferred', otherwise: 'opens' });
    expect(sketchOf(settleTranscript(foldOf(tape).fold.view()).items)).toEqual(['t0 completed a completed[t0.1.f1=A t0.1.f2=late]', 't1 cancelled never']);
  });

  it('of a fold without facts is empty', () => {
    expect(new TranscriptFold().snapshot()).toEqual({ items: [], tasks: [], interactions: [], attachments: [], todos: [], prompts: [], meta: {} });
  });
});
