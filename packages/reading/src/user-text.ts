import type { Tally } from './tally.js';

const ESC = '\u001b';
const BEL = '\u0007';
/** Final byte of a control sequence; before it stand parameters and intermediates. */
const isFinal = (char: string): boolean => char >= '@' && char <= '~';
const isParameter = (char: string): boolean => char >= ' ' && char <= '?';
const isControl = (char: string): boolean => (char < ' ' && char !== '\n' && char !== '\t') || (char >= '\u007f' && char <= '\u009f');

/** The index behind a control sequence whose parameters begin at `from`; `from` where it is none. */
function endOfControlSequence(text: string, from: number): number {
  let i = from;
  while (i < text.length && isParameter(text.charAt(i))) i += 1;
  return i < text.length && isFinal(text.charAt(i)) ? i + 1 : from;
}

/** The index behind a string sequence (title, hyperlink, device control); `from` where nothing ends it: then only its introducer goes, no text. */
function endOfString(text: string, from: number, lastEnd: number): number {
  if (from > lastEnd) return from;
  for (let i = from; i <= lastEnd; i++) {
    const char = text.charAt(i);
    if (char === BEL || char === '\u009c') return i + 1;
    if (char === ESC && text.charAt(i + 1) === '\\') return i + 2;
  }
  return from;
}

/** The index behind the sequence that the control character at `i` begins. */
function endOfSequence(text: string, i: number, lastEnd: number): number {
  const char = text.charAt(i);
  const kind = char === ESC ? text.charAt(i + 1) : char;
  const from = char === ESC ? i + 2 : i + 1;
  if (char === ESC ? kind === '[' : kind === '\u009b') return endOfControlSequence(text, from);
  if (char === ESC ? kind !== '' && ']PX^_'.includes(kind) : '\u009d\u0090\u0098\u009e\u009f'.includes(kind)) return endOfString(text, from, lastEnd);
  return char === ESC && kind >= '0' && kind <= '~' ? from : i + 1;
}

/** What a person typed or pasted, without control characters (but newline and tab) and escape sequences. Linear, never throws, idempotent. */
export function withoutControls(text: string, tally: Tally = { steps: 0 }): string {
  const lastEnd = Math.max(text.lastIndexOf(BEL), text.lastIndexOf('\u009c'), text.lastIndexOf(`${ESC}\\`));
  const kept: string[] = [];
  let start = 0;
  for (let i = 0; i < text.length;) {
    tally.steps += 1;
    if (!isControl(text.charAt(i))) { i += 1; continue; }
    kept.push(text.slice(start, i));
    const end = endOfSequence(text, i, lastEnd);
    tally.steps += end - i;
    start = end;
    i = end;
  }
  return kept.join('') + text.slice(start);
}
