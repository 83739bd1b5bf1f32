/** A seeded source of numbers (mulberry32): a failure is repeated by its seed. */
export interface Random {
  /** An integer from 0 to below `limit`. */
  below(limit: number): number;
  pick<T>(from: readonly T[]): T;
}

export function randomFrom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
  const below = (limit: number): number => (limit <= 0 ? 0 : next() % limit);
  return { below, pick: <T>(from: readonly T[]) => from[below(from.length)] as T };
}
