import type { FactKey, FactOf, JsonValue } from '@tapefold/facts';
import type { RecorderPen } from './recorder-pen.js';

/** What the person is asked. `call`: the id of the call that waits for it. */
export interface InteractionStart {
  readonly kind: FactOf<'interaction.requested'>['kind'];
  readonly request: JsonValue;
  readonly call?: string | undefined;
}

interface InteractionParts { readonly pen: RecorderPen; readonly references: { readonly turn: FactKey; readonly step?: FactKey }; readonly id: string; readonly start: InteractionStart }

/** A question to the person that waits for its answer. One that never comes is settled by readers as cancelled. */
export class InteractionHandle {
  readonly id: string;
  readonly key: FactKey;
  readonly #parts: InteractionParts;
  #isOver = false;

  constructor(parts: InteractionParts) {
    this.#parts = parts;
    this.id = parts.id;
    const { pen, references, start: { kind, request, call } } = parts;
    let key = '';
    pen.write((add) => (key = add({ type: 'interaction.requested', ...references, call, id: this.id, kind, request })));
    this.key = key;
  }

  /** What came of it. */
  resolve(outcome: FactOf<'interaction.resolved'>['outcome'], response?: JsonValue): void {
    const { pen, references, start: { call } } = this.#parts;
    if (this.#isOver) pen.refuse(`interaction ${this.id} is resolved already`);
    pen.write((add) => add({ type: 'interaction.resolved', ...references, call, id: this.id, request: this.key, outcome, response }));
    this.#isOver = true;
  }
}
