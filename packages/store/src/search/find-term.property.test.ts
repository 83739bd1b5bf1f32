import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FoldableText, termFinder } from './find-term.js';
import { foldText } from './fold-text.js';

const chars = Array.from({ length: 0x110000 }, (_, code) => String.fromCodePoint(code));

/** Characters by what they fold to. */
const classes = new Map<string, string[]>();
for (const char of chars) {
  const folded = foldText(char);
  const known = classes.get(folded);
  if (known) known.push(char);
  else classes.set(folded, [char]);
}

const hasCase = (char: string): boolean => char.toUpperCase() !== char || char.toLowerCase() !== char;

describe('[R-STO-6] a term', () => {
  it('is found where the text folds to it: each character that folds, or has a meaning in patterns', () => {
    const missed = [...classes].filter(([folded, of]) => of.length > 1 || hasCase(folded) || folded < '\x80').flatMap(([folded, of]) => {
      const find = termFinder(folded);
      return of.filter((char) => find(new FoldableText(char), 0) !== 0);
    });
    expect(missed).toEqual([]);
  });

  it('is found nowhere else: each that has a case, among all characters', () => {
    const text = new FoldableText(chars.filter((char) => hasCase(char) || foldText(char) !== char).join('-'));
    const wrong: string[] = [];
    let found = 0;
    for (const [folded, of] of classes) {
      if (!hasCase(folded) && of.length === 1) continue;
      const find = termFinder(folded);
      for (let at = find(text, 0); at >= 0; at = find(text, at + folded.length)) {
        found += 1;
        if (foldText(text.text.slice(at, at + folded.length)) !== folded) wrong.push(folded);
      }
    }
    expect(wrong).toEqual([]);
    expect(found).toBeGreaterThan(2_500);
  }, 60_000);

  it('is found at the same places as in the folded text, however long it is', () => {
    const piece = fc.oneof(fc.string({ unit: 'binary', maxLength: 3 }), fc.constantFrom(
      'a', 'A', ' ', '\n', '\u00a0', 'ß', 'Σ', 'ς', 'İ', 'é', 'e\u0301', '.', '*', '\\', '(', '$', '\ud800', '\udc00', '😀', '\0', '\ufffd', '数',
    ));
    const text = fc.array(piece, { maxLength: 120 }).map((pieces) => pieces.join(''));
    fc.assert(fc.property(text, fc.nat(), fc.integer({ min: 1, max: 100 }), (value, from, length) => {
      const folded = foldText(value);
      const codes = Array.from(folded);
      const at = codes.length === 0 ? 0 : from % codes.length;
      const term = codes.slice(at, at + length).join('') || 'x';
      const find = termFinder(term);
      const searched = new FoldableText(value);
      const places: number[] = [];
      for (let place = find(searched, 0); place >= 0; place = find(searched, place + term.length)) places.push(place);
      const expected: number[] = [];
      for (let place = folded.indexOf(term); place >= 0; place = folded.indexOf(term, place + term.length)) expected.push(place);
      expect(places).toEqual(expected);
    }), { numRuns: 500 });
  });
});
