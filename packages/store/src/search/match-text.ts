import { FoldableText } from './find-term.js';
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

/** What a text is worth for a query. `relevance`: above 0, comparable between texts of one query. `snippet`: cut when it is asked for; few of the texts that hold the terms are shown. */
export interface TextMatch {
  readonly relevance: number;
  readonly snippet: () => Snippet;
}

/** `fit`: 1 a whole word (or words), less where only its beginning is one, 0 inside of words. */
interface Place extends TextRange { readonly term: number; readonly fit: number }
/** Places of one term, at least one, and the best that is among them. */
interface TermPlaces { readonly places: readonly Place[]; readonly fit: number; readonly isExact: boolean }

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
const isHighHalf = (unit: number): boolean => unit >= 0xd800 && unit < 0xdc00;
const isLowHalf = (unit: number): boolean => unit >= 0xdc00 && unit < 0xe000;
const from = (text: string, at: number): number => text.codePointAt(at) ?? BLANK;
const before = (text: string, at: number): number => text.codePointAt(isLowHalf(text.charCodeAt(at - 1)) && isHighHalf(text.charCodeAt(at - 2)) ? at - 2 : at - 1) ?? BLANK;

/** Where a place begins or ends inside a word. */
function fitOf(text: string, start: number, end: number): number {
  if (goesOn(before(text, start)) && goesOn(from(text, start))) return 0;
  return goesOn(before(text, end)) && goesOn(from(text, end)) ? BEGINS_WORD : 1;
}

/** Where a term stands in a text; undefined where it does not. */
function placesOf(searched: FoldableText, { text: typed, length, find }: SearchTerm, index: number): TermPlaces | undefined {
  const places: Place[] = [];
  const { text } = searched;
  let best = 0;
  let isExact = false;
  for (let start = find(searched, 0); start >= 0 && places.length < COUNTED_PLACES; start = find(searched, start + length)) {
    const fit = fitOf(text, start, start + length);
    places.push({ start, end: start + length, term: index, fit });
    best = Math.max(best, fit);
    isExact ||= text.startsWith(typed, start);
  }
  return places.length === 0 ? undefined : { places, fit: best, isExact };
}

/** An edge of a snippet that cuts no pair. */
function edge(text: string, at: number): number {
  const isInside = at > 0 && at < text.length && isLowHalf(text.charCodeAt(at)) && isHighHalf(text.charCodeAt(at - 1));
  return isInside ? at - 1 : at;
}

/** The place around which most terms stand, whole words first, and how many stand there. Places in order; linear. */
function densest(places: readonly Place[], terms: number): { readonly at: Place; readonly terms: number } {
  const counts = new Uint16Array(terms);
  const count = (term: number, change: 1 | -1): number => (counts[term] = (counts[term] ?? 0) + change);
  let best: { at: Place; terms: number } | undefined;
  let near = 0;
  let next = 0;
  for (const at of places) {
    for (let place = places[next]; place && (place === at || place.start < at.start + SNIPPET_CHARS - SNIPPET_BEFORE); place = places[++next]) if (count(place.term, 1) === 1) near += 1;
    if (!best || near > best.terms || (near === best.terms && at.fit > best.at.fit)) best = { at, terms: near };
    if (count(at.term, -1) === 0) near -= 1;
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

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Looks for all terms in a text; undefined where one is missing. Linear in the text for each term. */
export function matchText({ text, source }: Pick<SearchText, 'text' | 'source'>, terms: readonly SearchTerm[]): TextMatch | undefined {
  const searched = new FoldableText(text);
  const groups: TermPlaces[] = [];
  for (const [i, term] of terms.entries()) {
    const places = placesOf(searched, term, i);
    if (!places) return undefined;
    groups.push(places);
  }
  const places = groups.length === 1 && groups[0] ? groups[0].places : groups.flatMap((group) => group.places).sort((a, b) => a.start - b.start || b.end - a.end);
  const { at, terms: near } = densest(places, terms.length);
  // What the best place of each term is worth, on average.
  const [fit, exact] = [mean(groups.map((group) => group.fit)), mean(groups.map(({ isExact }) => Number(isExact)))];
  const relevance = weights[source] * (0.6 + 0.4 * fit) * (0.7 + (0.3 * near) / terms.length) * (1 + 0.1 * exact)
    * (1 + 0.15 * Math.log2(places.length / terms.length)) / (1 + 0.25 * Math.log(1 + text.length / 2_000));
  return { relevance, snippet: () => snippetAt(text, places, at) };
}
