import { describe, expect, it } from 'vitest';
import { type AgentState, type TranscriptOperation, EMPTY_AGENT_STATE, applyOperation } from '../index.js';
import { GrowingText } from './growing.js';
import { StoredState } from './agent-state.js';

/** The parts of a state, those that are private too. */
function rootsOf(state: AgentState): object[] {
  if (!(state instanceof StoredState)) throw new Error('not a state of ours');
  return [state.timeline, state.anchors, state.tasks, state.interactions, state.attachments, state.todos, state.prompts, state.meta, state.pendingInteractions];
}

const isPart = (value: unknown): value is object => typeof value === 'object' && value !== null;
/** Fields of an object, or slots of an array; of a state not `items`, which is made when it is read. */
const partsOf = (value: object): unknown[] => (value instanceof StoredState ? rootsOf(value) : Object.values(value));

/** Every object below a state that is not known; what is known is not entered. */
function freshIn(state: AgentState, known: ReadonlySet<object> = new Set()): Set<object> {
  const found = new Set<object>();
  const open: object[] = [state];
  for (let next = open.pop(); next; next = open.pop()) {
    if (found.has(next) || known.has(next)) continue;
    found.add(next);
    for (const part of partsOf(next)) if (isPart(part)) open.push(part);
  }
  return found;
}

/** A state, and every object that it is made of. */
interface Base {
  readonly state: AgentState;
  readonly known: ReadonlySet<object>;
}

/** Object fields and array slots of some parts together. A state has eleven: nine that can be seen, and two private parts. */
const slotsOf = (parts: Iterable<object>): number => [...parts].reduce((sum, part) => sum + (part instanceof StoredState ? 11 : Object.keys(part).length), 0);

/** How many object fields and array slots a step to the next state wrote: those of each object that was not there before. */
const copied = ({ known }: Base, after: AgentState): number => slotsOf(freshIn(after, known));

interface Shape {
  readonly turns: number;
  readonly stepsEach: number;
}

function operationsOf({ turns, stepsEach }: Shape): TranscriptOperation[] {
  return Array.from({ length: turns }, (_, ordinal): TranscriptOperation[] => {
    const turnId = `t${ordinal}`;
    return [
      { op: 'turn.upsert', turn: { kind: 'turn', turnId, ordinal, state: 'completed', origin: { kind: 'user' }, prompt: 'question', startedAt: '2026-01-01T00:00:00.000Z' } },
      { op: 'interaction.upsert', interaction: { interactionId: `i${ordinal}`, interactionKind: 'approval', toolCallId: `call_${ordinal}`, state: 'approved' } },
      ...Array.from({ length: stepsEach }, (_each, index): TranscriptOperation[] => {
        const stepId = `${turnId}.${index + 1}`;
        return [
          { op: 'step.upsert', turnId, step: { kind: 'step', turnId, stepId, ordinal: index + 1, state: 'completed' } },
          { op: 'frame.upsert', turnId, stepId, frame: { kind: 'text', frameId: `${stepId}.f1`, role: 'assistant', text: 'answer' } },
          { op: 'frame.upsert', turnId, stepId, frame: { kind: 'tool', frameId: `${stepId}.call_${ordinal}`, toolCallId: `call_${ordinal}`, name: 'Bash', state: 'done', input: { command: 'ls' }, output: 'a' } },
        ];
      }).flat(),
    ];
  }).flat();
}

const built = (shape: Shape): AgentState => operationsOf(shape).reduce((state, op) => applyOperation(state, op).state, EMPTY_AGENT_STATE);
const next = (state: AgentState, op: TranscriptOperation): AgentState => applyOperation(state, op).state;

const bases = new Map<string, Base>();
/** Built once: the largest has a million parts. */
function baseOf(shape: Shape): Base {
  const key = JSON.stringify(shape);
  const state = bases.get(key)?.state ?? built(shape);
  const base = bases.get(key) ?? { state, known: freshIn(state) };
  bases.set(key, base);
  return base;
}

/** An append to the last text of a turn that was appended to before, so that the stream runs. */
function appendCost(base: Base, shape: Shape, turn: number): number {
  const stepId = `t${turn}.${shape.stepsEach}`;
  const append = (offset: number): TranscriptOperation => ({ op: 'append', target: { type: 'frame', turnId: `t${turn}`, stepId, frameId: `${stepId}.f1` }, offset, text: ' on' });
  const running = next(base.state, append(6));
  const before = freshIn(running, base.known);
  return slotsOf([...freshIn(next(running, append(9)), base.known)].filter((part) => !before.has(part)));
}

const sizes: readonly Shape[] = [{ turns: 100, stepsEach: 1 }, { turns: 50_000, stepsEach: 1 }, { turns: 100, stepsEach: 200 }];

describe('[R-OPS-3] the work of one operation', () => {
  it.each(sizes)('an append copies at most 100 fields and slots: $turns turns of $stepsEach steps', (shape) => {
    const base = baseOf(shape);
    for (const turn of [0, Math.floor(shape.turns / 2), shape.turns - 1]) expect(appendCost(base, shape, turn)).toBeLessThanOrEqual(100);
  }, 60_000);

  it('counts what it should: a change that is made plainly costs what it copies', () => {
    const base = baseOf({ turns: 40, stepsEach: 1 });
    const { state } = base;
    expect(copied(base, state)).toBe(0);
    expect(copied(base, next(state, { op: 'reset', agentId: 'main', snapshot: { items: state.items, tasks: [], interactions: [], attachments: [], todos: [], prompts: [], meta: {} } }))).toBeGreaterThan(40 * 5);
  });

  const others: readonly (readonly [string, (turns: number) => TranscriptOperation])[] = [
    ['a new turn', (turns) => ({ op: 'turn.upsert', turn: { kind: 'turn', turnId: `t${turns}`, ordinal: turns, state: 'running', origin: { kind: 'user' } } })],
    ['a turn that ends', (turns) => ({ op: 'turn.upsert', turn: { kind: 'turn', turnId: `t${turns - 1}`, ordinal: turns - 1, state: 'failed', origin: { kind: 'user' } } })],
    ['a marker in the middle', (turns) => ({ op: 'marker.upsert', item: { kind: 'marker', markerId: 'm1', marker: 'goal' }, beforeTurn: turns / 2 })],
    ['a removed turn, its interaction too', (turns) => ({ op: 'items.remove', ids: [`t${turns / 2}`] })],
    ['an answered interaction', (turns) => ({ op: 'interaction.upsert', interaction: { interactionId: `i${turns / 2}`, interactionKind: 'approval', toolCallId: `call_${turns / 2}`, state: 'rejected' } })],
    ['a task that begins', () => ({ op: 'task.upsert', task: { taskId: 'x', kind: 'shell', state: 'running', detached: false, outputTail: '' } })],
  ];
  it.each(others)('%s costs no more than its logarithm at 500 times as many turns', (_name, opAt) => {
    const [few, many] = [100, 50_000].map((turns) => {
      const base = baseOf({ turns, stepsEach: 1 });
      return copied(base, next(base.state, opAt(turns)));
    }) as [number, number];
    expect(few).toBeGreaterThan(0);
    expect(many).toBeLessThanOrEqual(few * 3);
  });

  it('the array of items is the same one for each reader, and shares the turns that did not change', () => {
    const shape = { turns: 100, stepsEach: 1 };
    const { state } = baseOf(shape);
    const { items } = state;
    const after = next(state, { op: 'append', target: { type: 'frame', turnId: 't50', stepId: 't50.1', frameId: 't50.1.f1' }, offset: 6, text: '!' });
    expect(state.items).toBe(items);
    expect(Array.isArray(after.items)).toBe(true);
    expect(after.items.filter((item, index) => item !== items[index]).map((item) => item.kind === 'turn' && item.turnId)).toEqual(['t50']);
    expect(structuredClone(after.items)).toEqual(after.items);
  });
});

describe('[R-OPS-3] a text that grows', () => {
  it('is compared with its newest part only, however long it is: an append that comes twice costs no more', () => {
    let text = new GrowingText('');
    const read: number[] = [];
    for (let index = 0; index < 20_000; index += 1) {
      const offset = text.whole.length;
      text = text.append(offset, 'token ') as GrowingText;
      expect(text.append(offset, 'token ')).toBe(text);
      read.push((text as unknown as { recent: string }).recent.length);
    }
    expect(text.whole.length).toBe(120_000);
    expect(Math.max(...read)).toBeLessThanOrEqual(4_096 + 6);
  });
});
