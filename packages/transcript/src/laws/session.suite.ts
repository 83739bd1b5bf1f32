import fc from 'fast-check';
import type { TranscriptOperation } from '../index.js';
import { applyPlainly, emptyPlainState } from './plain-reducer.suite.js';

/** A batch as a server dispatches it; at a flush point no text is still growing. */
export interface Dispatched {
  readonly ops: readonly TranscriptOperation[];
  readonly isFlushPoint: boolean;
}

const text = fc.string({ unit: fc.constantFrom('a', 'b', ' ', '\u{1F600}'), maxLength: 5 });
const chunks = fc.array(text, { maxLength: 5 });
const open = fc.jsonValue({ maxDepth: 2 });

type Block =
  | { readonly kind: 'stream'; readonly as: 'text' | 'thinking'; readonly chunks: readonly string[] }
  | { readonly kind: 'call'; readonly name: string; readonly input: unknown; readonly output: string; readonly asks: boolean; readonly fails: boolean }
  | { readonly kind: 'task'; readonly chunks: readonly string[] }
  | { readonly kind: 'marker'; readonly payload: unknown; readonly isPlaced: boolean }
  | { readonly kind: 'meta'; readonly model: string; readonly plan: boolean }
  | { readonly kind: 'todo'; readonly title: string };

const blocks: fc.Arbitrary<Block> = fc.oneof(
  fc.record({ kind: fc.constant('stream' as const), as: fc.constantFrom('text' as const, 'thinking' as const), chunks }),
  fc.record({ kind: fc.constant('call' as const), name: fc.constantFrom('Bash', 'Edit'), input: open, output: text, asks: fc.boolean(), fails: fc.boolean() }),
  fc.record({ kind: fc.constant('task' as const), chunks }), fc.record({ kind: fc.constant('marker' as const), payload: open, isPlaced: fc.boolean() }),
  fc.record({ kind: fc.constant('meta' as const), model: fc.constantFrom('k2', 'k3'), plan: fc.boolean() }), fc.record({ kind: fc.constant('todo' as const), title: text }),
);
const turns = fc.record({ prompt: text, steps: fc.array(fc.array(blocks, { maxLength: 4 }), { maxLength: 3 }), removes: fc.option(fc.nat({ max: 5 }), { nil: undefined }), undoes: fc.option(fc.nat(), { nil: undefined, freq: 6 }) });

/** Plays turns as a live server would: headers first, text chunk by chunk and then whole, every end told. */
class Script {
  readonly batches: Dispatched[] = [];
  private turn = '';
  private ordinal = 0;
  private step = '';
  private counter = 0;

  private say(isFlushPoint: boolean, ...ops: TranscriptOperation[]): void {
    this.batches.push({ ops, isFlushPoint });
  }

  play(turn: { readonly prompt: string; readonly steps: readonly (readonly Block[])[]; readonly removes: number | undefined }, ordinal: number): void {
    [this.turn, this.ordinal] = [`t${ordinal}`, ordinal];
    const header = { kind: 'turn' as const, turnId: this.turn, ordinal, origin: { kind: 'user' as const }, prompt: turn.prompt };
    this.say(true, { op: 'prompt.upsert', prompt: { promptId: `p${ordinal}`, status: 'running', createdAt: '2026-01-01T00:00:00.000Z' } }, { op: 'turn.upsert', turn: { ...header, state: 'running' } });
    turn.steps.forEach((all, index) => this.playStep(all, index + 1));
    this.say(true, { op: 'turn.upsert', turn: { ...header, state: 'completed', durationMs: ordinal } }, { op: 'prompt.upsert', prompt: { promptId: `p${ordinal}`, status: 'completed', createdAt: '2026-01-01T00:00:00.000Z' } });
    if (turn.removes !== undefined) this.say(true, { op: 'items.remove', ids: [`t${turn.removes}`, `live-m${turn.removes}`] });
  }

  private playStep(all: readonly Block[], ordinal: number): void {
    this.step = `${this.turn}.${ordinal}`;
    const header = { kind: 'step' as const, stepId: this.step, turnId: this.turn, ordinal };
    this.say(true, { op: 'step.upsert', turnId: this.turn, step: { ...header, state: 'running' } });
    for (const block of all) this.playBlock(block);
    this.say(true, { op: 'step.upsert', turnId: this.turn, step: { ...header, state: 'completed', finishReason: 'stop' } });
  }

  private playBlock(block: Block): void {
    const n = (this.counter += 1);
    switch (block.kind) {
      case 'stream': return this.stream(block, `${this.step}.f${n}`);
      case 'call': return this.call(block, `call_${n}`);
      case 'task': return this.task(block, `task-${n}`);
      case 'marker': return this.say(true, { op: 'marker.upsert', item: { kind: 'marker', markerId: `live-m${n}`, marker: 'notice', payload: block.payload }, ...(block.isPlaced ? { beforeTurn: this.ordinal } : {}) });
      case 'meta': return this.say(true, { op: 'meta.merge', meta: { agent: { model: block.model }, modes: { plan: block.plan ? { version: n } : null } } });
      case 'todo': return this.say(true, { op: 'todo.upsert', todo: { todoId: 'todo', items: [{ title: block.title, status: 'pending' }] } });
    }
  }

  private stream({ as, chunks: parts }: Extract<Block, { kind: 'stream' }>, frameId: string): void {
    const at = { turnId: this.turn, stepId: this.step };
    const frame = (value: string) => ({ op: 'frame.upsert' as const, ...at, frame: as === 'text' ? { kind: 'text' as const, frameId, role: 'assistant' as const, text: value } : { kind: 'thinking' as const, frameId, text: value } });
    let whole = '';
    this.say(true, frame(''));
    for (const part of parts) {
      this.say(false, { op: 'append', target: { type: 'frame', ...at, frameId }, offset: whole.length, text: part });
      whole += part;
    }
    this.say(true, frame(whole));
  }

  private call({ name, input, output, asks, fails }: Extract<Block, { kind: 'call' }>, toolCallId: string): void {
    const at = { turnId: this.turn, stepId: this.step };
    const frame = { kind: 'tool' as const, frameId: `${this.step}.${toolCallId}`, toolCallId, name, input };
    const interaction = { interactionId: `approval_${toolCallId}`, interactionKind: 'approval' as const, toolCallId, request: { name } };
    this.say(true, { op: 'frame.upsert', ...at, frame: { ...frame, state: 'running' } });
    if (asks) this.say(true, { op: 'interaction.upsert', interaction: { ...interaction, state: 'pending' } });
    if (asks && !fails) this.say(true, { op: 'interaction.upsert', interaction: { ...interaction, state: 'approved' } });
    this.say(true, { op: 'frame.upsert', ...at, frame: { ...frame, state: fails ? 'error' : 'done', output } });
  }

  private task({ chunks: parts }: Extract<Block, { kind: 'task' }>, taskId: string): void {
    const task = (state: 'running' | 'completed', outputTail: string) => ({ op: 'task.upsert' as const, task: { taskId, kind: 'shell' as const, state, detached: false, outputTail } });
    let whole = '';
    this.say(true, task('running', ''), { op: 'taskref.upsert', item: { kind: 'taskref', refId: `ref-${taskId}`, taskId } });
    for (const part of parts) {
      this.say(false, { op: 'append', target: { type: 'task', taskId }, offset: whole.length, text: part });
      whole += part;
    }
    this.say(true, task('completed', whole));
  }

  /** Goes back to what was there after some batch, as an undo does: by a reset. */
  undo(to: number): void {
    const ops = this.batches.slice(0, to % (this.batches.length + 1)).flatMap((batch) => batch.ops);
    this.say(true, { op: 'reset', agentId: 'main', snapshot: ops.reduce(applyPlainly, emptyPlainState) });
  }
}

/** A session as its server dispatches it, from the first batch on. */
export const anySession: fc.Arbitrary<readonly Dispatched[]> = fc.array(turns, { minLength: 1, maxLength: 6 }).map((all) => {
  const script = new Script();
  all.forEach((turn, ordinal) => {
    script.play(turn, ordinal);
    if (turn.undoes !== undefined) script.undo(turn.undoes);
  });
  return script.batches;
});
