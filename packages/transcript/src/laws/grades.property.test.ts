import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AgentTranscript, completeRemovals, detachGrades, filterOpsForGrade, gradeFor, isAppendOnly, needsResetOnTransition, redactSnapshotForGrade } from '../index.js';
import { anyOperation, anyOperations, anySnapshot } from './operations.suite.js';
import { anySession } from './session.suite.js';

const grades = ['off', 'turn', 'block', 'delta'] as const;
const anyGrade = fc.constantFrom(...grades);
const anySpec = fc.dictionary(fc.constantFrom('main', 'agent-0', 'agent-1', '*'), anyGrade);
const agents = ['main', 'agent-0', 'agent-1', 'unknown', 'constructor'];

describe('[R-OPS-5] grades', () => {
  it('a lower grade gets no more: what it gets is what it would get of a higher one', () => fc.assert(fc.property(anyOperations, anyGrade, anyGrade, (ops, a, b) => {
    const [low, high] = grades.indexOf(a) <= grades.indexOf(b) ? [a, b] : [b, a];
    expect(filterOpsForGrade(low, filterOpsForGrade(high, ops))).toEqual(filterOpsForGrade(low, ops));
    expect(filterOpsForGrade(low, ops).length).toBeLessThanOrEqual(filterOpsForGrade(high, ops).length);
    expect(filterOpsForGrade(high, filterOpsForGrade(high, ops))).toEqual(filterOpsForGrade(high, ops));
  })));

  it('delta gets everything, off nothing', () => fc.assert(fc.property(anyOperations, (ops) => {
    expect(filterOpsForGrade('delta', ops)).toEqual(ops);
    expect(filterOpsForGrade('off', ops)).toEqual([]);
  })));

  it('a snapshot, and a reset among operations, shows no steps below block, and is the same object from there on', () => fc.assert(fc.property(anySnapshot, (snapshot) => {
    const steps = (of: typeof snapshot) => of.items.flatMap((item) => (item.kind === 'turn' ? item.steps : []));
    expect(steps(redactSnapshotForGrade('turn', snapshot))).toEqual([]);
    expect(redactSnapshotForGrade('block', snapshot)).toBe(snapshot);
    expect(redactSnapshotForGrade('delta', snapshot)).toBe(snapshot);
    expect(filterOpsForGrade('turn', [{ op: 'reset', agentId: 'main', snapshot }])).toEqual([{ op: 'reset', agentId: 'main', snapshot: redactSnapshotForGrade('turn', snapshot) }]);
  })));

  it('at flush points a reader of a grade holds what the redacted snapshot holds, removals and undo included', () => fc.assert(fc.property(anySession, (batches) => {
    const server = new AgentTranscript('main');
    const readers = grades.slice(1).map((grade) => ({ grade, reader: new AgentTranscript('main') }));
    for (const { ops, isFlushPoint } of batches) {
      const dispatched = completeRemovals(server.state, ops);
      server.apply(dispatched);
      for (const { grade, reader } of readers) {
        reader.apply(filterOpsForGrade(grade, dispatched));
        if (isFlushPoint) expect(reader.snapshot()).toEqual(redactSnapshotForGrade(grade, server.snapshot()));
      }
    }
  })));

  it('raising a grade needs a baseline, from which the stream goes on; lowering needs none', () => fc.assert(fc.property(anySession, anyGrade, anyGrade, (batches, before, next) => {
    const [server, reader] = [new AgentTranscript('main'), new AgentTranscript('main')];
    const middle = Math.floor(batches.length / 2);
    batches.forEach(({ ops, isFlushPoint }, index) => {
      const dispatched = completeRemovals(server.state, ops);
      server.apply(dispatched);
      reader.apply(filterOpsForGrade(index <= middle ? before : next, dispatched));
      if (index === middle && needsResetOnTransition(before, next)) reader.apply([{ op: 'reset', agentId: 'main', snapshot: redactSnapshotForGrade(next, server.snapshot()) }]);
      if (index > middle && isFlushPoint && next === 'delta') expect(reader.snapshot()).toEqual(server.snapshot());
    });
    expect(needsResetOnTransition(before, next)).toBe(grades.indexOf(next) > grades.indexOf(before));
    if (next !== 'off') expect(redactSnapshotForGrade(next, reader.snapshot())).toEqual(redactSnapshotForGrade(next, server.snapshot()));
  })));

  it('an agent has its own grade, else that of *, else off', () => fc.assert(fc.property(anySpec, (spec) => {
    for (const agent of agents) expect(gradeFor(spec, agent)).toBe(Object.hasOwn(spec, agent) ? spec[agent] : (spec['*'] ?? 'off'));
    expect(gradeFor(undefined, 'main')).toBe('off');
  })));

  it('a detached agent is off by name, so that * does not bring it back; nothing else changes', () => fc.assert(fc.property(anySpec, fc.subarray(['main', 'agent-0', 'agent-1', '*']), (spec, detached) => {
    const left = detachGrades(spec, detached);
    const rest = (agent: string) => (detached.includes('*') && !Object.hasOwn(spec, agent) ? 'off' : gradeFor(spec, agent));
    for (const agent of agents) expect(gradeFor(left, agent)).toBe(detached.includes(agent) ? 'off' : rest(agent));
    if (left) expect(Object.values(left).some((grade) => grade !== 'off')).toBe(true);
    expect(detachGrades(undefined, detached)).toBeUndefined();
  })));

  it('a batch of appends alone may be dropped', () => fc.assert(fc.property(fc.array(anyOperation, { maxLength: 3 }), (ops) => {
    expect(isAppendOnly(ops)).toBe(ops.length > 0 && ops.every(({ op }) => op === 'append'));
  })));
});
