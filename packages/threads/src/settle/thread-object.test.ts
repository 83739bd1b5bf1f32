import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type FactSketch, factsOf } from '../fold/sketch.suite.js';
import { foldThread } from '../fold/fold-thread.js';
import { type ThreadHead, emptyThreadHead } from '../fold/thread-head.js';
import type { Thread } from '../objects/thread.js';
import { activeStatus, threadObject } from './thread-object.js';
import { threadSource } from './thread-source.js';

const { threads } = JSON.parse(readFileSync(new URL('../../fixtures/recorded-threads.json', import.meta.url), 'utf8')) as { threads: Thread[] };

const headOf = (sketches: readonly FactSketch[]): ThreadHead => factsOf(sketches).reduce((head, fact, i) => foldThread(head, fact, i).head, emptyThreadHead);
const opened = (id: string, more: object = {}, details: object = {}): FactSketch => ({
  type: 'thread.opened', threadId: id, sessionId: id, program: 'codex', programVersion: '0.100.0', originator: 'codex_cli_rs', origin: { kind: 'cli' }, historyMode: 'legacy',
  details: { cwd: '/work/proj', modelProvider: 'openai', ...details }, ...more,
});
const changed = (details: object, more: object = {}): FactSketch => ({ type: 'thread.changed', details, ...more });
const facets = { path: '/p', updatedAtMs: 5_000, recencyAtMs: null, status: { type: 'notLoaded' } } as const;

/** The facts of the recorded threads, by id. */
const id = (n: number): string => `01990000-0000-7000-8000-0000000000${String(n).padStart(2, '0')}`;
const factsOfThread: Record<string, FactSketch[]> = {
  [id(1)]: [opened(id(1), { createdAt: '2025-09-01T10:00:00.000Z' }, { git: { sha: 'abc123', branch: 'main', originUrl: 'https://example.invalid/r.git' } }), changed({ firstPrompt: 'Hello there' }), changed({ model: 'gpt-5', effort: 'medium' })],
  [id(2)]: [opened(id(2), { createdAt: '2025-09-02T10:00:00.999Z' }), changed({ firstPrompt: 'No markers q1' })],
  [id(17)]: [
    opened(id(17), { createdAt: '2025-09-15T10:00:00.000Z', origin: { kind: 'subAgent', role: 'threadSpawn', spawn: { parentThreadId: id(16), depth: 1, nickname: 'Ada', agentRole: 'explorer' } } }, { firstPrompt: 'do sub' }),
  ],
  [id(18)]: [opened(id(18), { createdAt: '2025-09-16T10:00:00.000Z' }), { type: 'thread.linked', relation: 'forkOf', threadId: id(16) }, opened(id(16), { createdAt: '2025-09-15T10:00:00.000Z' }), changed({ firstPrompt: 'delegate' })],
  [id(19)]: [opened(id(19), { createdAt: '2025-09-16T10:00:00.000Z', origin: { kind: 'subAgent', role: 'review' } }, { firstPrompt: 'review this' })],
  '01a22b9b-ec6e-78a0-9701-d0f5226d4a69': [
    opened('01a22b9b-ec6e-78a0-9701-d0f5226d4a69', {
      createdAt: '2026-11-30T08:39:28.000Z', origin: { kind: 'subAgent', role: 'review' }, threadSource: 'subagent', programVersion: '0.171.0', originator: 'fixture-recorder', historyMode: 'paginated',
    }, { modelProvider: 'mock', cwd: '/home/dev/projects/agents/codex-0.171/review' }),
    { type: 'thread.linked', relation: 'parent', threadId: '01a22b9b-e03b-7040-ba96-1bcc1d6a97c7' },
    changed({ model: 'gpt-5.5', firstPrompt: 'Review the current code changes (staged, unstaged, and untracked files) and provide prioritized findings.' }),
  ],
};

describe('[R-THR-1] threads equal recorded ones, key for key', () => {
  for (const thread of threads) {
    it(`${thread.id} ${thread.preview.slice(0, 30)}`, () => {
      const { path, updatedAt, recencyAt, status } = thread;
      const object = threadObject(headOf(factsOfThread[thread.id] ?? []), { path, updatedAtMs: updatedAt * 1000 + 999, recencyAtMs: recencyAt === null ? null : recencyAt * 1000, status });
      expect(object).toStrictEqual(thread);
    });
  }
});

describe('who a thread is, over its segments', () => {
  it('after a revert: the newest file\'s creation, version and folder, and the first prompt ever', () => {
    const head = headOf([
      opened('x', { createdAt: '2026-01-01T00:00:00Z' }), { type: 'thread.linked', relation: 'forkOf', threadId: 'source' }, changed({ firstPrompt: 'q1', name: 'kept' }),
      { tape: 'b', ...opened('x', { createdAt: '2026-01-02T00:00:00Z', programVersion: '2' }, { cwd: '/other' }) }, { tape: 'b', ...changed({ firstPrompt: 'q2b' }) },
    ]);
    expect(threadObject(head, facets)).toMatchObject({ id: 'x', createdAt: 1767312000, cliVersion: '2', cwd: '/other', preview: 'q1', name: 'kept', forkedFromId: 'source' });
  });

  it('a fork is another thread: it inherits the first prompt and the model, nothing else', () => {
    const head = headOf([
      opened('x', { createdAt: '2026-01-01T00:00:00Z' }, { git: { sha: 's' } }), { type: 'thread.linked', relation: 'forkOf', threadId: 'source' }, changed({ firstPrompt: 'q1', name: 'X', model: 'm', isArchived: true }),
      { tape: 'b', ...opened('y', { createdAt: '2026-01-02T00:00:00Z' }, { cwd: '/other' }) }, { tape: 'b', type: 'thread.linked', relation: 'forkOf', threadId: 'x' }, { tape: 'b', ...changed({ firstPrompt: 'q2' }) },
    ]);
    expect(threadObject(head, facets)).toMatchObject({ id: 'y', createdAt: 1767312000, preview: 'q1', model: 'm', name: null, gitInfo: null, forkedFromId: 'x', cwd: '/other' });
    expect(head.details.isArchived).toBeUndefined();
  });

  it('the tape that said the first prompt may say it better; a later one of a goal stands for a missing prompt', () => {
    expect(headOf([opened('x'), changed({ firstPrompt: '[Image]' }), changed({ firstPrompt: 'words' })]).details.firstPrompt).toBe('words');
    expect(threadObject(headOf([opened('x'), { type: 'goal.set', objective: 'win' }]), facets).preview).toBe('win');
  });

  it('a side tape names the thread that it speaks of', () => {
    const head = headOf([opened('x'), { tape: 'names', ...changed({ name: 'mine' }, { threadId: 'x' }) }, { tape: 'names', ...changed({ name: 'another\'s' }, { threadId: 'y' }) }]);
    expect(threadObject(head, facets).name).toBe('mine');
    expect(threadObject(head, { ...facets, name: 'index' }).name).toBe('index');
  });

  it('without any record it is still an object', () => {
    expect(threadObject(emptyThreadHead, facets)).toMatchObject({ id: '', preview: '', source: 'unknown', modelProvider: 'openai', createdAt: 5, updatedAt: 5, recencyAt: null });
  });
});

describe('sources', () => {
  it('are the protocol\'s words', () => {
    expect([
      threadSource({ kind: 'appServer' }), threadSource({ kind: 'custom', name: 'c' }), threadSource({ kind: 'internal', name: 'guardian' }), threadSource({ kind: 'subAgent', role: 'memoryConsolidation' }),
      threadSource({ kind: 'subAgent', role: 'other', name: 'o' }), threadSource({ kind: 'subAgent', role: 'compact' }),
    ]).toEqual(['appServer', { custom: 'c' }, 'unknown', { subAgent: 'memory_consolidation' }, { subAgent: { other: 'o' } }, { subAgent: 'compact' }]);
  });
});

describe('[R-RPC-1] what a running thread waits for', () => {
  const asks = (requestId: string, kind: string): FactSketch => ({ type: 'interaction.requested', id: requestId, kind, request: null });
  it('approvals and answers that no record gives, on the branch that counts', () => {
    expect(activeStatus(headOf([asks('1', 'approval'), asks('2', 'question'), { type: 'interaction.resolved', id: '1', outcome: 'approved' }]))).toEqual({ type: 'active', activeFlags: ['waitingOnUserInput'] });
    const left: FactSketch = { type: 'history.superseded', reason: 'branch', turns: [], facts: [{ tape: 'a', from: 0, to: 1 }], context: [] };
    expect(activeStatus(headOf([asks('1', 'approval'), left]))).toEqual({ type: 'active', activeFlags: [] });
    expect(activeStatus(headOf([asks('1', 'approval'), left, { ...left, type: 'history.restored' }]))).toEqual({ type: 'active', activeFlags: ['waitingOnApproval'] });
  });
});
