import { type Fact, type FactKey, factKey } from '@tapefold/facts';
import { type TurnPageQuery, paginateTurns } from '@tapefold/transcript';
import { type RunningTranscript, type TranscriptFold, type TranscriptView, mayShowPlan, settleTranscript } from '@tapefold/transcript/fold';
import type { FactRange } from '../rows/play-start.js';
import type { FactOutline } from '../thread-source.js';

/** Makes a fact whole: with its large texts. */
export type Whole = (fact: Fact) => Fact | Promise<Fact>;

/** What the outline alone comes to. */
interface Skeleton {
  readonly view: TranscriptView;
  /** What began the turns of the timeline, in order. */
  readonly keys: readonly FactKey[];
}

/**
 * An agent's transcript from the outline of its thread: the facts of the outline, and those that fill the turns which an answer shows, played from the tapes. Law: what an answer
 * shows is what the fold of all facts shows. Costs the outline, and the turns.
 */
export class OutlinedTranscript {
  readonly #outline: FactOutline;
  readonly #newFold: () => TranscriptFold;
  readonly #whole: Whole;
  readonly #starts: readonly { readonly key: FactKey; readonly position: number }[];
  /** The turns that inputs were placed in, the newest placing of each. */
  readonly #placings: ReadonlyMap<FactKey, FactKey>;
  #skeleton: Skeleton | undefined;

  constructor(outline: FactOutline, { newFold, whole }: { readonly newFold: () => TranscriptFold; readonly whole: Whole }) {
    this.#outline = outline;
    this.#newFold = newFold;
    this.#whole = whole;
    this.#starts = outline.facts.filter(({ fact }) => fact.type === 'turn.started').map(({ position, fact }) => ({ key: factKey(fact.tape, fact.ordinal), position }));
    this.#placings = new Map(outline.facts.flatMap(({ fact }) => (fact.type === 'input.placed' && fact.turn !== undefined ? [[fact.input, fact.turn] as const] : [])));
  }

  /** With a page of turns filled, and the one that runs. */
  async page(query: TurnPageQuery, running?: RunningTranscript): Promise<TranscriptView> {
    const { view, keys } = this.#known();
    const ordinals = paginateTurns(settleTranscript(view, { running }).items, query).items.flatMap((item) => (item.kind === 'turn' ? item.ordinal : []));
    const open = running ? view.snapshot.items.flatMap((item) => (item.kind === 'turn' && Object.hasOwn(view.outlooks, item.turnId) ? item.ordinal : [])).slice(-1) : [];
    const turns = new Set([...ordinals, ...open].flatMap((ordinal) => keys[ordinal] ?? []));
    return this.#filled(turns, (fact) => this.#isShown(fact, turns));
  }

  /** With no turn filled: the words of their openings are there. */
  async openings(): Promise<TranscriptView> {
    return this.#filled(new Set(), () => true);
  }

  /** With every turn filled that may show a plan. */
  async plans(): Promise<TranscriptView> {
    const showing = this.#outline.facts.filter(({ fact }) => mayShowPlan(fact));
    const turns = new Set(showing.flatMap(({ position, fact }) => [this.#turnAt(position), fact.turn].flatMap((key) => key ?? [])));
    return this.#filled(turns, ({ type }) => type !== 'input.received');
  }

  #known(): Skeleton {
    if (this.#skeleton) return this.#skeleton;
    const fold = this.#newFold();
    for (const { fact } of this.#outline.facts) fold.load(fact);
    return (this.#skeleton = { view: fold.view(), keys: fold.turnKeys() });
  }

  /** The turn that was the newest at a position. */
  #turnAt(position: number): FactKey | undefined {
    return this.#starts.filter((start) => start.position <= position).at(-1)?.key;
  }

  /** Words that open a turn which is not shown need not be whole. */
  #isShown(fact: Fact, turns: ReadonlySet<FactKey>): boolean {
    if (fact.type !== 'input.received') return true;
    const turn = this.#placings.get(factKey(fact.tape, fact.ordinal));
    return turn === undefined || turns.has(turn);
  }

  async #filled(turns: ReadonlySet<FactKey>, isWhole: (fact: Fact) => boolean): Promise<TranscriptView> {
    const ranges = this.#starts.flatMap(({ key, position }, i) => (turns.has(key) ? { from: position, to: this.#starts[i + 1]?.position ?? this.#outline.end } : []));
    const fold = this.#newFold();
    for (const fact of await this.#with(ranges)) {
      const made = fact.large && isWhole(fact) ? this.#whole(fact) : fact;
      fold.load(made instanceof Promise ? await made : made);
    }
    return fold.view();
  }

  /** The facts of the outline, and those of some ranges, in order, each once. */
  async #with(ranges: readonly FactRange[]): Promise<readonly Fact[]> {
    const { facts } = this.#outline;
    const all: Fact[] = [];
    let at = 0;
    const upTo = (position: number): void => {
      for (let next = facts[at]; next && next.position < position; next = facts[++at]) all.push(next.fact);
    };
    for await (const { position, fact } of this.#outline.in(ranges)) {
      upTo(position);
      if (facts[at]?.position === position) at += 1;
      all.push(fact);
    }
    upTo(Infinity);
    return all;
  }
}
