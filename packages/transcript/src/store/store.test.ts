import { describe, expect, it } from 'vitest';
import { type AgentDescriptor, type TranscriptOperation, AgentTranscript, TranscriptStore } from '../index.js';

const turn = (ordinal: number): TranscriptOperation => ({ op: 'turn.upsert', turn: { kind: 'turn', turnId: `t${ordinal}`, ordinal, state: 'running', origin: { kind: 'user' } } });
const marker = (n: number, beforeTurn?: number): TranscriptOperation => ({ op: 'marker.upsert', item: { kind: 'marker', markerId: `m${n}`, marker: 'goal' }, ...(beforeTurn === undefined ? {} : { beforeTurn }) });
const ids = (transcript: AgentTranscript): string[] => transcript.getItems().map((item) => (item.kind === 'turn' ? item.turnId : item.kind === 'marker' ? item.markerId : item.refId));

describe('[R-OPS-7] listeners', () => {
  it('are told once of a batch, of what changed in it, and not of nothing', () => {
    const transcript = new AgentTranscript('main');
    const told: unknown[] = [];
    transcript.onChange((event) => told.push(event));
    transcript.apply([turn(0), turn(0), turn(1)]);
    transcript.apply([turn(1)]);
    transcript.apply([]);
    expect(told).toEqual([{ agentId: 'main', ops: [turn(0), turn(1)] }]);
  });

  it('one that throws harms nobody: not the others, not the state, not who applies', () => {
    const errors: unknown[] = [];
    const transcript = new AgentTranscript('main', { onListenerError: (error) => { errors.push(error); throw new Error('and so does this'); } });
    const told: number[] = [];
    transcript.onChange(() => { throw new Error('broken'); });
    transcript.onChange(({ ops }) => told.push(ops.length));
    expect(transcript.apply([turn(0)]).accepted).toEqual([turn(0)]);
    expect(transcript.apply([turn(1)]).accepted).toEqual([turn(1)]);
    expect(told).toEqual([1, 1]);
    expect(errors).toEqual([new Error('broken'), new Error('broken')]);
    const store = new TranscriptStore('session');
    store.onRosterChange(() => { throw new Error('broken'); });
    store.onRosterChange((agents) => told.push(agents.length));
    store.describeAgent({ agentId: 'main' });
    expect(told).toEqual([1, 1, 1]);
  });

  it('that apply more themselves are told after the others, so that all hear one order', () => {
    const transcript = new AgentTranscript('main');
    const heard: string[] = [];
    transcript.onChange(({ ops }) => { if (ops.length === 1) transcript.apply([turn(1), turn(2)]); });
    transcript.onChange(({ ops }) => heard.push(`${ops.length} of ${transcript.getItems().length}`));
    transcript.apply([turn(0)]);
    expect(heard).toEqual(['1 of 3', '2 of 3']);
  });

  it('hear nothing more once they are disposed, nor before they listen', () => {
    const transcript = new AgentTranscript('main');
    const heard: string[] = [];
    const late = () => transcript.onChange(() => heard.push('late'));
    const first = transcript.onChange(() => { heard.push('first'); second.dispose(); late(); });
    const second = transcript.onChange(() => heard.push('second'));
    transcript.apply([turn(0)]);
    first.dispose();
    first.dispose();
    transcript.receive([turn(1)]);
    expect(heard).toEqual(['first', 'late']);
  });
});

describe('a transcript', () => {
  it('[R-OPS-2] skips an append with a gap, applies the rest, and names the last gap', () => {
    const target = { type: 'frame', turnId: 't0', stepId: 't0.1', frameId: 't0.1.f1' } as const;
    const frame: TranscriptOperation = { op: 'frame.upsert', turnId: 't0', stepId: 't0.1', frame: { kind: 'text', frameId: 't0.1.f1', role: 'assistant', text: '' } };
    const append = (offset: number, text: string): TranscriptOperation => ({ op: 'append', target, offset, text });
    const transcript = new AgentTranscript('main');
    expect(transcript.apply([append(0, 'x')])).toEqual({ accepted: [], gap: { target, expected: 0, got: 0 } });
    expect(transcript.apply([frame, append(9, 'x'), append(0, 'hello '), append(7, 'y'), append(6, 'world')])).toEqual({ accepted: [frame, append(0, 'hello '), append(6, 'world')], gap: { target, expected: 6, got: 7 } });
    expect(transcript.apply([append(0, 'hello '), append(6, 'world')])).toEqual({ accepted: [] });
    expect(transcript.apply([append(6, 'wide')])).toEqual({ accepted: [], gap: { target, expected: 11, got: 6 } });
    expect(transcript.getTurn('t0')?.steps[0]?.frames[0]).toMatchObject({ text: 'hello world' });
  });

  it('makes the turn and the step that a frame needs', () => {
    const transcript = new AgentTranscript('main');
    transcript.apply([{ op: 'frame.upsert', turnId: 't9', stepId: 't9.2', frame: { kind: 'thinking', frameId: 't9.2.f1', text: 'hm' } }]);
    expect(transcript.getItems()).toEqual([{ kind: 'turn', turnId: 't9', ordinal: 9, state: 'running', origin: { kind: 'other' }, steps: [{ kind: 'step', stepId: 't9.2', turnId: 't9', ordinal: 2, state: 'running', frames: [{ kind: 'thinking', frameId: 't9.2.f1', text: 'hm' }] }] }]);
  });

  it('places turns by ordinal, markers before the turn they name, at the end without one, and leaves them there', () => {
    const transcript = new AgentTranscript('main');
    transcript.apply([turn(2), turn(0), marker(1, 2), turn(1), marker(2), marker(3, 0), marker(4, 9), turn(10), turn(3)]);
    expect(ids(transcript)).toEqual(['m3', 't0', 'm1', 't1', 't2', 'm2', 'm4', 't3', 't10']);
    transcript.apply([marker(2, 0)]);
    expect(ids(transcript)).toEqual(['m3', 't0', 'm1', 't1', 't2', 'm2', 'm4', 't3', 't10']);
  });

  it('finds a place between any two, also where thousands were put before', () => {
    const transcript = new AgentTranscript('main');
    transcript.apply([turn(0), turn(100_000)]);
    const inwards = Array.from({ length: 400 }, (_, n) => turn(n % 2 ? 100_000 - (n + 1) / 2 : n / 2 + 1));
    for (const op of inwards) transcript.apply([op]);
    for (let n = 0; n < 400; n += 1) transcript.apply([marker(n, 100_000)]);
    const turns = transcript.getItems().flatMap((item) => (item.kind === 'turn' ? [item.ordinal] : []));
    expect(turns).toEqual(Array.from(turns).sort((a, b) => a - b));
    expect(turns.length).toBe(402);
    expect(ids(transcript).slice(-401)).toEqual([...Array.from({ length: 400 }, (_, n) => `m${n}`), 't100000']);
  });

  it('keeps no room for what is gone: removed items and interactions leave nothing behind', () => {
    const transcript = new AgentTranscript('main');
    for (let n = 0; n < 200; n += 1) {
      const frame: TranscriptOperation = { op: 'frame.upsert', turnId: `t${n}`, stepId: `t${n}.1`, frame: { kind: 'tool', frameId: `t${n}.1.c${n}`, toolCallId: `c${n}`, name: 'Bash', state: 'running' } };
      transcript.apply([turn(n), marker(n), frame, { op: 'interaction.upsert', interaction: { interactionId: `i${n}`, interactionKind: 'approval', toolCallId: `c${n}`, state: 'pending' } }]);
      if (n >= 3) transcript.apply([{ op: 'items.remove', ids: [`t${n - 3}`, `m${n - 3}`, 'unknown'] }]);
    }
    expect(ids(transcript)).toEqual(['t197', 'm197', 't198', 'm198', 't199', 'm199']);
    expect([...transcript.getInteractions().keys()]).toEqual(['i197', 'i198', 'i199']);
    expect(transcript.listPendingInteractions()).toEqual(['i197', 'i198', 'i199']);
    transcript.apply([{ op: 'interaction.upsert', interaction: { interactionId: 'i198', interactionKind: 'approval', toolCallId: 'c198', state: 'approved' } }]);
    expect(transcript.listPendingInteractions()).toEqual(['i197', 'i199']);
  });

  it('gives its newest turns as a snapshot; entities stay whole', () => {
    const transcript = new AgentTranscript('main');
    const todo: TranscriptOperation = { op: 'todo.upsert', todo: { todoId: 'todo', items: [] } };
    transcript.apply([marker(0), turn(1), marker(1), turn(2), marker(2), turn(3), marker(3), todo]);
    const kept = (tailTurns: number) => transcript.snapshot({ tailTurns }).items.length;
    expect([kept(0), kept(1), kept(2), kept(3), kept(9)]).toEqual([0, 2, 4, 7, 7]);
    expect(transcript.snapshot({ tailTurns: 2 })).toMatchObject({ hasMoreOlder: true, todos: [{ todoId: 'todo' }] });
    expect(transcript.snapshot({ tailTurns: 3 }).hasMoreOlder).toBe(false);
    const loaded = new AgentTranscript('main');
    loaded.apply([{ op: 'reset', agentId: 'main', snapshot: transcript.snapshot({ tailTurns: 2 }) }]);
    expect(loaded.snapshot()).toEqual(transcript.snapshot({ tailTurns: 2 }));
    expect(loaded.hasMoreOlder).toBe(true);
    const bare = new AgentTranscript('main');
    bare.apply([marker(0)]);
    expect(bare.snapshot({ tailTurns: 0 })).toMatchObject({ items: [{ markerId: 'm0' }], hasMoreOlder: false });
  });

  it('[R-OPS-1] takes every field for a change: what the original swallows too (D-9)', () => {
    const transcript = new AgentTranscript('main');
    const frame = (more: object): TranscriptOperation => ({ op: 'frame.upsert', turnId: 't0', stepId: 't0.1', frame: { kind: 'text', frameId: 't0.1.f1', role: 'user', text: 'x', ...more } });
    const task = (more: object): TranscriptOperation => ({ op: 'task.upsert', task: { taskId: 'x', kind: 'subagent', state: 'running', detached: false, outputTail: '', ...more } });
    const prompt = (more: object): TranscriptOperation => ({ op: 'prompt.upsert', prompt: { promptId: 'p', status: 'queued', createdAt: '', ...more } });
    const notice = (more: object): TranscriptOperation => ({ op: 'frame.upsert', turnId: 't0', stepId: 't0.1', frame: { kind: 'notice', frameId: 't0.1.n', level: 'info', message: 'm', ...more } });
    const ops = [frame({}), frame({ origin: { kind: 'user' } }), frame({ promptIds: ['p'] }), task({}), task({ model: 'k2' }), task({ thinkingEffort: 'high' }), prompt({}), prompt({ clientMetadata: [{ a: 1 }] }), notice({}), notice({ source: 's' })];
    expect(transcript.apply(ops).accepted).toEqual(ops);
  });

  it('merges meta by slot: null clears, absence keeps, the last mode takes the modes along', () => {
    const transcript = new AgentTranscript('main');
    const merge = (meta: Extract<TranscriptOperation, { op: 'meta.merge' }>['meta']) => { transcript.apply([{ op: 'meta.merge', meta }]); return transcript.getMeta(); };
    expect(merge({ goal: { objective: 'o', status: 'active' }, modes: { plan: { version: 1 }, swarm: {} }, agent: { model: 'k2', contextTokens: 1 } })).toEqual({ goal: { objective: 'o', status: 'active' }, modes: { plan: { version: 1 }, swarm: {} }, agent: { model: 'k2', contextTokens: 1 } });
    expect(merge({ modes: { plan: null }, activity: 'turn' })).toEqual({ goal: { objective: 'o', status: 'active' }, modes: { swarm: {} }, activity: 'turn', agent: { model: 'k2', contextTokens: 1 } });
    expect(merge({ modes: { swarm: null }, goal: null, agent: { contextTokens: 2 } })).toEqual({ activity: 'turn', agent: { model: 'k2', contextTokens: 2 } });
  });
});

describe('[R-OPS-12] a store', () => {
  const main: AgentDescriptor = { agentId: 'main', type: 'main' };
  it('makes agents on first use, lists those that are described, and announces each change of the roster once', () => {
    const store = new TranscriptStore('session');
    const rosters: string[][] = [];
    store.onRosterChange((agents) => rosters.push(agents.map(({ agentId, label }) => label ?? agentId)));
    expect(store.getAgent('main')).toBeUndefined();
    const transcript = store.ensureAgent('main', main);
    expect(store.ensureAgent('main', main)).toBe(transcript);
    store.ensureAgent('ghost');
    store.ensureAgent('agent-0', { agentId: 'agent-0', type: 'sub', parentAgentId: 'main' });
    store.describeAgent({ agentId: 'main', type: 'main', label: 'the first' });
    store.removeAgent('agent-0');
    store.removeAgent('agent-0');
    expect(rosters).toEqual([['main'], ['main', 'agent-0'], ['the first', 'agent-0'], ['the first']]);
    expect(store.agents().map(({ agentId }) => agentId)).toEqual(['main']);
    expect(store.getAgent('ghost')).toBeDefined();
  });

  it('notes once when an agent was disposed, and keeps it readable', () => {
    const store = new TranscriptStore('session');
    let announced = 0;
    store.ensureAgent('main', main).apply([turn(0)]);
    store.onRosterChange(() => { announced += 1; });
    for (const [agentId, at] of [['unknown', '1'], ['main', '2'], ['main', '3']] as const) store.markDisposed(agentId, at);
    expect(announced).toBe(1);
    expect(store.agents()).toEqual([{ ...main, disposedAt: '2' }]);
    expect(store.getAgent('main')?.getItems()).toHaveLength(1);
  });
});
