import { describe, expect, it } from 'vitest';
import { type FactSketch, factsOf } from '../fold/sketch.suite.js';
import { foldThread } from '../fold/fold-thread.js';
import { type ThreadHead, emptyThreadHead } from '../fold/thread-head.js';
import type { ThreadItem } from '../objects/thread-item.js';
import type { Turn } from '../objects/turn.js';
import { ThreadRows } from '../rows/thread-rows.js';
import { type SettleOptions, settleThread, unsettledThread } from './settle-thread.js';

function threadOf(sketches: readonly FactSketch[]): { head: ThreadHead; rows: ThreadRows } {
  const rows = new ThreadRows();
  const head = factsOf(sketches).reduce((before, fact, i) => {
    const folded = foldThread(before, fact, i);
    rows.apply(folded.changes);
    return folded.head;
  }, emptyThreadHead);
  return { head, rows };
}
const settled = (sketches: readonly FactSketch[], options?: SettleOptions): Turn[] => { const { head, rows } = threadOf(sketches); return settleThread(head, rows, options); };

const opened = (more: object = {}): FactSketch => ({ type: 'thread.opened', threadId: 'x', sessionId: 'x', program: 'codex', origin: { kind: 'cli' }, historyMode: 'legacy', details: { cwd: '/home' }, ...more });
const turn = (id: string, more: object = {}): FactSketch => ({ type: 'turn.started', id, isImplicit: false, replacesOlder: false, ...more });
const ended = (of: string, more: object = {}): FactSketch => ({ type: 'turn.ended', turn: of, status: 'completed', ...more });
const said = (id: string, of: string, more: object = {}): FactSketch => ({ type: 'item.completed', id, turn: of, body: { kind: 'agentMessage', text: id, ...more }, visibility: 'shown', isAdded: false });
const ran = (id: string, of: string, more: object = {}): FactSketch => ({
  type: 'item.started', id, turn: of, body: { kind: 'command', command: ['ls'], source: 'agent', status: 'running', actions: [] }, visibility: 'shown', isAdded: true, ...more,
});
const asked = (id: string, more: object = {}): FactSketch => ({ type: 'input.received', id, content: [{ kind: 'text', text: id }], visibility: 'shown', isAdded: false, ...more });
const placed = (input: string, of: string | undefined, more: object = {}): FactSketch => ({ type: 'input.placed', input, turn: of, as: 'opens', ...more });

const brief = (turns: readonly Turn[]): unknown[] => turns.map(({ id, status, items }) => [id, status, items.map((item: ThreadItem) => item.id)]);
const userMessage = { type: 'userMessage', id: 'item-1', clientId: null, content: [{ type: 'text', text: 'item-1', text_elements: [] }], startedAtMs: null, completedAtMs: null };

describe('[R-THR-1] a turn as the original serves it', () => {
  it('has every key, with the times and the error of its end', () => {
    const facts = [
      turn('T1', { rootTurnId: 'R', startedAt: 1756721001 }), asked('item-1'), placed('a#1', 'a#0'),
      ended('a#0', { status: 'failed', completedAt: 1756721101, durationMs: 1234, error: { message: 'boom', code: { http_connection_failed: { http_status_code: 502 } } } }),
    ];
    expect(settled(facts)).toStrictEqual([{
      id: 'T1', rootTurnId: 'R', items: [userMessage], itemsView: 'full', status: 'failed', startedAt: 1756721001, completedAt: 1756721101, durationMs: 1234,
      error: { message: 'boom', codexErrorInfo: { httpConnectionFailed: { httpStatusCode: 502 } }, additionalDetails: null, misalignment: null },
    }]);
  });

  it('takes the times of records for agents that write no seconds of their own', () => {
    const facts = (program: string): FactSketch[] => [opened({ program }), turn('t0', { at: '2026-01-02T03:04:05.900Z' }), ended('a#1', { at: '2026-01-02T03:04:07.100Z' })];
    expect(settled(facts('kimi'))).toMatchObject([{ startedAt: 1767323045, completedAt: 1767323047 }]);
    expect(settled(facts('codex'))).toMatchObject([{ startedAt: null, completedAt: null }]);
  });

  it('shows only what is for a person, and the thread\'s folder where a command names none', () => {
    const facts = [opened(), turn('T1'), asked('env', { visibility: 'injected' }), placed('a#2', 'a#1'), ran('c', 'a#1')];
    expect(settled(facts)[0]?.items).toMatchObject([{ id: 'c', cwd: '/home' }]);
  });
});

describe('[R-DIA-7] what a file that just ends does not say', () => {
  it('an open turn was interrupted, its open call is unknown, and so is one of a turn that ended', () => {
    const facts = [turn('T1'), ran('c1', 'a#0'), ended('a#0'), turn('T2'), ran('c2', 'a#3')];
    expect(settled(facts)).toMatchObject([
      { status: 'completed', items: [{ status: 'inProgress', outcome: 'unknown' }] }, { status: 'interrupted', completedAt: null, items: [{ status: 'inProgress', outcome: 'unknown' }] },
    ]);
  });

  it('while the thread runs, its newest open turn does too, and everything open outside it is settled', () => {
    const facts = [turn('T1'), ran('c1', 'a#0'), turn('T2'), ran('c2', 'a#2')];
    const turns = settled(facts, { running: {} });
    expect(turns.map(({ status }) => status)).toEqual(['interrupted', 'inProgress']);
    expect(turns.map(({ items }) => items[0]?.outcome)).toEqual(['unknown', undefined]);
    expect(settled(facts, { running: { turn: 'a#0' } }).map(({ status }) => status)).toEqual(['interrupted', 'interrupted']);
  });

  it('a turn counts as what its records say it does without an end; the newest word wins, an end beats it', () => {
    const expects = (settlesAs: string, more: object = {}): FactSketch => ({ type: 'turn.changed', turn: 'a#0', settlesAs, ...more });
    expect(settled([turn('T1', { settlesAs: 'completed' })])).toMatchObject([{ status: 'completed' }]);
    expect(settled([turn('T1'), expects('completed'), expects('failed', { error: { message: 'no' } })])).toMatchObject([{ status: 'failed', error: { message: 'no' } }]);
    expect(settled([turn('T1'), ended('a#0', { status: 'interrupted' }), expects('completed')])).toMatchObject([{ status: 'interrupted' }]);
    expect(settled([turn('T1', { settlesAs: 'completed' })], { running: {} })).toMatchObject([{ status: 'inProgress' }]);
  });

  it('a turn that no record opened is completed; with nothing in it, it is none, unless it has a compaction', () => {
    const implicit = (id: string): FactSketch => turn(id, { isImplicit: true });
    const facts = [implicit('rollout-1'), said('m', 'a#0'), implicit('rollout-4'), implicit('rollout-6'), { type: 'context.compacted', turn: 'a#3', summary: 's' } as const, turn('T'), ended('a#5')];
    expect(brief(settled(facts))).toEqual([['rollout-1', 'completed', ['m']], ['rollout-6', 'completed', []], ['T', 'completed', []]]);
    expect(brief(settled(facts.slice(0, 2), { running: {} }))).toEqual([['rollout-1', 'inProgress', ['m']]]);
    expect(brief(settled(facts, { running: {} }))).toEqual([['rollout-1', 'completed', ['m']], ['rollout-6', 'completed', []], ['T', 'completed', []]]);
  });

  it('says nothing of this before it is settled', () => {
    const { head, rows } = threadOf([turn('T1'), ran('c1', 'a#0'), asked('left')]);
    expect(unsettledThread(head, rows)).toMatchObject([{ id: 'T1', status: 'inProgress', items: [{ id: 'c1', status: 'inProgress' }] }]);
    expect(unsettledThread(head, rows)[0]?.items[0]).not.toHaveProperty('outcome');
  });
});

describe('[R-DIA-7] inputs that no record placed', () => {
  it('open a turn of their own, at their place', () => {
    expect(brief(settled([turn('T1'), said('m', 'a#0'), asked('left'), turn('T2'), said('n', 'a#3')]))).toEqual([['T1', 'interrupted', ['m']], ['input-2', 'completed', ['left']], ['T2', 'interrupted', ['n']]]);
  });

  it('join the turn they were held back for when they count as steers, and are not shown when they count as dropped', () => {
    const held = (otherwise: string): FactSketch[] => [turn('T1'), said('m', 'a#0'), asked('late'), placed('a#2', 'a#0', { as: 'deferred', otherwise }), ended('a#0')];
    expect(brief(settled(held('steers')))).toEqual([['T1', 'completed', ['m', 'late']]]);
    expect(brief(settled(held('opens')))).toEqual([['T1', 'completed', ['m']], ['input-2', 'completed', ['late']]]);
    expect(brief(settled(held('dropped')))).toEqual([['T1', 'completed', ['m']]]);
  });

  it('still wait while the turn runs in which they came, and are not shown at all where they are not for a person', () => {
    const facts = [asked('before'), turn('T1'), asked('queued'), asked('note', { visibility: 'control' })];
    expect(brief(settled(facts, { running: {} }))).toEqual([['input-0', 'completed', ['before']], ['T1', 'inProgress', []]]);
    expect(brief(settled(facts))).toEqual([['input-0', 'completed', ['before']], ['T1', 'interrupted', []], ['input-2', 'completed', ['queued']]]);
  });
});

describe('views of a turn', () => {
  const facts = (historyMode: string, isEnded: boolean): FactSketch[] => [
    opened({ historyMode }), turn('T1'), asked('q1'), placed('a#2', 'a#1'), said('plain', 'a#1'), said('final', 'a#1', { phase: 'finalAnswer' }), asked('q2'), placed('a#6', 'a#1', { as: 'steers' }),
    said('aside', 'a#1', { phase: 'commentary' }), ...(isEnded ? [ended('a#1')] : []),
  ];
  const summary = (historyMode: string, isEnded: boolean, without?: string): unknown => {
    const kept = facts(historyMode, isEnded).map((sketch) => (sketch['id'] === without && without !== undefined ? { ...sketch, visibility: 'control' } : sketch));
    return settled(kept, { view: 'summary' }).map(({ items, itemsView }) => [itemsView, items.map(({ id }) => id)]);
  };

  it('notLoaded has no items, full has all', () => {
    expect(settled(facts('legacy', true), { view: 'notLoaded' })).toMatchObject([{ itemsView: 'notLoaded', items: [] }]);
    expect(settled(facts('legacy', true), { view: 'full' })[0]?.items).toHaveLength(5);
  });

  it('a summary of a legacy thread ends with the last message of any kind', () => {
    expect(summary('legacy', true)).toEqual([['summary', ['q1', 'aside']]]);
  });

  it('a summary of a paginated one ends with the final answer, else with the last unmarked message of a turn that a record ended', () => {
    expect(summary('paginated', false)).toEqual([['summary', ['q1', 'final']]]);
    expect(summary('paginated', true, 'final')).toEqual([['summary', ['q1', 'plain']]]);
    expect(summary('paginated', false, 'final')).toEqual([['summary', ['q1']]]);
    expect(brief(settled([opened({ historyMode: 'paginated' }), turn('T1'), ended('a#1'), said('late', 'a#1')], { view: 'summary' }))).toEqual([['T1', 'completed', []]]);
  });

  it('a summary does not count what we add to the original\'s items', () => {
    const added: FactSketch = { ...said('added', 'a#0'), isAdded: true };
    expect(brief(settled([turn('T1'), said('own', 'a#0'), added, ended('a#0')], { view: 'summary' }))).toEqual([['T1', 'completed', ['own']]]);
  });
});
