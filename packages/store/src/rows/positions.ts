import { type FactKey, type TapeId, factKey, parseFactKey } from '@tapefold/facts';

/**
 * Fact keys of one history as positions, and back: a tape's facts stand in a row, so position minus ordinal is the same for all of them
 * (`ThreadHead.offsets`).
 */
export class Positions {
  readonly #offsets: Readonly<Record<TapeId, number>>;
  /** Tapes by where they begin, the latest first. */
  readonly #tapes: readonly (readonly [tape: TapeId, offset: number])[];

  constructor(offsets: Readonly<Record<TapeId, number>>) {
    this.#offsets = offsets;
    this.#tapes = Object.entries(offsets).sort(([, a], [, b]) => b - a);
  }

  /** Undefined for a key of a tape that the history does not have. */
  of(key: FactKey): number | undefined {
    const parsed = parseFactKey(key);
    return parsed && this.ofOrdinal(parsed.tape, parsed.ordinal);
  }

  /** The position of an ordinal of a tape. */
  ofOrdinal(tape: TapeId, ordinal: number): number | undefined {
    const offset = Object.hasOwn(this.#offsets, tape) ? this.#offsets[tape] : undefined;
    return offset === undefined ? undefined : offset + ordinal;
  }

  /** The key of the fact at a position that a row names. */
  key(position: number): FactKey {
    const found = this.#tapes.find(([, offset]) => offset <= position) ?? this.#tapes.at(-1);
    if (!found) throw new Error('a history with rows has tapes');
    return factKey(found[0], position - found[1]);
  }

  /** The tape on which a position stands. */
  tape(position: number): TapeId {
    return (this.#tapes.find(([, offset]) => offset <= position) ?? this.#tapes.at(-1))?.[0] ?? '';
  }
}
