import { type Fact, type FactKey, type FactOf, type FactType, type OrdinalRange, type TapeId, factKey } from '@tapefold/facts';

/** A range of facts that a history fact took back, or gave back. */
interface RangeWord extends OrdinalRange { readonly isOut: boolean }

/** What is out of the history now, as JSON. `items` names items and inputs by their first facts. */
export interface ScopeState {
  readonly turns: readonly FactKey[];
  readonly steps: readonly FactKey[];
  readonly items: readonly FactKey[];
  readonly ranges: readonly RangeWord[];
}

/** Facts that a range takes back: of the families that no turn takes along, and ends and outlooks of turns and steps. */
const rangedTypes: ReadonlySet<FactType> = new Set<FactType>([
  'todo.replaced', 'plan.revised', 'goal.set', 'goal.cleared', 'mode.entered', 'mode.exited', 'task.started', 'task.changed', 'task.ended', 'notice.posted', 'interaction.requested',
  'interaction.resolved', 'turn.ended', 'turn.changed', 'step.ended', 'step.retried', 'context.compacted',
]);

/** Facts that leave with the turn or the step that they name. Usage and prompts always count; goals, modes, tasks and lists of things to do go by ranges alone. */
const nestedTypes: ReadonlySet<FactType> = new Set<FactType>([
  'turn.ended', 'turn.changed', 'step.started', 'step.ended', 'step.retried', 'item.started', 'item.changed', 'item.completed', 'input.placed', 'interaction.requested', 'interaction.resolved', 'notice.posted',
  'context.compacted', 'context.appended',
]);

/** Says what counts. Superseding deletes nothing: each target keeps the newest word on it, so a branch that was left can come back. */
export class Scope {
  readonly #turns: Set<FactKey>;
  readonly #steps: Set<FactKey>;
  readonly #items: Set<FactKey>;
  readonly #ranges: RangeWord[];

  constructor(state: ScopeState = { turns: [], steps: [], items: [], ranges: [] }) {
    this.#turns = new Set(state.turns);
    this.#steps = new Set(state.steps);
    this.#items = new Set(state.items);
    this.#ranges = [...state.ranges];
  }

  state(): ScopeState {
    return { turns: [...this.#turns], steps: [...this.#steps], items: [...this.#items], ranges: [...this.#ranges] };
  }

  /** Takes a history fact; false where it names nothing that a person sees. */
  take(fact: FactOf<'history.superseded' | 'history.restored'>): boolean {
    const isOut = fact.type === 'history.superseded';
    const mark = (set: Set<FactKey>, keys: readonly FactKey[]): void => {
      for (const key of keys) if (isOut) set.add(key); else set.delete(key);
    };
    const items = [...(fact.items ?? []), ...(fact.inputs ?? [])];
    mark(this.#turns, fact.turns);
    mark(this.#steps, fact.steps ?? []);
    mark(this.#items, items);
    this.#ranges.push(...(fact.facts ?? []).map((range) => ({ ...range, isOut })));
    return fact.turns.length + items.length + (fact.steps ?? []).length + (fact.facts ?? []).length > 0;
  }

  /** A newer copy takes this turn's part; false where it is out already. */
  closeTurn(turn: FactKey): boolean {
    if (this.#turns.has(turn)) return false;
    this.#turns.add(turn);
    return true;
  }

  /** Whether the fact counts, as far as its own key and what it names tell. */
  counts(fact: Fact): boolean {
    const key = factKey(fact.tape, fact.ordinal);
    if (fact.type === 'turn.started') return !this.#turns.has(key);
    if (fact.type === 'step.started' && this.#steps.has(key)) return false;
    if (fact.type === 'input.received') return !this.#items.has(key);
    if (nestedTypes.has(fact.type) && this.#isInside(fact)) return false;
    return !(rangedTypes.has(fact.type) && this.#isTakenBack(fact.tape, fact.ordinal));
  }

  #isInside({ turn, step }: Fact): boolean {
    return (turn !== undefined && this.#turns.has(turn)) || (step !== undefined && this.#steps.has(step));
  }

  /** Whether the item that this fact began is out. */
  isItemOut(key: FactKey): boolean {
    return this.#items.has(key);
  }

  #isTakenBack(tape: TapeId, ordinal: number): boolean {
    for (let i = this.#ranges.length - 1; i >= 0; i--) {
      const range = this.#ranges[i] as RangeWord;
      if (range.tape === tape && range.from <= ordinal && ordinal < range.to) return range.isOut;
    }
    return false;
  }
}
