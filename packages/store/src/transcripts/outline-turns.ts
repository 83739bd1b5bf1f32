import { type Fact, type FactKey, type FactOf, type FactType, factKey } from '@tapefold/facts';
import type { PlacedFact } from '../thread-source.js';

/** A turn of an outline: the fact that began it, where, and the agent's own id. */
export interface OutlinedTurn {
  readonly key: FactKey;
  readonly id: string;
  readonly position: number;
}

/** Facts that name a turn and need no row of it. */
const aside: ReadonlySet<FactType> = new Set<FactType>(['notice.posted', 'context.compacted', 'context.configured', 'todo.replaced', 'plan.revised', 'goal.set', 'goal.cleared', 'mode.entered', 'mode.exited']);
/** Facts that say nothing but of their turn. */
const ofTurnAlone: ReadonlySet<FactType> = new Set<FactType>(['turn.started', 'turn.changed', 'turn.ended', 'usage.recorded', 'input.received', 'input.placed']);

const keyOf = ({ tape, ordinal }: Fact): FactKey => factKey(tape, ordinal);
/** Attachments are numbered over all turns, and so are prompts tied to them. */
const isMoreThanText = ({ content, promptIds }: FactOf<'input.received'>): boolean => promptIds !== undefined || content.some(({ kind }) => kind !== 'text');

/**
 * Which facts of an outline say nothing but of one turn. Law: a timeline of all other facts and of those of some turns is, in these turns and in everything that is no turn but the
 * tokens, the same as that of all facts, where turns keep their numbers.
 */
export class OutlineTurns {
  /** In order. */
  readonly turns: readonly OutlinedTurn[];
  readonly #facts: readonly PlacedFact[];
  /** Of each fact the turn of which alone it speaks. */
  readonly #of: readonly (FactKey | undefined)[];
  /** Facts that fill turns. */
  readonly #filling: readonly PlacedFact[];
  /** The newest placing of each input in a turn. */
  readonly #placings: ReadonlyMap<FactKey, FactOf<'input.placed'>>;

  constructor(facts: readonly PlacedFact[]) {
    this.#facts = facts;
    this.turns = facts.flatMap(({ position, fact }) => (fact.type === 'turn.started' ? [{ key: keyOf(fact), id: fact.id, position }] : []));
    this.#filling = facts.filter(({ fact }) => isFilling(fact));
    this.#placings = new Map(facts.flatMap(({ fact }) => (fact.type === 'input.placed' ? [[fact.input, fact] as const] : [])));
    const entangled = this.#entangled();
    this.#of = facts.map(({ fact }) => {
      const turn = this.#turnOf(fact);
      return turn === undefined || entangled.has(turn) || !ofTurnAlone.has(fact.type) ? undefined : turn;
    });
  }

  /** The turn that a fact speaks of: of an input, that in which it was placed last. */
  #turnOf(fact: Fact): FactKey | undefined {
    if (fact.type === 'turn.started') return keyOf(fact);
    if (fact.type === 'input.received') return this.placedIn(keyOf(fact));
    return fact.type === 'input.placed' ? this.placedIn(fact.input) : fact.turn;
  }

  /** The turn in which an input was placed last, as far as its placing says. */
  placedIn(input: FactKey): FactKey | undefined {
    return this.#placings.get(input)?.turn;
  }

  /** Turns of which other facts speak as well, or whose facts say something of what is no turn; copies of one turn are each told by what the others are. */
  #entangled(): ReadonlySet<FactKey> {
    const entangled = new Set<FactKey>();
    const named = new Set<string>();
    const ids = new Set<string>();
    for (const { fact } of this.#facts) {
      if (fact.type === 'turn.started') (ids.has(fact.id) ? named : ids).add(fact.id);
      if (fact.turn === undefined && 'turnId' in fact && fact.turnId !== undefined) named.add(fact.turnId);
      const turn = this.#turnOf(fact);
      if (turn !== undefined && (isEntangling(fact) || this.#isPlacedElsewhere(fact))) entangled.add(turn);
    }
    const hasPrompts = this.#facts.some(({ fact }) => fact.type.startsWith('prompt.'));
    for (const { fact } of this.#facts) if (fact.type === 'turn.started' && (hasPrompts || named.has(fact.id))) entangled.add(keyOf(fact));
    return entangled;
  }

  /** An input that opens nothing stands in a step; one that was placed before stood in another turn. */
  #isPlacedElsewhere(fact: Fact): boolean {
    return fact.type === 'input.placed' && (fact.as !== 'opens' || this.#placings.get(fact.input) !== fact);
  }

  /**
   * Turns in whose stretches facts stand that fill one of these: such a fact is in the outline, but what it goes by (the call that an item is of) may stand right before it and is not.
   */
  hostsOf(turns: ReadonlySet<FactKey>): readonly FactKey[] {
    const ids = new Set(this.turns.flatMap(({ key, id }) => (turns.has(key) ? [id] : [])));
    const isOfThese = (fact: Fact): boolean => (fact.turn === undefined ? 'turnId' in fact && fact.turnId !== undefined && ids.has(fact.turnId) : turns.has(fact.turn));
    return this.#filling.flatMap(({ position, fact }) => (isOfThese(fact) ? this.newestAt(position) ?? [] : []));
  }

  /** The facts, but those that speak of nothing but turns other than these; in order. */
  around(turns: ReadonlySet<FactKey>): readonly PlacedFact[] {
    return this.#facts.filter((_, i) => {
      const turn = this.#of[i];
      return turn === undefined || turns.has(turn);
    });
  }

  /** The turn that was the newest at a position. O(log n). */
  newestAt(position: number): FactKey | undefined {
    let [low, high] = [0, this.turns.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.turns[middle]?.position ?? 0) <= position) low = middle + 1;
      else high = middle;
    }
    return this.turns[low - 1]?.key;
  }
}

const isFilling = ({ type }: Fact): boolean => !ofTurnAlone.has(type) && !aside.has(type);

function isEntangling(fact: Fact): boolean {
  return fact.type === 'input.received' ? isMoreThanText(fact) : isFilling(fact);
}
