import { foldText } from './fold-text.js';
import type { SearchText, TextSource } from './item-texts.js';
import { COUNTED_PLACES, SNIPPET_BEFORE, SNIPPET_CHARS } from './limits.js';
import type { SearchTerm } from './search-query.js';

/** Where something stands: UTF-16 units, from and to before. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

/** A piece of a text around what was found; `ranges`: the places of the terms in it, in order, without overlaps. */
export interface Snippet {
  readonly text: string;
  readonly ranges: readonly TextRange[];
  readonly isCutBefore: boolean;
  readonly isCutAfter: boolean;
}

/** What a text is worth for a query. `relevance`: above 0, comparable between texts of one query. */
export interface TextMatch {
  readonly relevance: number;
  readonly snippet: Snippet;
}

/** `fit`: 1 a whole word (or words), less where only its beginning is one, 0 inside of words. */
interface Place extends TextRange { readonly term: number; readonly fit: number }

/** What a text weighs by whose it is: a person looks for what was said more often than for what a tool put out. */
const weights: Readonly<Record<TextSource, number>> = { user: 1.2, agent: 1, action: 0.8, output: 0.5 };
/** A character that goes on with a word. Scripts that are written without blanks have no such. */
const inWord = /[\p{L}\p{M}\p{N}_]/u;
const unspaced = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;
const ASCII_END = 128;
const asciiWord = Array.from({ length: ASCII_END }, (_, code) => inWord.test(String.fromCharCode(code)));

function goesOn(code: number): boolean {
  if (code < ASCII_END) return asciiWord[code] === true;
  const char = String.fromCodePoint(code);
  return inWord.test(char) && !unspaced.test(char);
}

/** The character that ends before a place, and the one that begins there; a blank at either end of the text. */
const BLANK = 0x20;
/** What the beginning of a word is worth beside a whole one. */
const BEGINS_WORD = 0.7;
const before = (text: string, at: number): number => (/[\udc00-\udfff]/.test(text.charAt(at - 1)) ? text.codePointAt(at - 2) : text.codePointAt(at - 1)) ?? BLANK;
const from = (text: string, at: number): number => text.codePointAt(at) ?? BLANK;

/** Where a place begins or ends inside a word. */
function fitOf(text: string, { start, end }: TextRange): number {
  const isApart = (left: number, right: number): boolean => !goesOn(left) || !goesOn(right);
  if (!isApart(before(text, start), from(text, start))) return 0;
  return isApart(before(text, end), from(text, end)) ? 1 : BEGINS_WORD;
}

function placesOf(folded: string, { folded: term }: SearchTerm, index: number): Place[] {
  const places: Place[] = [];
  for (let start = folded.indexOf(term); start >= 0 && places.length < COUNTED_PLACES; start = folded.indexOf(term, start + term.length)) {
    const range = { start, end: start + term.length };
    places.push({ ...range, term: index, fit: fitOf(folded, range) });
  }
  return places;
}

/** An edge of a snippet that cuts no pair. */
function edge(text: string, at: number): number {
  const isInside = at > 0 && at < text.length && /[\udc00-\udfff]/.test(text.charAt(at)) && /[\ud800-\udbff]/.test(text.charAt(at - 1));
  return isInside ? at - 1 : at;
}

/** The place around which most terms stand, whole words first, and how many stand there. */
function densest(places: readonly Place[]): { readonly at: Place; readonly terms: number } {
  let best: { at: Place; terms: number; fit: number } | undefined;
  for (const [i, at] of places.entries()) {
    const near = new Set<number>();
    for (let j = i; j < places.length && (places[j] as Place).start < at.start + SNIPPET_CHARS - SNIPPET_BEFORE; j++) near.add((places[j] as Place).term);
    if (!best || near.size > best.terms || (near.size === best.terms && at.fit > best.fit)) best = { at, terms: near.size, fit: at.fit };
  }
  return best as { at: Place; terms: number };
}

function snippetAt(text: string, places: readonly Place[], at: Place): Snippet {
  const start = edge(text, Math.max(0, at.start - SNIPPET_BEFORE));
  const end = edge(text, Math.min(text.length, start + SNIPPET_CHARS));
  const ranges: TextRange[] = [];
  for (const place of places) {
    const range = { start: place.start - start, end: Math.min(place.end, end) - start };
    if (place.start < start || range.start >= range.end || range.start < (ranges.at(-1)?.end ?? 0)) continue;
    ranges.push(range);
  }
  return { text: text.slice(start, end), ranges, isCutBefore: start > 0, isCutAfter: end < text.length };
}

/** What the best place of each term is worth, on average. */
function mean(groups: readonly (readonly Place[])[], worth: (place: Place, term: number) => number): number {
  return groups.reduce((sum, places, term) => sum + Math.max(...places.map((place) => worth(place, term))), 0) / groups.length;
}

/** Looks for all terms in a text; undefined where one is missing. Linear in the text for each term. */
export function matchText({ text, source }: Pick<SearchText, 'text' | 'source'>, terms: readonly SearchTerm[]): TextMatch | undefined {
  const folded = foldText(text);
  const groups: Place[][] = [];
  for (const [i, term] of terms.entries()) {
    const places = placesOf(folded, term, i);
    if (places.length === 0) return undefined;
    groups.push(places);
  }
  const places = groups.flat().sort((a, b) => a.start - b.start || b.end - a.end);
  const { at, terms: near } = densest(places);
  const exact = mean(groups, ({ start, end }, term) => Number(text.slice(start, end) === terms[term]?.text));
  const relevance = weights[source] * (0.6 + 0.4 * mean(groups, ({ fit }) => fit)) * (0.7 + (0.3 * near) / terms.length) * (1 + 0.1 * exact)
    * (1 + 0.15 * Math.log2(places.length / terms.length)) / (1 + 0.25 * Math.log(1 + text.length / 2_000));
  return { relevance, snippet: snippetAt(text, places, at) };
}
