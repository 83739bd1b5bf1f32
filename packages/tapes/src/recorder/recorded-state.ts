import { type Fact, type FactKey, type FactOf, type OrdinalRange, factKey } from '@tapefold/facts';
import { type Span, joined, without } from './ranges.js';

/** A turn of the tape, whether it was taken back or not. */
export interface RecordedTurn {
  readonly key: FactKey;
  readonly ordinal: number;
  isLive: boolean;
}

/**
 * What a recorder has to know of its tape to go on with it: the same whether it wrote the facts itself or read them back. Grows with the turns.
 */
export class RecordedState {
  readonly turns: RecordedTurn[] = [];
  /** Ordinals whose context entries do not count. */
  #gone: readonly Span[] = [];
  #nextTurn = 0;
  isOpened = false;
  hasFirstPrompt = false;
  /** The newest undoing, while nothing was begun since. */
  undone: FactOf<'history.superseded'> | undefined;

  /** Items of the newest step's present attempt, by id: the key of their first fact. */
  #attempt: { readonly step: FactKey; readonly items: Map<string, FactKey> } | undefined;

  itemsOfAttempt(step: FactKey): FactKey[] { return this.#attempt?.step === step ? [...this.#attempt.items.values()] : []; }
  forgetAttempt(step: FactKey): void { if (this.#attempt?.step === step) this.#attempt.items.clear(); }

  /** Number of the next turn. Numbers are never given twice, also those of turns that were taken back. */
  get nextTurn(): number { return this.#nextTurn; }

  note(fact: Fact): void {
    switch (fact.type) {
      case 'thread.opened': this.isOpened = true; this.hasFirstPrompt ||= fact.details.firstPrompt !== undefined; break;
      case 'thread.changed': this.hasFirstPrompt ||= fact.details.firstPrompt !== undefined; break;
      case 'turn.started': this.#begin(fact); break;
      case 'step.started': this.#attempt = { step: factKey(fact.tape, fact.ordinal), items: new Map() }; break;
      case 'item.started': case 'item.completed': this.#noteItem(fact); break;
      case 'history.superseded': this.#supersede(fact); break;
      case 'history.restored': this.#restore(fact); break;
      default: break;
    }
  }

  #begin(fact: FactOf<'turn.started'>): void {
    this.turns.push({ key: factKey(fact.tape, fact.ordinal), ordinal: fact.ordinal, isLive: true });
    const number = Number(/^t(\d+)$/.exec(fact.id)?.[1] ?? this.turns.length - 1);
    this.#nextTurn = Math.max(this.#nextTurn, number + 1);
    this.undone = undefined;
  }

  #noteItem(fact: FactOf<'item.started' | 'item.completed'>): void {
    const own = fact.step === this.#attempt?.step ? this.#attempt?.items : undefined;
    if (own && !own.has(fact.id)) own.set(fact.id, factKey(fact.tape, fact.ordinal));
  }

  #mark(keys: readonly FactKey[], isLive: boolean): void {
    const named = new Set(keys);
    for (const turn of this.turns) if (named.has(turn.key)) turn.isLive = isLive;
  }

  #supersede(fact: FactOf<'history.superseded'>): void {
    this.#mark(fact.turns, false);
    this.#gone = joined(this.#gone, spansOf(fact.context));
    this.undone = fact.reason === 'undo' || fact.reason === 'rollback' ? fact : undefined;
  }

  #restore(fact: FactOf<'history.restored'>): void {
    this.#mark(fact.turns, true);
    this.#gone = without(this.#gone, spansOf(fact.context));
    this.undone = undefined;
  }

  /** The newest turns that count, oldest first. */
  newestTurns(count: number): RecordedTurn[] {
    const live = this.turns.filter(({ isLive }) => isLive);
    return live.slice(Math.max(0, live.length - count));
  }

  /** What counts of the facts from `from` to before `to`: what was taken back before is no part of it, so that it stays taken back when this is restored. */
  liveSpans(from: number, to: number): Span[] {
    return without([[from, to]], this.#gone);
  }
}

const spansOf = (ranges: readonly OrdinalRange[]): Span[] => ranges.map(({ from, to }): Span => [from, to]);
