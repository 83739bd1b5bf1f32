/** How a piece of a word can be written, in order of preference. `open`: the character may stand only at the beginning of a piece in this style. */
interface QuotingStyle {
  readonly allows: (char: string, isFirst: boolean) => boolean;
  readonly write: (piece: string) => string;
}

const bareChar = /^[A-Za-z0-9+\-./:@_\]]$/;

/** The order is the original's; each style excludes what some shell reads differently inside it (`^` is safe only right after the opening quote). */
const styles: readonly QuotingStyle[] = [
  { allows: (char) => bareChar.test(char), write: (piece) => piece },
  { allows: (char, isFirst) => char !== "'" && char !== '\\' && (char !== '^' || isFirst), write: (piece) => `'${piece}'` },
  { allows: (char) => !'`$!^'.includes(char), write: (piece) => `"${piece.replace(/["\\]/g, '\\$&')}"` },
];

/** Words that the first style fits, or else the second: most are one of the two. */
const bareWord = /^[A-Za-z0-9+\-./:@_\]]+$/;
const singleWord = /^[^'\\][^'\\^]*$/;

/** Cuts the word where no style goes on that fitted so far; each piece in the first style that fits all of it. O(length). */
function quoteWord(word: string): string {
  if (word === '') return "''";
  if (bareWord.test(word)) return word;
  if (singleWord.test(word)) return `'${word}'`;
  let quoted = '';
  let start = 0;
  let fitting = styles;
  const write = (end: number): void => { quoted += fitting[0]?.write(word.slice(start, end)) ?? ''; };
  for (let i = 0; i < word.length; i++) {
    const going = fitting.filter((style) => style.allows(word.charAt(i), i === start));
    if (going.length > 0) { fitting = going; continue; }
    write(i);
    start = i;
    fitting = styles.filter((style) => style.allows(word.charAt(i), true));
  }
  write(word.length);
  return quoted;
}

/**
 * The words of a command as one line that a shell would split into them again, quoted as Codex quotes (`codex-history.md` §6). Words with a NUL byte
 * cannot be quoted: then all are joined as they are. Never throws.
 */
export function commandLine(words: readonly string[]): string {
  const isQuotable = words.every((word) => !word.includes('\0'));
  return words.map((word) => (isQuotable ? quoteWord(word) : word)).join(' ');
}
