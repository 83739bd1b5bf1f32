import type { FactRange } from '../rows/play-start.js';
import type { PlacedFact } from '../thread-source.js';
import { PLAYED_BYTES } from './limits.js';

/**
 * The stretch of a thread's facts that was played last, without a gap: whoever pages through turns asks for their neighbours next, and a place to play from lies
 * several pages before them. Memory: facts of `PLAYED_BYTES` of lines.
 */
export class LastPlayed {
  #from = 0;
  #facts: PlacedFact[] = [];
  #bytes = 0;
  #line = -1;

  /** The next fact of a play; one that does not follow begins another stretch. */
  take(placed: PlacedFact): void {
    const { offset, length } = placed.fact.line;
    if (placed.position !== this.#from + this.#facts.length || this.#bytes > PLAYED_BYTES) this.#begin(placed.position);
    if (offset !== this.#line) this.#bytes += length;
    this.#line = offset;
    this.#facts.push(placed);
  }

  #begin(position: number): void {
    this.#from = position;
    this.#facts = [];
    this.#bytes = 0;
    this.#line = -1;
  }

  /** The facts at some positions; undefined where one of them is not at hand. */
  in(ranges: readonly FactRange[]): readonly PlacedFact[] | undefined {
    const to = this.#from + this.#facts.length;
    if (ranges.some((range) => range.from < this.#from || range.to > to)) return undefined;
    return ranges.flatMap((range) => this.#facts.slice(range.from - this.#from, range.to - this.#from));
  }
}
