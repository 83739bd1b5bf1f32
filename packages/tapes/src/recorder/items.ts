import { type ContentPart, type FactDraft, type FactKey, type ItemBody, type ItemStatus, type JsonValue, type Native, type TextDelta, textOfParts } from '@tapefold/facts';
import { type Content, partsOf } from './content.js';
import type { AddFact, RecorderPen } from './recorder-pen.js';

/** Where an item stands, and what it is called there. */
export interface ItemPlace {
  readonly pen: RecorderPen;
  readonly turn: FactKey;
  readonly step: FactKey | undefined;
  readonly id: string;
  /** Throws when the turn or the step that it belongs to is over. */
  readonly demandOpen: () => void;
}

/** How an item's facts are written. `barrier`: its completion is told, and the promise resolves, when it is on the disk. */
export interface CompleteOptions {
  readonly barrier?: boolean | undefined;
}

/** What all kinds of items have in common: one completion, deltas before it. */
abstract class Item {
  readonly id: string;
  protected readonly place: ItemPlace;
  protected readonly startedAtMs: number;
  #isOver = false;
  readonly #lengths = new Map<string, number>();

  constructor(place: ItemPlace) {
    place.demandOpen();
    this.place = place;
    this.id = place.id;
    this.startedAtMs = place.pen.nowMs();
  }

  protected stream(delta: Pick<TextDelta, 'kind' | 'field' | 'index' | 'text'>): void {
    this.demandOpen();
    const { pen, turn, step, id } = this.place;
    const field = `${delta.field} ${delta.index ?? ''}`;
    const offset = this.#lengths.get(field) ?? 0;
    this.#lengths.set(field, offset + delta.text.length);
    pen.delta({ turn, step, item: id, ...delta, offset });
  }

  protected demandOpen(): void {
    if (this.#isOver) this.place.pen.refuse(`item ${this.id} is complete already`);
    this.place.demandOpen();
  }

  protected get references(): { turn: FactKey; step?: FactKey } {
    const { turn, step } = this.place;
    return step === undefined ? { turn } : { turn, step };
  }

  protected async finish(fill: (add: AddFact) => void, { barrier = false }: CompleteOptions): Promise<void> {
    this.demandOpen();
    if (barrier) {
      const through = this.place.pen.writeThrough(fill);
      this.#isOver = true;
      await through;
      return;
    }
    this.place.pen.write(fill);
    this.#isOver = true;
  }

  /** Nothing comes of it: what was streamed belongs to an attempt that is made again, and no fact says anything of it. */
  drop(): void {
    this.demandOpen();
    this.#isOver = true;
    this.place.pen.dropped({ turn: this.place.turn, item: this.id });
  }

  protected shown(body: ItemBody): Extract<FactDraft, { type: 'item.completed' }> {
    return { type: 'item.completed', ...this.references, id: this.id, body, visibility: 'shown', isAdded: false, startedAtMs: this.startedAtMs, completedAtMs: this.place.pen.nowMs() };
  }
}

/** The end of a message. `text`: absent, what was streamed. `isInContext: false`: the model does not read it again. `native`: as its provider wrote it. */
export interface MessageEnd extends CompleteOptions {
  readonly text?: string | undefined;
  readonly phase?: 'commentary' | 'partialAnswer' | 'finalAnswer' | undefined;
  readonly isInContext?: boolean | undefined;
  readonly native?: Native | undefined;
}

/** Words of the agent, on their way. */
export class MessageItem extends Item {
  #text = '';

  /** More of the text, for those who watch. */
  delta(text: string): void {
    this.stream({ kind: 'agentMessage', field: 'text', text });
    this.#text += text;
  }

  /** The whole message, as it counts. */
  complete({ text = this.#text, phase, isInContext = true, native, barrier }: MessageEnd = {}): Promise<void> {
    return this.finish((add) => {
      const shows = add(this.shown({ kind: 'agentMessage', text, phase }));
      if (isInContext) add({ type: 'context.appended', ...this.references, item: { kind: 'message', role: 'assistant', content: [{ kind: 'text', text }], visibility: 'shown', native }, shows });
    }, { barrier });
  }
}

/** The end of a reasoning. Parts that are absent are what was streamed. */
export interface ReasoningEnd extends CompleteOptions {
  readonly summary?: readonly string[] | undefined;
  readonly content?: readonly string[] | undefined;
  readonly isEncrypted?: boolean | undefined;
  readonly native?: Native | undefined;
}

/** Thinking of the model, on its way: summaries, and raw parts. */
export class ReasoningItem extends Item {
  readonly #parts: Record<'summary' | 'content', string[]> = { summary: [], content: [] };

  delta(text: string, { field = 'content', index = 0 }: { field?: 'summary' | 'content'; index?: number } = {}): void {
    this.stream({ kind: 'reasoning', field, index, text });
    const parts = this.#parts[field];
    while (parts.length <= index) parts.push('');
    parts[index] += text;
  }

  complete({ summary = this.#parts.summary, content = this.#parts.content, isEncrypted = false, native, barrier }: ReasoningEnd = {}): Promise<void> {
    return this.finish((add) => {
      const shows = add(this.shown({ kind: 'reasoning', summary: [...summary], content: [...content] }));
      add({ type: 'context.appended', ...this.references, item: { kind: 'reasoning', summary: [...summary], content: [...content], isEncrypted, native }, shows });
    }, { barrier });
  }
}

/** A call that the model makes. `input`: a text as it is, or a value, which goes into the request as JSON. `body`: how a person sees it; absent, as a tool with its arguments. */
export interface CallStart {
  readonly name: string;
  readonly input: JsonValue;
  readonly callId?: string | undefined;
  readonly namespace?: string | undefined;
  /** `text`: the provider takes the input as it is, and not as JSON. */
  readonly form?: 'json' | 'text' | undefined;
  readonly body?: ItemBody | undefined;
  readonly native?: Native | undefined;
}

/** How a call ended. `body`: absent, what it began with, and what is known now. */
export interface CallEnd extends CompleteOptions {
  readonly output: Content;
  readonly status?: Exclude<ItemStatus, 'running'> | undefined;
  readonly isError?: boolean | undefined;
  readonly exitCode?: number | undefined;
  readonly body?: ItemBody | undefined;
  readonly native?: Native | undefined;
}

function endedBody(body: ItemBody, end: { readonly output: ContentPart[]; readonly status: ItemStatus; readonly exitCode?: number | undefined; readonly durationMs: number }): ItemBody {
  const { output, status, exitCode, durationMs } = end;
  switch (body.kind) {
    case 'command': return { ...body, status, output: textOfParts(output), exitCode, durationMs };
    case 'toolCall': return { ...body, status, output, isSuccess: status === 'completed', durationMs };
    case 'mcpCall': return { ...body, status, durationMs };
    case 'agentCall': case 'fileChange': case 'webSearch': return { ...body, status };
    default: return body;
  }
}

/** A call that was begun: it is on the tape, so that a reader knows that it may have run. */
export class CallItem extends Item {
  readonly callId: string;
  readonly #start: CallStart;
  readonly #body: ItemBody;
  #key: FactKey = '';

  constructor(place: ItemPlace, start: CallStart) {
    super(place);
    this.callId = place.id;
    this.#start = start;
    this.#body = start.body ?? { kind: 'toolCall', namespace: start.namespace, tool: start.name, arguments: start.input, status: 'running' };
    place.pen.write((add) => this.#begin(add));
  }

  #begin(add: AddFact): void {
    const { name, namespace, input, native, form = 'json' } = this.#start;
    const text = form === 'text' && typeof input === 'string' ? input : JSON.stringify(input);
    const refs = { ...this.references, call: this.callId };
    const context = add({ type: 'context.appended', ...refs, item: { kind: 'call', callId: this.callId, name, namespace, input: text, form, native } });
    this.#key = add({ type: 'item.started', ...refs, id: this.id, body: this.#body, tool: { name, namespace, input }, visibility: 'shown', isAdded: false, startedAtMs: this.startedAtMs, context });
  }

  /** The key of the fact that began it. */
  get key(): FactKey { return this.#key; }

  /** More of the output, for those who watch. */
  delta(text: string): void {
    this.stream({ kind: 'call', field: 'output', text });
  }

  /** How far it is, for the record: seldom, since each is a fact. */
  progress(progress: { readonly kind: 'stdout' | 'stderr' | 'progress' | 'status' | 'custom'; readonly text?: string; readonly percent?: number; readonly data?: JsonValue }): void {
    this.demandOpen();
    this.place.pen.write((add) => add({ type: 'item.changed', ...this.references, call: this.callId, id: this.id, progress }));
  }

  /** The result, for the person and for the model. */
  complete({ output, status = 'completed', isError = status !== 'completed', exitCode, body, native, barrier }: CallEnd): Promise<void> {
    const parts = partsOf(output);
    const ended = body ?? endedBody(this.#body, { output: parts, status, exitCode, durationMs: this.place.pen.nowMs() - this.startedAtMs });
    const { name, namespace, input } = this.#start;
    const refs = { ...this.references, call: this.callId };
    return this.finish((add) => {
      const completed = this.shown(ended);
      const shows = add({ ...completed, ...refs, tool: { name, namespace, input, ...(isError ? { error: textOfParts(parts) } : { output: textOfParts(parts) }) } });
      add({ type: 'context.appended', ...refs, item: { kind: 'result', callId: this.callId, output: parts, isError: isError ? true : undefined, native }, shows });
    }, { barrier });
  }

  override drop(): never {
    return this.place.pen.refuse(`call ${this.id} is on the tape, so it cannot be dropped: complete it`);
  }
}

/** An item that a person sees and the model does not read: a plan, a review, a picture that was looked at. One fact. */
export function recordItem(place: ItemPlace, body: ItemBody, options: CompleteOptions): Promise<void> {
  return new ShownItem(place).complete(body, options);
}

class ShownItem extends Item {
  complete(body: ItemBody, options: CompleteOptions): Promise<void> {
    return this.finish((add) => void add(this.shown(body)), options);
  }
}
