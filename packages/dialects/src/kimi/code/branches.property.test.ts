import { emptyContext, foldContext, historyOf } from '@tapefold/context';
import type { Fact, JsonObject, JsonValue } from '@tapefold/facts';
import { fileOf, playAll } from '@tapefold/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { makePlayer } from '../corpus.suite.js';
import { Answer } from './answer.suite.js';
import { flattened } from './flattened.suite.js';

/** What may come next in a log. Numbers choose among what there is. */
type Deed =
  | { readonly do: 'prompt' | 'end' | 'message' | 'steer' | 'task' | 'clear' | 'compact' | 'retract' | 'todo' | 'goal' | 'mode' | 'ask' | 'cancel' }
  | { readonly do: 'injection' | 'step'; readonly shape: number }
  | { readonly do: 'undo'; readonly count: number }
  | { readonly do: 'switch'; readonly branch: number; readonly line: number; readonly withUndo: boolean };

const deed: fc.Arbitrary<Deed> = fc.oneof(
  { weight: 6, arbitrary: fc.constant<Deed>({ do: 'prompt' }) }, { weight: 4, arbitrary: fc.constant<Deed>({ do: 'end' }) },
  { weight: 8, arbitrary: fc.nat(63).map((shape): Deed => ({ do: 'step', shape })) }, { weight: 3, arbitrary: fc.nat(2).map((shape): Deed => ({ do: 'injection', shape })) },
  { weight: 2, arbitrary: fc.integer({ min: 1, max: 3 }).map((count): Deed => ({ do: 'undo', count })) },
  { weight: 4, arbitrary: fc.tuple(fc.nat(9), fc.nat(99), fc.boolean()).map(([branch, line, withUndo]): Deed => ({ do: 'switch', branch, line, withUndo })) },
  { weight: 8, arbitrary: fc.constantFrom<Deed['do']>('message', 'steer', 'task', 'compact', 'todo', 'goal', 'mode', 'ask', 'cancel').map((name) => ({ do: name }) as Deed) },
  { weight: 1, arbitrary: fc.constant<Deed>({ do: 'clear' }) },
);

const text = (words: string): JsonValue => [{ type: 'text', text: words }];

/** Writes a log as the program would, without regard for what a person would do. */
class Log {
  readonly records: JsonObject[] = [{ type: 'metadata', protocol_version: '1.5', created_at: 1_760_000_000_000 }];
  readonly #branches: { name: string; from: number }[] = [{ name: 'main', from: 1 }];
  #turn = 0;
  #n = 0;

  add(record: JsonObject): void {
    this.records.push({ ...record, time: 1_760_000_000_000 + this.records.length * 1_000 });
  }

  #id(kind: string): string {
    return `${kind}${(this.#n += 1)}`;
  }

  #message(id: string, origin: JsonObject): void {
    this.add({ type: 'context.append_message', message: { role: 'user', content: text(`words of ${id}`), toolCalls: [], id, origin } });
  }

  #event(event: JsonObject): void {
    this.add({ type: 'context.append_loop_event', event });
  }

  prompt(): void {
    const id = this.#id('p');
    this.add({ type: 'turn.prompt', input: text(`words of ${id}`), origin: { kind: 'user' }, promptId: id, turnId: this.#turn++ });
    this.#message(id, { kind: 'user' });
  }

  /** `shape`: bits that say what a step holds and how it ends. */
  step(shape: number): void {
    const uuid = this.#id('s');
    const has = (bit: number): boolean => (shape & bit) !== 0;
    this.#event({ type: 'step.begin', uuid, turnId: String(Math.max(0, this.#turn - 1)), step: this.#n });
    if (has(1)) this.#event({ type: 'content.part', stepUuid: uuid, part: { type: 'text', text: `text of ${uuid}` } });
    const call = `c${this.#n % 3}`;
    const from = this.records.length;
    if (has(2)) this.#event({ type: 'tool.call', stepUuid: uuid, toolCallId: call, name: 'Bash', args: { command: uuid } });
    if (has(2) && has(16)) this.#message(this.#id('m'), { kind: 'user' });
    if (has(2) && has(4)) this.#event({ type: 'tool.result', toolCallId: call, result: { output: `out of ${uuid}` } });
    if (has(32)) this.#event({ type: 'content.part', stepUuid: uuid, part: { type: 'think', think: `thought of ${uuid}` } });
    if (has(8)) this.#event({ type: 'step.end', uuid, finishReason: has(4) ? 'end_turn' : 'interrupted' });
    if (has(2) && !has(4)) this.#event({ type: 'step.begin', uuid: this.#id('s') });
    for (let at = from; has(2) && at < this.records.length; at += 1) if (!has(4) || at < from + (has(16) ? 2 : 1)) this.#waiting.add(at);
  }

  /** Numbers of records behind which a call waits for its result. */
  readonly #waiting = new Set<number>();

  do(act: Deed): void {
    switch (act.do) {
      case 'prompt': return this.prompt();
      case 'step': return this.step(act.shape);
      case 'end': return this.add({ type: 'turn.ended', turnId: Math.max(0, this.#turn - 1), reason: 'completed', durationMs: this.#n });
      case 'cancel': return this.add({ type: 'turn.step.interrupted', turnId: Math.max(0, this.#turn - 1), step: 1, reason: 'aborted' });
      case 'message': return this.#message(this.#id('m'), { kind: 'user' });
      case 'steer': return this.#steer();
      case 'task': return this.#message(this.#id('n'), { kind: 'task', taskId: this.#id('t') });
      case 'injection': return this.#message(this.#id('i'), { kind: 'injection', ...(act.shape === 0 ? {} : { ownerPromptId: `p${Math.max(1, this.#n - act.shape)}` }) });
      case 'clear': return this.add({ type: 'context.clear' });
      case 'compact': return this.add({ type: 'context.apply_compaction', summary: this.#id('sum'), keptUserMessageCount: 1 });
      case 'todo': return this.add({ type: 'tools.update_store', key: 'todo', value: [{ title: this.#id('todo'), status: 'pending' }] });
      case 'goal': return this.add(this.#n % 3 === 0 ? { type: 'goal.create', objective: this.#id('goal') } : { type: 'goal.update', status: 'blocked', tokensUsed: (this.#n += 1) });
      case 'mode': return this.add({ type: this.#n % 2 ? 'plan_mode.enter' : 'plan_mode.exit', id: this.#id('plan') });
      case 'ask': return this.add({ type: 'interaction.request', id: this.#id('ask'), kind: 'approval', request: {} });
      case 'undo': return this.add({ type: 'context.undo', count: act.count });
      case 'switch': return this.#switch(act);
      case 'retract': return undefined;
      default: return undefined;
    }
  }

  #steer(): void {
    const id = this.#id('m');
    this.add({ type: 'turn.steer', input: text(`words of ${id}`), origin: { kind: 'user' }, messageId: id, promptIds: [id] });
    this.#message(id, { kind: 'user' });
  }

  /** No branch goes on from between a call and its result: what was said of the call is not taken back, and no program does it. */
  #cut(line: number): number {
    let at = line;
    while (this.#waiting.has(at - 1)) at -= 1;
    return at;
  }

  #switch({ branch, line, withUndo }: Extract<Deed, { do: 'switch' }>): void {
    const base = this.#branches[branch % this.#branches.length] ?? { name: 'main', from: 1 };
    const before = this.#cut(Math.max(4, this.records.length - (line % Math.max(1, this.records.length))));
    const name = this.#id('b');
    const undo = this.records.length + 2;
    this.add({ type: 'agent.switched', branch: name, base: { branch: base.name, line: before }, ...(withUndo ? { legacyUndoLine: undo } : {}) });
    if (withUndo) this.add({ type: 'context.undo', count: 1 });
    this.#branches.push({ name, from: this.records.length + 1 });
  }
}

function logOf(deeds: readonly Deed[]): JsonObject[] {
  const log = new Log();
  // One turn with an end before anything can be cut: that other turns count as cut off is told by the whole file [D-11].
  for (const first of ['prompt', 'end'] as const) log.do({ do: first });
  for (const one of deeds) log.do(one);
  return log.records;
}

const factsOf = (records: readonly JsonObject[]): Fact[] => playAll(makePlayer('property'), fileOf(records)).facts;

/** What the model reads, in words. */
function history(facts: readonly Fact[]): JsonValue[] {
  const state = facts.reduce((before, fact, position) => foldContext(before, fact, position), emptyContext);
  return historyOf(state).map(({ item }) => JSON.parse(JSON.stringify(item, (key, value: unknown) => (key === 'native' ? undefined : value))) as JsonValue);
}

function viewOf(facts: readonly Fact[]) {
  const answer = new Answer(facts);
  return { items: answer.items(), marks: answer.marks(), todos: answer.todos(), goal: answer.goal(), interactions: answer.interactions(), history: history(facts) };
}

const seed = Number(process.env['TAPEFOLD_SEED'] ?? 20_260_732);
const numRuns = process.env['TAPEFOLD_LONG'] === '1' ? 20_000 : 300;

describe('[R-THR-4] branches', () => {
  it('of any log give what the log of the active branch alone gives', () => {
    fc.assert(fc.property(fc.array(deed, { maxLength: 40 }), (deeds) => {
      const records = logOf(deeds);
      expect(viewOf(factsOf(records))).toEqual(viewOf(factsOf(flattened(records))));
    }), { seed, numRuns });
  }, 600_000);
});
