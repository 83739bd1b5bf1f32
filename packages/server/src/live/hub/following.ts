import type { Fact } from '@tapefold/facts';

/** Those of dense facts that follow the ones before `next`; none where there is a hole between. */
export function following(facts: readonly Fact[], next: number): readonly Fact[] {
  const first = facts[0]?.ordinal ?? 0;
  return first > next ? [] : facts.slice(next - first);
}
