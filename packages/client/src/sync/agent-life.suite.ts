import { type TranscriptOperation, frameId, stepId, toolFrameId, turnId } from '@tapefold/transcript';
import fc from 'fast-check';

/** One thing that an agent does; `of` picks among what there is, `text` is what it says. */
export interface Deed {
  readonly what: 'turn' | 'step' | 'text' | 'delta' | 'flush' | 'tool' | 'result' | 'late' | 'marker' | 'task' | 'output' | 'ask' | 'resolve' | 'meta' | 'undo';
  readonly of: number;
  readonly text: string;
}

const deeds: readonly Deed['what'][] = ['turn', 'step', 'text', 'delta', 'delta', 'delta', 'flush', 'tool', 'result', 'late', 'marker', 'task', 'output', 'ask', 'resolve', 'meta', 'undo'];

/** Something that an agent can do. */
export const arbitraryDeed: fc.Arbitrary<Deed> = fc.record({ what: fc.constantFrom(...deeds), of: fc.nat(7), text: fc.string({ minLength: 1, maxLength: 4 }) });

interface Turn { readonly ordinal: number; steps: number; frames: number; open: { frameId: string; text: string } | undefined; tools: string[] }

/** An agent that does what it is told, and says what changed: operations in the order in which a projector sends them. */
export class AgentLife {
  private readonly turns: Turn[] = [];
  private next = 0;
  private count = 0;
  private readonly tails = new Map<string, string>();

  do({ what, of, text }: Deed): readonly TranscriptOperation[] {
    const turn = this.turns.at(-1);
    switch (what) {
      case 'turn': return this.begin(text);
      case 'step': return turn === undefined ? this.begin(text) : this.step(turn);
      case 'text': return this.inStep((at) => this.openText(at));
      case 'delta': return this.inStep((at) => [...(at.open === undefined ? this.openText(at) : []), ...this.append(at, text)]);
      case 'flush': return turn?.open === undefined ? [] : this.flush(turn);
      case 'tool': return this.inStep((at) => this.tool(at));
      case 'result': return turn === undefined ? [] : this.result(turn, text);
      case 'late': return this.late(of, text);
      case 'marker': return [{ op: 'marker.upsert', item: { kind: 'marker', markerId: `m${(this.count += 1)}`, marker: 'notice', payload: text }, beforeTurn: this.next }];
      case 'task': return this.task(`task-${of}`);
      case 'output': return this.output(`task-${of}`, text);
      case 'ask': return this.ask(turn, of);
      case 'resolve': return [{ op: 'interaction.upsert', interaction: { interactionId: `i${of}`, interactionKind: 'approval', state: 'approved' } }];
      case 'meta': return [{ op: 'meta.merge', meta: { agent: { model: text }, modes: of % 2 === 0 ? { plan: {} } : { plan: null } } }];
      case 'undo': return this.undo();
    }
  }

  /** A point at which no text is open: what was appended is said whole. */
  finish(): readonly TranscriptOperation[] {
    const turn = this.turns.at(-1);
    const flushed = turn?.open === undefined ? [] : this.flush(turn);
    return [...flushed, ...[...this.tails].map(([taskId, outputTail]): TranscriptOperation => ({ op: 'task.upsert', task: { taskId, kind: 'shell', state: 'completed', detached: true, outputTail } }))];
  }

  private begin(prompt: string): readonly TranscriptOperation[] {
    const closing = this.turns.at(-1)?.open === undefined ? [] : this.flush(this.turns[this.turns.length - 1] as Turn);
    const ordinal = this.next;
    this.next += 1;
    this.turns.push({ ordinal, steps: 0, frames: 0, open: undefined, tools: [] });
    return [...closing, { op: 'turn.upsert', turn: { kind: 'turn', turnId: turnId(ordinal), ordinal, state: 'running', origin: { kind: 'user' }, prompt } }];
  }

  private step(turn: Turn): readonly TranscriptOperation[] {
    const closing = turn.open === undefined ? [] : this.flush(turn);
    turn.steps += 1;
    turn.frames = 0;
    const id = turnId(turn.ordinal);
    return [...closing, { op: 'step.upsert', turnId: id, step: { kind: 'step', stepId: stepId(id, turn.steps), turnId: id, ordinal: turn.steps, state: 'running' } }];
  }

  private inStep(act: (turn: Turn) => readonly TranscriptOperation[]): readonly TranscriptOperation[] {
    const opening = this.turns.length === 0 ? this.begin('hello') : [];
    const turn = this.turns[this.turns.length - 1] as Turn;
    const stepping = turn.steps === 0 ? this.step(turn) : [];
    return [...opening, ...stepping, ...act(turn)];
  }

  private at(turn: Turn): { readonly turnId: string; readonly stepId: string } {
    const id = turnId(turn.ordinal);
    return { turnId: id, stepId: stepId(id, turn.steps) };
  }

  private openText(turn: Turn): readonly TranscriptOperation[] {
    const closing = turn.open === undefined ? [] : this.flush(turn);
    turn.frames += 1;
    const at = this.at(turn);
    turn.open = { frameId: frameId(at.stepId, turn.frames), text: '' };
    return [...closing, { op: 'frame.upsert', ...at, frame: { kind: 'text', frameId: turn.open.frameId, role: 'assistant', text: '' } }];
  }

  private append(turn: Turn, text: string): readonly TranscriptOperation[] {
    if (turn.open === undefined) return [];
    const offset = turn.open.text.length;
    turn.open.text += text;
    return [{ op: 'append', target: { type: 'frame', ...this.at(turn), frameId: turn.open.frameId }, offset, text }];
  }

  private flush(turn: Turn): readonly TranscriptOperation[] {
    if (turn.open === undefined) return [];
    const frame = { kind: 'text' as const, frameId: turn.open.frameId, role: 'assistant' as const, text: turn.open.text };
    turn.open = undefined;
    return [{ op: 'frame.upsert', ...this.at(turn), frame }];
  }

  private tool(turn: Turn): readonly TranscriptOperation[] {
    const call = `call-${(this.count += 1)}`;
    turn.tools.push(call);
    const at = this.at(turn);
    return [{ op: 'frame.upsert', ...at, frame: { kind: 'tool', frameId: toolFrameId(at.stepId, call), toolCallId: call, name: 'Bash', state: 'running' } }];
  }

  private result(turn: Turn, output: string): readonly TranscriptOperation[] {
    const call = turn.tools.pop();
    if (call === undefined || turn.steps === 0) return [];
    const at = this.at(turn);
    return [{ op: 'frame.upsert', ...at, frame: { kind: 'tool', frameId: toolFrameId(at.stepId, call), toolCallId: call, name: 'Bash', state: 'done', output } }];
  }

  /** A record of an older turn that comes late. */
  private late(of: number, error: string): readonly TranscriptOperation[] {
    const turn = this.turns[this.turns.length - 1 - of];
    if (turn === undefined) return [];
    return [{ op: 'turn.upsert', turn: { kind: 'turn', turnId: turnId(turn.ordinal), ordinal: turn.ordinal, state: 'failed', origin: { kind: 'user' }, error } }];
  }

  private task(taskId: string): readonly TranscriptOperation[] {
    this.tails.set(taskId, '');
    return [{ op: 'task.upsert', task: { taskId, kind: 'shell', state: 'running', detached: true, outputTail: '' } }, { op: 'taskref.upsert', item: { kind: 'taskref', refId: `ref-${taskId}`, taskId }, beforeTurn: this.next }];
  }

  private output(taskId: string, text: string): readonly TranscriptOperation[] {
    const offset = this.tails.get(taskId)?.length ?? 0;
    this.tails.set(taskId, (this.tails.get(taskId) ?? '') + text);
    return [{ op: 'append', target: { type: 'task', taskId }, offset, text }];
  }

  private ask(turn: Turn | undefined, of: number): readonly TranscriptOperation[] {
    const toolCallId = turn?.tools.at(-1);
    return [{ op: 'interaction.upsert', interaction: { interactionId: `i${of}`, interactionKind: 'approval', state: 'pending', ...(toolCallId === undefined ? {} : { toolCallId }) } }];
  }

  private undo(): readonly TranscriptOperation[] {
    const turn = this.turns.pop();
    if (turn === undefined) return [];
    this.next = turn.ordinal;
    return [{ op: 'items.remove', ids: [turnId(turn.ordinal)] }];
  }
}
