import { type Fact, type JsonValue, type TapeId, factSchema } from '@tapefold/facts';

/** A fact without what the test does not care about: on tape `a` unless it says another, ordinals in order of their tape. */
export type FactSketch = { readonly tape?: TapeId; readonly type: Fact['type'] } & Readonly<Record<string, JsonValue | object | undefined>>;

/** Facts of hand-made sketches, validated. */
export function factsOf(sketches: readonly FactSketch[]): Fact[] {
  const next = new Map<TapeId, number>();
  return sketches.map((sketch, i) => {
    const tape = sketch.tape ?? 'a';
    const ordinal = next.get(tape) ?? 0;
    next.set(tape, ordinal + 1);
    return factSchema.parse({ line: { offset: i, length: 1 }, ...sketch, tape, ordinal });
  });
}
