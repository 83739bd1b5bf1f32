import fc from 'fast-check';
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import { type AgentState, type AgentTranscriptSnapshot, type TranscriptOperation, EMPTY_AGENT_STATE, applyOperation, transcriptOperationSchema } from '../index.js';
import { anyOperation, anyOperations, overTheWire } from './operations.suite.js';
import { applyPlainly, emptyPlainState } from './plain-reducer.suite.js';

/** What a state says, read the way any reader does. */
function said(state: AgentState): AgentTranscriptSnapshot {
  const { items, tasks, interactions, attachments, todos, prompts, meta, hasMoreOlder } = state;
  return { items, tasks: [...tasks.values()], interactions: [...interactions.values()], attachments: [...attachments.values()], todos: [...todos.values()], prompts: [...prompts.values()], meta, hasMoreOlder };
}

/** Every state on the way, the empty one first. */
const statesOf = (ops: readonly TranscriptOperation[]): AgentState[] => ops.reduce<AgentState[]>((states, op) => [...states, applyOperation(states.at(-1) as AgentState, op).state], [EMPTY_AGENT_STATE]);
const last = (states: readonly AgentState[]): AgentState => states.at(-1) as AgentState;

describe('laws of the reducer', () => {
  it('[R-OPS-1] says what the plainest reducer says, after every operation', () => fc.assert(fc.property(anyOperations, (ops) => {
    let plain = emptyPlainState;
    let state = EMPTY_AGENT_STATE;
    for (const op of ops) {
      plain = applyPlainly(plain, op);
      state = applyOperation(state, op).state;
      expect(said(state)).toEqual(plain);
      expect(new Set(state.pendingInteractions)).toEqual(new Set(plain.interactions.filter((one) => one.state === 'pending').map(({ interactionId }) => interactionId)));
    }
  })));

  it('[R-OPS-1] states that were handed out never change, read at once or only at the end', () => fc.assert(fc.property(anyOperations, (ops) => {
    const plain = ops.reduce((states, op) => [...states, applyPlainly(states.at(-1) ?? emptyPlainState, op)], [emptyPlainState]);
    const states = statesOf(ops);
    expect(states.map(said)).toEqual(plain);
    const read = statesOf(ops).map((state, index) => (index % 3 === 0 ? JSON.stringify(said(state)) : ''));
    statesOf(ops).forEach((state, index) => { if (index % 3 === 0) expect(JSON.stringify(said(state))).toBe(read[index]); });
  })));

  it('[R-OPS-1] two ways on from one state do not meet', () => fc.assert(fc.property(anyOperations, anyOperations, anyOperations, (before, one, other) => {
    const fork = last(statesOf(before));
    const go = (ops: readonly TranscriptOperation[]) => ops.reduce((state, op) => applyOperation(state, op).state, fork);
    const plain = (ops: readonly TranscriptOperation[]) => [...before, ...ops].reduce(applyPlainly, emptyPlainState);
    const [first, second] = [go(one), go(other)];
    expect(said(second)).toEqual(plain(other));
    expect(said(first)).toEqual(plain(one));
    expect(said(fork)).toEqual(plain([]));
  })));

  it('[R-OPS-1] an operation that came already changes nothing and says so, also as a copy over the wire', () => fc.assert(fc.property(anyOperations, anyOperation, (ops, op) => {
    const { state } = applyOperation(last(statesOf(ops)), op);
    for (const again of [op, overTheWire(op)]) {
      const repeated = applyOperation(state, again);
      expect(repeated.changed).toBe(false);
      expect(repeated.state).toBe(state);
    }
  })));

  it('[R-OPS-1] a reset to what is there already changes nothing', () => fc.assert(fc.property(anyOperations, (ops) => {
    const state = last(statesOf(ops));
    expect(applyOperation(state, { op: 'reset', agentId: 'main', snapshot: overTheWire(said(state)) })).toEqual({ state, changed: false });
  })));

  it('[R-OPS-1] changed means that something else is said', () => fc.assert(fc.property(anyOperations, anyOperation, (ops, op) => {
    const before = last(statesOf(ops));
    const { state, changed, gap } = applyOperation(before, op);
    expect(changed).toBe(!isDeepStrictEqual(overTheWire(said(state)), overTheWire(said(before))));
    expect(state === before).toBe(!changed);
    if (gap) expect({ changed, op: op.op }).toEqual({ changed: false, op: 'append' });
  })));

  it('[R-OPS-4] loading everything is applying a reset, and what follows goes on from there', () => fc.assert(fc.property(anyOperations, anyOperations, (before, after) => {
    const state = last(statesOf(before));
    const loaded = applyOperation(EMPTY_AGENT_STATE, { op: 'reset', agentId: 'main', snapshot: overTheWire(said(state)) }).state;
    expect(said(loaded)).toEqual(said(state));
    const go = (from: AgentState) => after.reduce((at, op) => applyOperation(at, op).state, from);
    expect(said(go(loaded))).toEqual(said(go(state)));
  })));

  it('[R-OPS-11] every operation is one that the wire accepts, and comes through it as it was', () => fc.assert(fc.property(anyOperation, (op) => {
    expect(transcriptOperationSchema.parse(overTheWire(op))).toEqual(overTheWire(op));
  })));

  it('[R-OPS-1] a state that was put together by hand is as good as any', () => fc.assert(fc.property(anyOperations, anyOperation, (ops, op) => {
    const state = last(statesOf(ops));
    const byHand: AgentState = { ...state, tasks: new Map(state.tasks), interactions: new Map(state.interactions) };
    const result = applyOperation(byHand, op);
    expect(said(result.state)).toEqual(said(applyOperation(state, op).state));
    if (!result.changed) expect(result.state).toBe(byHand);
  })));

  it('[R-OPS-1] is total: nothing is too deep to compare, and ids of any kind do', () => {
    const deep = (levels: number): unknown => { let value: unknown = 1; for (let level = 0; level < levels; level += 1) value = [value]; return value; };
    const upsert = (payload: unknown): TranscriptOperation => ({ op: 'marker.upsert', item: { kind: 'marker', markerId: '__proto__', marker: 'constructor', payload } });
    const { state } = applyOperation(EMPTY_AGENT_STATE, upsert(deep(200_000)));
    expect(applyOperation(state, upsert(deep(200_000))).changed).toBe(false);
    expect(applyOperation(state, upsert(deep(199_999))).changed).toBe(true);
    expect(applyOperation(state, { op: 'items.remove', ids: ['toString', 'constructor'] }).changed).toBe(false);
  });

  it('[R-OPS-1] an operation that a newer peer knows is left alone', () => {
    const unknown = { op: 'turn.fold', turnId: 't0' } as unknown as TranscriptOperation;
    expect(applyOperation(EMPTY_AGENT_STATE, unknown)).toEqual({ state: EMPTY_AGENT_STATE, changed: false });
  });
});
