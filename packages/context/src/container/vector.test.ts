import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Vector, elementAt, elements, emptyVector, firstIndex, pushed, vectorOf, withElement } from './vector.js';

/** Slots of the blocks and branches of `after` that are not those of `before`: what was copied to get from one to the other. */
function copiedSlots(before: Vector<unknown>, after: Vector<unknown>): number {
  const shared = new Set<object>();
  const walk = (node: object, visit: (block: readonly unknown[]) => boolean): void => {
    const block = 'items' in node ? (node.items as unknown[]) : ((node as { nodes: object[] }).nodes as unknown[]);
    if (visit(block) && 'nodes' in node) (node.nodes as object[]).forEach((child) => walk(child, visit));
  };
  if (before.root) walk(before.root, (block) => { shared.add(block); return true; });
  shared.add(before.tail);
  let copied = shared.has(after.tail) ? 0 : after.tail.length;
  if (after.root) walk(after.root, (block) => {
    if (!shared.has(block)) copied += block.length;
    return !shared.has(block);
  });
  return copied;
}

describe('[R-CTX-1] the container shares what does not change', () => {
  it.each([10, 1_000, 100_000])('copies at most a block and a path for one more element, at %i', (size) => {
    let vector = vectorOf(Array.from({ length: size }, (_, i) => i));
    let most = 0;
    let sum = 0;
    for (let i = 0; i < 64; i += 1) {
      const next = pushed(vector, i);
      const copied = copiedSlots(vector, next);
      most = Math.max(most, copied);
      sum += copied;
      vector = next;
    }
    expect(most).toBeLessThanOrEqual(33 + 4 * 32);
    expect(sum / 64).toBeLessThanOrEqual(24);
  });

  it.each([10, 1_000, 100_000])('copies one block and its path to set an element, at %i', (size) => {
    const vector = vectorOf(Array.from({ length: size }, (_, i) => i));
    expect(copiedSlots(vector, withElement(vector, Math.floor(size / 2), -1))).toBeLessThanOrEqual(4 * 32);
  });

  it('is a list: what is pushed and set is read back, also from a copy through JSON', () => {
    fc.assert(fc.property(fc.nat({ max: 3_000 }), fc.array(fc.tuple(fc.nat({ max: 3_200 }), fc.integer()), { maxLength: 20 }), (size, sets) => {
      const list = Array.from({ length: size }, (_, i) => i);
      let vector = vectorOf(list);
      for (const [index, value] of sets) {
        if (index < list.length) list[index] = value;
        vector = withElement(vector, index, value);
      }
      const copy = JSON.parse(JSON.stringify(vector)) as typeof vector;
      expect([...elements(copy)]).toEqual(list);
      expect([...elements(vector, 30, 70)]).toEqual(list.slice(30, 70));
      expect(elementAt(vector, size - 1)).toBe(list[size - 1]);
      expect(elementAt(vector, size)).toBeUndefined();
      expect([...elements(pushed(copy, 7))]).toEqual([...list, 7]);
    }));
  });

  it('finds where something begins', () => {
    const vector = vectorOf(Array.from({ length: 1_000 }, (_, i) => i * 2));
    expect(firstIndex(vector, (value) => value >= 501)).toBe(251);
    expect(firstIndex(vector, () => false)).toBe(1_000);
    expect(firstIndex(emptyVector<number>(), () => true)).toBe(0);
  });
});
