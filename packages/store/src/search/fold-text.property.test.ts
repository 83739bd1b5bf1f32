import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { foldText } from './fold-text.js';

const text = fc.string({ unit: 'binary', maxLength: 60 });

describe('[R-STO-6] folded texts', () => {
  it('are as long as what they are of, and folding them changes nothing', () => {
    fc.assert(fc.property(text, (value) => {
      const folded = foldText(value);
      expect(folded).toHaveLength(value.length);
      expect(foldText(folded)).toBe(folded);
      expect(folded).not.toMatch(/[\0\n\t]|\p{Surrogate}/u);
    }));
  });

  it('fold each part as it is folded in the whole', () => {
    fc.assert(fc.property(fc.string({ unit: 'grapheme', maxLength: 20 }), fc.string({ unit: 'grapheme', maxLength: 20 }), (a, b) => { expect(foldText(a + b)).toBe(foldText(a) + foldText(b)); }));
    for (const [a, b] of [['ΑΣ', ' Σ'], ['İ', 'Σ'], ['ΣΑΣ', 'İ']] as const) expect(foldText(a + b)).toBe(foldText(a) + foldText(b));
  });

  it('are equal wherever characters are equal in any case', () => {
    const wrong: string[] = [];
    let pairs = 0;
    for (let code = 0; code <= 0x1ffff; code++) {
      if (code >= 0xd800 && code <= 0xdfff) continue;
      const char = String.fromCodePoint(code);
      for (const other of [char.toLowerCase(), char.toUpperCase(), char.toUpperCase().toLowerCase(), char.toLowerCase().toUpperCase()]) {
        if (other === char || Array.from(other).length !== 1 || !new RegExp(`^${char.replace(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`)}$`, 'iu').test(other)) continue;
        pairs += 1;
        if (foldText(char) !== foldText(other)) wrong.push(`${char} ${other} ${code.toString(16)}`);
      }
    }
    expect(wrong).toEqual([]);
    expect(pairs).toBeGreaterThan(2_500);
  });
});
