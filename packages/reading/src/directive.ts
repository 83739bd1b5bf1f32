import type { Tally } from './tally.js';

/** A directive in a line: `name{key="value" …}` behind one to three colons. `attributes` undefined: it is closed but malformed. */
export interface Directive {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string> | undefined;
  readonly end: number;
}

const opening = /:{1,3}(git-stage|git-commit|git-create-branch|git-push|git-create-pr|code-comment|codex-inline-vis)\{/y;
const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t' };

/** The index behind all characters from `at` on that belong to a class. */
function skip(line: string, at: number, belongs: (char: string) => boolean): number {
  let i = at;
  while (i < line.length && belongs(line.charAt(i))) i += 1;
  return i;
}

const isSpace = (char: string): boolean => char === ' ' || char === '\t' || char === ',';
const isKey = (char: string): boolean => /[\w-]/.test(char);
const isBare = (char: string): boolean => !/[\s"'{},]/.test(char);

/** A quoted value that begins at `at`; undefined where its closing quote is missing. By hand: a pattern would need a stack as deep as the text is long. */
function quoted(line: string, at: number): { value: string; end: number } | undefined {
  const quote = line.charAt(at);
  const pieces: string[] = [];
  let start = at + 1;
  for (let i = start; i < line.length; i++) {
    const char = line.charAt(i);
    if (char === quote) return { value: pieces.join('') + line.slice(start, i), end: i + 1 };
    if (char !== '\\') continue;
    const escaped = line.charAt(i + 1);
    pieces.push(line.slice(start, i), escapes[escaped] ?? escaped);
    i += 1;
    start = i + 1;
  }
  return undefined;
}

function valueAt(line: string, at: number): { value: string; end: number } | undefined {
  const char = line.charAt(at);
  if (char === '"' || char === "'") return quoted(line, at);
  const end = skip(line, at, isBare);
  return end === at ? undefined : { value: line.slice(at, end), end };
}

/** Attributes up to the brace that closes them; undefined where they are malformed. Each character is visited once. */
function readAttributes(line: string, from: number): { attributes: Map<string, string>; end: number } | undefined {
  const attributes = new Map<string, string>();
  for (let at = skip(line, from, isSpace); ; at = skip(line, at, isSpace)) {
    if (line.charAt(at) === '}') return { attributes, end: at + 1 };
    const keyEnd = skip(line, at, isKey);
    const equals = skip(line, keyEnd, isSpace);
    if (keyEnd === at || line.charAt(equals) !== '=') return undefined;
    const found = valueAt(line, skip(line, equals + 1, isSpace));
    if (!found) return undefined;
    attributes.set(line.slice(at, keyEnd), found.value);
    at = found.end;
  }
}

/**
 * Reads directives of one line. Where attributes are malformed the first brace closes the directive, and from then on in this line too: so no stretch
 * of it is read more than twice.
 */
export class DirectiveReader {
  readonly #line: string;
  readonly #lastBrace: number;
  readonly #tally: Tally;
  #isPlain = false;

  constructor(line: string, tally: Tally) {
    this.#line = line;
    this.#lastBrace = line.lastIndexOf('}');
    this.#tally = tally;
  }

  /** The directive that begins at `at`; undefined where none does. An opening that no brace closes is text. */
  read(at: number): Directive | undefined {
    opening.lastIndex = at;
    const name = opening.exec(this.#line)?.[1];
    const from = opening.lastIndex;
    if (name === undefined || this.#lastBrace < from) return undefined;
    const whole = this.#isPlain ? undefined : readAttributes(this.#line, from);
    const end = whole?.end ?? this.#line.indexOf('}', from) + 1;
    this.#tally.steps += whole || this.#isPlain ? end - at : this.#line.length - at;
    if (!whole) this.#isPlain = true;
    return { name, attributes: whole?.attributes, end };
  }

  /** True where an opening at `at` has not arrived whole: the line ends before its brace. */
  isHalf(at: number): boolean {
    opening.lastIndex = at;
    return opening.test(this.#line) && this.#lastBrace < opening.lastIndex;
  }
}
