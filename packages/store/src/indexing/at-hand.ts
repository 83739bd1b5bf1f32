import { type FactKey, type OrdinalRange } from '@tapefold/facts';
import { type ItemTarget, type KeptRows, type RowAddresses } from '@tapefold/threads';
import type { Positions } from '../rows/positions.js';

/**
 * Which addresses of a history are at hand: everything that began at or behind a position, what was kept when older rows were let go, and what was fetched since, found or
 * not. An address that is at hand needs no look into the store.
 */
export class AtHand {
  readonly #from: number;
  /** Turns with every item of theirs. */
  readonly #whole: Set<FactKey>;
  readonly #asked = { turns: new Set<FactKey>(), turnIds: new Set<string>(), rows: new Set<FactKey>(), items: new Set<string>(), orphansOf: new Set<string>(), steps: new Set<FactKey>(), words: new Set<string>() };

  /** `from`: everything that began there or later is at hand. `kept`: whole turns besides. */
  constructor(from: number, kept: KeptRows = { turns: [], items: [], steps: [], notices: [] }) {
    this.#from = from;
    this.#whole = new Set(kept.turns.map(({ key }) => key));
    for (const { key } of kept.turns) this.#asked.turns.add(key);
    for (const { key, step } of kept.items) {
      this.#asked.rows.add(key);
      if (step !== null) this.#asked.steps.add(step);
    }
  }

  /** The turn is there with all its items; `position`: its first fact's, where it is known. */
  hasWhole(turn: FactKey, position?: number): boolean {
    return this.#whole.has(turn) || (position !== undefined && position >= this.#from);
  }

  /** What of the addresses is not at hand; undefined where everything is. From now on it counts as asked for. */
  missing(wanted: RowAddresses, positions: Positions): RowAddresses | undefined {
    if (this.#from === 0) return undefined;
    const isOld = (key: FactKey): boolean => (positions.of(key) ?? 0) < this.#from;
    const fresh = <T extends string>(keys: Iterable<T>, asked: Set<string>): Set<T> => new Set([...keys].filter((key) => !asked.has(key) && (asked.add(key), true)));
    const old = (keys: ReadonlySet<FactKey>, asked: Set<string>): Set<FactKey> => fresh([...keys].filter(isOld), asked);
    const missing = {
      turns: old(wanted.turns, this.#asked.turns), turnIds: fresh(wanted.turnIds, this.#asked.turnIds), rows: old(wanted.rows, this.#asked.rows), items: this.#items(wanted.items, isOld),
      orphansOf: fresh(wanted.orphansOf, this.#asked.orphansOf), steps: old(wanted.steps, this.#asked.steps), words: this.#words(wanted.words, positions),
    };
    const isEmpty = missing.turns.size + missing.turnIds.size + missing.rows.size + missing.items.size + missing.orphansOf.size + missing.steps.size + missing.words.length === 0;
    return isEmpty ? undefined : missing;
  }

  #items(wanted: ReadonlyMap<string, ItemTarget>, isOld: (key: FactKey) => boolean): Map<string, ItemTarget> {
    const missing = [...wanted].filter(([address, { turn }]) => !this.#asked.items.has(address) && (turn === null || (isOld(turn) && !this.#whole.has(turn))));
    for (const [address] of missing) this.#asked.items.add(address);
    return new Map(missing);
  }

  #words(wanted: readonly OrdinalRange[], positions: Positions): OrdinalRange[] {
    return wanted.filter(({ tape, from, to }) => {
      const name = JSON.stringify([tape, from, to]);
      if ((positions.ofOrdinal(tape, from) ?? 0) >= this.#from || this.#asked.words.has(name)) return false;
      this.#asked.words.add(name);
      return true;
    });
  }
}
