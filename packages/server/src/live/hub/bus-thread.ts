import type { Caption, DroppedText, Fact, TextDelta } from '@tapefold/facts';
import { BUS_FACTS } from '../../limits.js';
import { OpenTurns } from './open-turns.js';

/** What is told of a thread on the bus. `activity`: whether it runs may have changed. `begun`: its recorder began to tell from the first fact on, and what it told before is over. */
export type BusNews =
  | { readonly kind: 'facts'; readonly facts: readonly Fact[] } | { readonly kind: 'delta'; readonly delta: TextDelta } | { readonly kind: 'dropped'; readonly dropped: DroppedText }
  | { readonly kind: 'caption'; readonly caption: Caption } | { readonly kind: 'activity' } | { readonly kind: 'begun' };

export type BusListener = (news: BusNews) => void;

/** A thread that a recorder tells of: its newest facts, dense from `first` on. */
export class BusThread {
  /** As its recorder calls it. */
  readonly id: string;
  readonly listeners = new Set<BusListener>();
  isConnected = true;
  #facts: Fact[] = [];
  #first: number;
  #chars = 0;
  #turns = new OpenTurns();
  #parent: string | undefined;
  #hasWord = false;

  constructor(id: string, first: number) {
    this.id = id;
    this.#first = first;
  }

  /** Ordinal of the oldest fact that is held. */
  get first(): number { return this.#first; }
  /** Ordinal of the next fact. */
  get next(): number { return this.#first + this.#facts.length; }
  get facts(): readonly Fact[] { return this.#facts; }
  /** The tape that the facts are of; undefined where none is held. */
  get tape(): string | undefined { return this.#facts[0]?.tape; }
  /** About how much is held, in characters. */
  get chars(): number { return this.#chars; }
  /** The thread whose agent started this one, by its recorder's name, as far as the facts said so. */
  get parent(): string | undefined { return this.#parent; }
  /** The turn that is open, as its recorder knows it. */
  get openTurn(): string | undefined { return this.#turns.openTurn; }
  /** Whether its recorder is there and said so much that it is known whether the thread runs: one that was told before a server's restart goes on in the middle. */
  get isKnown(): boolean { return this.isConnected && this.#hasWord; }
  get isRunning(): boolean { return this.isConnected && this.#turns.isOpen; }

  /** Another recorder begins, with the fact of this ordinal. */
  begin(first: number): void {
    this.#facts = [];
    this.#chars = 0;
    this.#first = first;
    this.#turns = new OpenTurns();
    this.#hasWord = true;
  }

  /** Takes the next facts. Of many only the newest are held. */
  take(facts: readonly Fact[], chars: number): void {
    this.#facts.push(...facts);
    this.#chars += chars;
    this.#hasWord = true;
    this.#turns.take(facts);
    for (const fact of facts) this.#noteParent(fact);
    if (this.#facts.length > BUS_FACTS * 2) this.forget(this.#facts.length - BUS_FACTS);
  }

  runs(turn: Parameters<OpenTurns['runs']>[0]): void {
    this.#hasWord = true;
    this.#turns.runs(turn);
  }

  /** The oldest facts are held no more. */
  forget(count: number): void {
    this.#chars -= Math.round(this.#chars * count / Math.max(1, this.#facts.length));
    this.#facts = this.#facts.slice(count);
    this.#first += count;
  }

  #noteParent(fact: Fact): void {
    if (fact.type === 'thread.linked' && fact.relation === 'parent') this.#parent = fact.threadId;
    if (fact.type === 'thread.opened' && fact.origin.kind === 'subAgent') this.#parent ??= fact.origin.spawn?.parentThreadId;
  }
}
