import { type Fact, type FactKey, factKey } from '@tapefold/facts';
import { type TurnPageQuery, paginateTurns } from '@tapefold/transcript';
import { type RunningTranscript, type TimelinePart, type TranscriptFold, type TranscriptView, mayShowPlan, settleTranscript } from '@tapefold/transcript/fold';
import type { FactRange } from '../rows/play-start.js';
import type { FactOutline, PlacedFact } from '../thread-source.js';
import { OutlineTurns } from './outline-turns.js';

/** Makes a fact whole: with its large texts. */
export type Whole = (fact: Fact) => Fact | Promise<Fact>;
/** An empty fold that knows what the host has to tell it. */
export type NewFold = (part?: TimelinePart) => TranscriptFold;

/** What the outline alone comes to, no turn shown. `keys`: what began the turns of the timeline, in order; `ordinals`: their numbers. */
interface Skeleton {
  readonly view: TranscriptView;
  readonly keys: readonly FactKey[];
  readonly ordinals: ReadonlyMap<FactKey, number>;
}

/** What is folded: facts of the outline, and those that fill turns. */
interface Filling {
  readonly facts: readonly PlacedFact[];
  /** Turns whose facts are played. */
  readonly turns: ReadonlySet<FactKey>;
  readonly part?: TimelinePart | undefined;
  /** Whether a fact is needed with its large texts. */
  readonly isWhole: (fact: Fact) => boolean;
}

/**
 * An agent's transcript from the outline of its thread: the facts of the outline, and those that fill the turns which an answer shows, played from the tapes. Law: what an answer
 * shows is what the fold of all facts shows. The outline is folded once; a page costs a look at it, and its turns.
 */
export class OutlinedTranscript {
  readonly #outline: FactOutline;
  readonly #newFold: NewFold;
  readonly #whole: Whole;
  readonly #turns: OutlineTurns;
  #skeleton: Skeleton | undefined;

  constructor(outline: FactOutline, { newFold, whole }: { readonly newFold: NewFold; readonly whole: Whole }) {
    this.#outline = outline;
    this.#newFold = newFold;
    this.#whole = whole;
    this.#turns = new OutlineTurns(outline.facts);
  }

  /** With a page of turns filled, and the one that runs; of other turns there are those alone that tell where the page ends. */
  async page(query: TurnPageQuery, running?: RunningTranscript): Promise<TranscriptView> {
    const { view, keys, ordinals } = this.#known();
    const shown = paginateTurns(settleTranscript(view, { running }).items, query).items.flatMap((item) => (item.kind === 'turn' ? item.ordinal : []));
    const open = running ? view.snapshot.items.flatMap((item) => (item.kind === 'turn' && Object.hasOwn(view.outlooks, item.turnId) ? item.ordinal : [])).slice(-1) : [];
    const keysOf = (numbers: readonly number[]): Set<FactKey> => new Set(numbers.flatMap((ordinal) => keys[ordinal] ?? []));
    const turns = keysOf([...shown, ...open]);
    const beside = keysOf([...shown, ...open].flatMap((ordinal) => [ordinal - 1, ordinal, ordinal + 1]).concat(keys.length - 1));
    const filled = await this.#filled({
      facts: this.#turns.around(beside), turns: new Set([...turns, ...this.#turns.hostsOf(turns)]), part: { shows: (turn) => turns.has(turn), ordinalOf: (turn) => ordinals.get(turn) }, isWhole: (fact) => this.#isShown(fact, turns),
    });
    // Tokens are those of all turns.
    return { ...filled, snapshot: { ...filled.snapshot, meta: view.snapshot.meta } };
  }

  /** With no turn filled: the words of their openings are there. */
  async openings(): Promise<TranscriptView> {
    return this.#filled({ facts: this.#outline.facts, turns: new Set(), isWhole: () => true });
  }

  /** With every turn filled that may show a plan. */
  async plans(): Promise<TranscriptView> {
    const { facts } = this.#outline;
    const turns = new Set(facts.filter(({ fact }) => mayShowPlan(fact)).flatMap(({ position, fact }) => [this.#turns.newestAt(position), fact.turn].flatMap((key) => key ?? [])));
    return this.#filled({ facts, turns, part: { shows: (turn) => turns.has(turn) }, isWhole: ({ type }) => type !== 'input.received' });
  }

  #known(): Skeleton {
    if (this.#skeleton) return this.#skeleton;
    const fold = this.#newFold({ shows: () => false });
    for (const { fact } of this.#outline.facts) fold.load(fact);
    const keys = fold.turnKeys();
    return (this.#skeleton = { view: fold.view(), keys, ordinals: new Map(keys.map((key, ordinal) => [key, ordinal])) });
  }

  /** Words that open a turn which is not shown need not be whole. */
  #isShown(fact: Fact, turns: ReadonlySet<FactKey>): boolean {
    if (fact.type !== 'input.received') return true;
    const turn = this.#turns.placedIn(factKey(fact.tape, fact.ordinal));
    return turn === undefined || turns.has(turn);
  }

  async #filled({ facts, turns, part, isWhole }: Filling): Promise<TranscriptView> {
    const { turns: all } = this.#turns;
    const ranges = turns.size === 0 ? [] : all.flatMap(({ key, position }, i) => (turns.has(key) ? { from: position, to: all[i + 1]?.position ?? this.#outline.end } : []));
    const fold = this.#newFold(part);
    for (const fact of await this.#with(facts, ranges)) {
      const made = fact.large && isWhole(fact) ? this.#whole(fact) : fact;
      fold.load(made instanceof Promise ? await made : made);
    }
    return fold.view();
  }

  /** Facts of the outline, and those of some ranges, in order, each once. What of the outline is left out is left out in the ranges, too: a word that waits there for its turn. */
  async #with(facts: readonly PlacedFact[], ranges: readonly FactRange[]): Promise<readonly Fact[]> {
    const { facts: outlined } = this.#outline;
    const all: Fact[] = [];
    let [at, outlinedAt] = [0, 0];
    const upTo = (position: number): void => {
      for (let next = facts[at]; next && next.position < position; next = facts[++at]) all.push(next.fact);
    };
    for await (const { position, fact } of this.#outline.in(ranges)) {
      upTo(position);
      while ((outlined[outlinedAt]?.position ?? Infinity) < position) outlinedAt += 1;
      const isKept = facts[at]?.position === position;
      if (isKept) at += 1;
      if (isKept || outlined[outlinedAt]?.position !== position) all.push(fact);
    }
    upTo(Infinity);
    return all;
  }
}
