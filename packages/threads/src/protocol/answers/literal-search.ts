/** UTF-16 units of a text before and behind a match that a snippet shows. */
const CONTEXT_CHARS = 80;

/** Where a text holds a term, and what a snippet of it shows; offsets are UTF-16 units into the snippet. */
export interface LiteralMatch {
  readonly snippet: string;
  readonly range: { readonly start: number; readonly end: number };
}

/** A term as a pattern that finds it literally and in any case. */
export function literalPattern(term: string): RegExp {
  return new RegExp(term.replace(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`), 'giu');
}

/** An edge of a snippet that cuts no surrogate pair. */
function edge(text: string, index: number): number {
  const isInsidePair = index > 0 && index < text.length && /[\uDC00-\uDFFF]/.test(text[index] ?? '') && /[\uD800-\uDBFF]/.test(text[index - 1] ?? '');
  return isInsidePair ? index - 1 : index;
}

/** Every place where a text holds the pattern, in order, without overlaps. */
export function* literalMatches(text: string, pattern: RegExp): Generator<LiteralMatch> {
  for (const found of text.matchAll(pattern)) {
    const from = edge(text, Math.max(found.index - CONTEXT_CHARS, 0));
    const to = edge(text, Math.min(found.index + found[0].length + CONTEXT_CHARS, text.length));
    yield { snippet: text.slice(from, to), range: { start: found.index - from, end: found.index - from + found[0].length } };
  }
}
