import { TRIGRAMS_ASKED } from './limits.js';

/*
 * The index holds, for each text, which runs of three characters it has, and not where: a text that holds a term holds the term's trigrams. What is found so
 * is looked at. Two marks behind the text let a trigram begin at each of its characters, so that terms of one or two are beginnings of trigrams.
 */

/** Stands behind each text; folded texts hold none. */
const END = '\n';
const LENGTH = 3;

/** A folded text as the index takes it. */
export function indexed(folded: string): string {
  return folded + END + END;
}

const quoted = (gram: string): string => `"${gram.replaceAll('"', '""')}"`;

/** The expression for texts that may hold all of these folded terms; undefined where each is shorter than a trigram. */
export function matchExpression(terms: readonly string[]): string | undefined {
  const grams = new Set(terms.flatMap(trigramsOf));
  return grams.size === 0 ? undefined : [...grams].map(quoted).join(' AND ');
}

/** The expression for texts that hold a trigram. */
export const gramExpression = quoted;

/** Trigrams of a term, each character in two of them; of a long one, some that are spread over it. */
function trigramsOf(term: string): string[] {
  const chars = Array.from(term);
  const last = chars.length - LENGTH;
  if (last < 0) return [];
  const count = Math.min(TRIGRAMS_ASKED, last + 1, Math.ceil((2 * chars.length) / LENGTH));
  return Array.from({ length: count }, (_, i) => { const at = count === 1 ? 0 : Math.round((i * last) / (count - 1)); return chars.slice(at, at + LENGTH).join(''); });
}

/** Whether a term is too short for a trigram. */
export const isShort = (term: string): boolean => Array.from(term).length < LENGTH;

/** Trigrams that begin with a short term: from, and to before, in the order of their UTF-8 bytes. */
export function gramsFrom(term: string): readonly [from: string, to: string] {
  return [term, `${term}\u{10ffff}`];
}
