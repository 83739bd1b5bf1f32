import { foldText } from './fold-text.js';

/*
 * Law: a term is found in a text where the term, folded, stands in the folded text. Folding takes many times as long as looking, so that texts are looked through
 * as they are, by a pattern that matches whatever folds to the term.
 */

/** UTF-16 units of a term up to which it is looked for by a pattern: what a long one costs in a text that nearly has it everywhere, the fold of the text bounds. */
const PATTERN_CHARS = 64;
const UNSTORABLE = '\ufffd';
const syntax = /[\\^$.*+?()[\]{}|/]/;

function patternOf(char: string): string {
  if (char === ' ') return String.raw`\s`;
  if (char === UNSTORABLE) return String.raw`[\ufffd\0\p{Surrogate}]`;
  return syntax.test(char) ? `\\${char}` : char;
}

/** A text that terms are looked for in; it is folded once at most. */
export class FoldableText {
  readonly text: string;
  #folded: string | undefined;

  constructor(text: string) {
    this.text = text;
  }

  get folded(): string {
    return (this.#folded ??= foldText(this.text));
  }
}

/** Where a term begins, at or after `from`; below 0 where it does not. */
export type FindTerm = (text: FoldableText, from: number) => number;

/** Looks for a folded term, not empty. */
export function termFinder(folded: string): FindTerm {
  if (folded.length > PATTERN_CHARS) return (text, from) => text.folded.indexOf(folded, from);
  const pattern = new RegExp(Array.from(folded, patternOf).join(''), 'giu');
  return ({ text }, from) => {
    pattern.lastIndex = from;
    return pattern.test(text) ? pattern.lastIndex - folded.length : -1;
  };
}
