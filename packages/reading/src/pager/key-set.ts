/**
 * An immutable set of strings that grows by pages: sets of falling size, a smaller one merged into the next when it has caught up. Looking up costs
 * O(log n), adding O(log n) per key over the life of the set; a plain copy per page would cost O(n) for each of n / 100 pages.
 */
export type KeySet = readonly ReadonlySet<string>[];

/** The empty set, one value: equal by reference. */
export const noKeys: KeySet = [];

/** True where the key was added. */
export const hasKey = (keys: KeySet, key: string): boolean => keys.some((set) => set.has(key));

/** The set with these keys too; the same reference where there are none. */
export function withKeys(keys: KeySet, added: readonly string[]): KeySet {
  if (added.length === 0) return keys;
  const larger = [...keys];
  let newest = new Set(added);
  for (let older = larger.at(-1); older !== undefined && older.size <= newest.size; older = larger.at(-1)) {
    newest = new Set([...older, ...newest]);
    larger.pop();
  }
  return [...larger, newest];
}
