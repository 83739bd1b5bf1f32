import type { FactKey, FactOf, ItemBody, Origin, TurnError, TurnStatus, Visibility } from '@tapefold/facts';
import { type Content, partsOf } from './content.js';
import { InteractionHandle, type InteractionStart } from './interaction-handle.js';
import { type CompleteOptions, recordItem } from './items.js';
import type { AddFact, RecorderPen } from './recorder-pen.js';
import { StepHandle } from './step-handle.js';

/** What somebody says to the agent. */
export interface InputOptions {
  readonly origin?: Origin | undefined;
  /** The id that a client gave it. */
  readonly clientId?: string | undefined;
  readonly promptIds?: readonly string[] | undefined;
  /** `injected`: context that the program added, which the model reads and a person does not see. */
  readonly visibility?: Visibility | undefined;
}

/** How a turn ended. */
export interface TurnEnd {
  readonly status?: TurnStatus | undefined;
  readonly reason?: string | undefined;
  readonly error?: TurnError | undefined;
  readonly timeToFirstTokenMs?: number | undefined;
}

interface TurnParts { readonly pen: RecorderPen; readonly key: FactKey; readonly id: string; readonly onEnd: () => void }

/** Facts of an input: the model's copy, the person's, and where it stands. */
export function addInput(add: AddFact, { turn, id, content, as, options }: { turn: FactKey; id: string; content: Content; as: FactOf<'input.placed'>['as']; options: InputOptions }): void {
  const { origin, clientId, promptIds, visibility = 'shown' } = options;
  const context = add({ type: 'context.appended', turn, item: { kind: 'message', role: 'user', content: partsOf(content), visibility } });
  const input = add({ type: 'input.received', id, clientId, content: partsOf(content), visibility, origin, promptIds: promptIds && [...promptIds], isAdded: false, context });
  add({ type: 'input.placed', turn, input, as });
}

/** What the agent does about one input, from its start to its end. */
export class TurnHandle {
  readonly key: FactKey;
  readonly id: string;
  readonly #parts: TurnParts;
  readonly #startedAtMs: number;
  #steps = 0;
  #inputs = 1;
  #frames = 0;
  #interactions = 0;
  #openStep: StepHandle | undefined;
  #isOver = false;

  constructor(parts: TurnParts) {
    this.#parts = parts;
    this.key = parts.key;
    this.id = parts.id;
    this.#startedAtMs = parts.pen.nowMs();
  }

  get isOver(): boolean { return this.#isOver; }

  /** Throws `TapeError` (`outOfOrder`) when the turn has ended. */
  demandOpen(): void {
    if (this.#isOver) this.#parts.pen.refuse(`turn ${this.id} has ended`);
  }

  /** Words that come while the turn runs, and steer it. */
  steer(content: Content, options: InputOptions = {}): void {
    this.#input(content, 'steers', options);
  }

  /** Something that the program tells the agent while the turn runs: a task is done, a file changed. */
  notify(content: Content, options: InputOptions = {}): void {
    this.#input(content, 'notifies', options);
  }

  #input(content: Content, as: 'steers' | 'notifies', options: InputOptions): void {
    this.demandOpen();
    this.#parts.pen.write((add) => addInput(add, { turn: this.key, id: `${this.id}.u${this.#inputs}`, content, as, options }));
    this.#inputs += 1;
  }

  /** A response of the model begins. One that is still open ends as completed. */
  step({ model }: { readonly model?: string | undefined } = {}): StepHandle {
    this.demandOpen();
    const { pen } = this.#parts;
    const open = this.#openStep?.isOver ? undefined : this.#openStep;
    const id = `${this.id}.${this.#steps + 1}`;
    let key = '';
    pen.write((add) => {
      open?.endFacts({}).forEach((draft) => void add(draft));
      key = add({ type: 'step.started', turn: this.key, id, model });
    });
    open?.markEnded();
    this.#steps += 1;
    this.#openStep = new StepHandle({ pen, turn: this, key, id, model });
    return this.#openStep;
  }

  /** Something that only a person sees, outside of any response. */
  item(body: ItemBody, options: CompleteOptions = {}): Promise<void> {
    this.#frames += 1;
    return recordItem({ pen: this.#parts.pen, turn: this.key, step: undefined, id: `${this.id}.0.f${this.#frames}`, demandOpen: () => this.demandOpen() }, body, options);
  }

  /** Asks the person; the question is on the tape when this returns. */
  interaction(start: InteractionStart): InteractionHandle {
    this.demandOpen();
    this.#interactions += 1;
    const step = this.#openStep?.isOver ? undefined : this.#openStep?.key;
    return new InteractionHandle({ pen: this.#parts.pen, references: step === undefined ? { turn: this.key } : { turn: this.key, step }, id: `${this.id}.q${this.#interactions}`, start });
  }

  /** The turn is over, and with it the step that is still open. */
  end({ status = 'completed', ...rest }: TurnEnd = {}): void {
    this.demandOpen();
    const { pen, onEnd } = this.#parts;
    const open = this.#openStep?.isOver ? undefined : this.#openStep;
    pen.write((add) => {
      open?.endFacts({ status }).forEach((draft) => void add(draft));
      add({ type: 'turn.ended', turn: this.key, status, durationMs: pen.nowMs() - this.#startedAtMs, ...rest });
    });
    this.#isOver = true;
    onEnd();
  }
}
