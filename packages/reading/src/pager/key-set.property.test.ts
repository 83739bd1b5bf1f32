import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type KeySet, hasKey, noKeys, withKeys } from './key-set.js';

describe('a set of keys', () => {
  it('knows what was added and nothing else, leaves older versions alone, and stays shallow', () => {
    fc.assert(fc.property(fc.array(fc.array(fc.nat(200).map(String), { maxLength: 9 })), fc.nat(200).map(String), (pages, other) => {
      let keys: KeySet = noKeys;
      const plain = new Set<string>();
      for (const page of pages) {
        const before = keys;
        const sizes = before.map((set) => set.size);
        keys = withKeys(keys, page);
        expect(before.map((set) => set.size)).toEqual(sizes);
        for (const key of page) plain.add(key);
        expect(keys.length).toBeLessThanOrEqual(10);
      }
      for (const key of [...plain, other]) expect(hasKey(keys, key)).toBe(plain.has(key));
    }));
  });
});
