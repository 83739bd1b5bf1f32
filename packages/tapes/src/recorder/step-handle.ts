import type { FactDraft, FactKey, ItemBody, Usage } from '@tapefold/facts';
import { CallItem, type CallStart, type CompleteOptions, type ItemPlace, MessageItem, ReasoningItem, recordItem } from './items.js';
import type { RecorderPen } from './recorder-pen.js';

/** How a step ended, and what it used. `usage` is counted once, for the turn and the thread. */
export interface StepEnd {
  readonly status?: 'completed' | 'interrupted' | 'failed' | undefined;
  readonly finishReason?: string | undefined;
  readonly message?: string | undefined;
  readonly usage?: Usage | undefined;
  readonly contextTokens?: number | undefined;
  readonly contextWindow?: number | undefined;
  readonly responseId?: string | undefined;
  readonly firstTokenMs?: number | undefined;
  readonly streamMs?: number | undefined;
}

/** A model call that failed and is made again. Milliseconds. */
export interface StepRetry {
  readonly message?: string | undefined;
  readonly errorName?: string | undefined;
  readonly statusCode?: number | undefined;
  readonly failedAttempt?: number | undefined;
  readonly maxAttempts?: number | undefined;
  readonly delayMs?: number | undefined;
}

/** The turn that a step is part of. `demandOpen` throws when it has ended. */
export interface TurnScope {
  readonly key: FactKey;
  readonly isOver: boolean;
  demandOpen(): void;
}

interface StepParts { readonly pen: RecorderPen; readonly turn: TurnScope; readonly key: FactKey; readonly id: string; readonly model: string | undefined }

/** One response of the model: its words, its thinking, its calls, in the order in which they are begun. */
export class StepHandle {
  readonly key: FactKey;
  readonly id: string;
  readonly #parts: StepParts;
  #frames = 0;
  #attemptFrom: number;
  #isOver = false;

  constructor(parts: StepParts) {
    this.#parts = parts;
    this.key = parts.key;
    this.id = parts.id;
    this.#attemptFrom = ordinalOf(parts.key) + 1;
  }

  get isOver(): boolean { return this.#isOver || this.#parts.turn.isOver; }

  message(): MessageItem { return new MessageItem(this.#place()); }
  reasoning(): ReasoningItem { return new ReasoningItem(this.#place()); }
  /** The call is on the tape when this returns: run it after that. */
  call(start: CallStart): CallItem { return new CallItem(this.#place(start.callId), start); }
  /** Something that only a person sees. */
  item(body: ItemBody, options: CompleteOptions = {}): Promise<void> { return recordItem(this.#place(), body, options); }

  #place(id?: string): ItemPlace {
    this.#frames += 1;
    const { pen, turn } = this.#parts;
    return { pen, turn: turn.key, step: this.key, id: id ?? `${this.id}.f${this.#frames}`, demandOpen: () => this.#demandOpen() };
  }

  #demandOpen(): void {
    this.#parts.turn.demandOpen();
    if (this.#isOver) this.#parts.pen.refuse(`step ${this.id} has ended`);
  }

  /** The attempt failed and is made again: what it put on the tape is taken back. Drop what it only streamed. */
  retry(retry: StepRetry = {}): void {
    this.#demandOpen();
    const { pen, turn } = this.#parts;
    pen.write((add) => {
      const refs = { turn: turn.key, step: this.key };
      const to = ordinalOf(add({ type: 'step.retried', ...refs, ...retry }));
      const range = { tape: pen.tape, from: this.#attemptFrom, to };
      if (range.from < to) add({ type: 'history.superseded', reason: 'retracted', ...refs, turns: [], items: pen.state.itemsOfAttempt(this.key), context: [range] });
      this.#attemptFrom = to + 1;
    });
    pen.state.forgetAttempt(this.key);
  }

  /** The response is over. */
  end(end: StepEnd = {}): void {
    this.#demandOpen();
    this.#parts.pen.write((add) => this.endFacts(end).forEach((draft) => void add(draft)));
    this.#isOver = true;
  }

  /** Whoever wrote the facts of its end says so. */
  markEnded(): void { this.#isOver = true; }

  /** What ends the step, for a turn or a next step that ends it with facts of its own. */
  endFacts({ status = 'completed', usage, contextTokens, contextWindow, responseId, ...rest }: StepEnd): FactDraft[] {
    const { turn, model } = this.#parts;
    const refs = { turn: turn.key, step: this.key };
    const used: FactDraft[] = usage === undefined ? [] : [{ type: 'usage.recorded', ...refs, responseId, model, contextTokens, contextWindow, usage }];
    return [...used, { type: 'step.ended', ...refs, status, usage, ...rest }];
  }
}

const ordinalOf = (key: FactKey): number => Number(key.slice(key.lastIndexOf('#') + 1));
