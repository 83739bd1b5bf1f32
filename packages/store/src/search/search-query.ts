import { StoreError } from '../errors.js';
import { type FindTerm, termFinder } from './find-term.js';
import { foldText } from './fold-text.js';
import { QUERY_CHARS, QUERY_TERMS } from './limits.js';

/** One word or phrase of a query: as typed, and as it is compared. `length`: of either, UTF-16 units. */
export interface SearchTerm {
  readonly text: string;
  readonly folded: string;
  readonly length: number;
  readonly find: FindTerm;
}

function termOf(text: string): SearchTerm {
  const folded = foldText(text);
  return { text, folded, length: folded.length, find: termFinder(folded) };
}

/** A phrase in quotes that a blank or the end follows, else a run without blanks, whatever it holds. */
const part = /"([^"]*)"(?=\s|$)|\S+/g;

/**
 * What a query looks for: each of its words and phrases. Nothing in it is an operator but quotes around a phrase. Throws `StoreError`: `emptyQuery`,
 * `queryTooLong`.
 */
export function parseQuery(query: string): readonly SearchTerm[] {
  if (query.length > QUERY_CHARS) throw new StoreError('queryTooLong');
  const texts = Array.from(query.matchAll(part), ([whole, phrase]) => phrase ?? whole).filter((text) => text !== '');
  const terms = new Map(texts.map((text): [string, string] => [foldText(text), text]));
  if (terms.size === 0) throw new StoreError('emptyQuery');
  if (terms.size > QUERY_TERMS) throw new StoreError('queryTooLong');
  return Array.from(terms.values(), termOf);
}
