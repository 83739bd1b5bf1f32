import { CLOCK_STEP, LOOKED_AT, LOOKED_AT_CHARS, SEARCH_MS } from './limits.js';

/** What may be spent on an answer: time, and texts that are looked at. */
export class SearchBudget {
  readonly #nowMs: () => number;
  readonly #endMs: number;
  #texts: number;
  #chars: number;
  #isOver = false;

  constructor(nowMs: () => number, { ms = SEARCH_MS, texts = LOOKED_AT }: { readonly ms?: number | undefined; readonly texts?: number | undefined }) {
    this.#nowMs = nowMs;
    this.#endMs = nowMs() + ms;
    this.#texts = texts;
    this.#chars = texts * LOOKED_AT_CHARS;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** Looks at the clock; whether the budget is over. */
  isLate(): boolean {
    return (this.#isOver ||= this.#nowMs() > this.#endMs);
  }

  /** Counts a text that was looked at. */
  spend(chars: number): void {
    this.#texts -= 1;
    this.#chars -= chars;
    this.#isOver ||= this.#texts <= 0 || this.#chars <= 0 || (this.#texts % CLOCK_STEP === 0 && this.isLate());
  }
}
