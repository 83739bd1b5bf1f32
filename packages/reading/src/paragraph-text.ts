import { codeCommentEntry } from './code-comment.js';
import { type Span, codeSpans } from './code-spans.js';
import { type Directive, DirectiveReader } from './directive.js';
import type { Tally } from './tally.js';
import { type VisualisationUrl, endOfPrivateMark, lastPrivateClose, privateUseVisualisation, visualisationLine } from './visualisation.js';

/** What the rules need beside the text. `isTail`: the text may go on behind this paragraph, so a placeholder can have half arrived. */
export interface ParagraphOptions {
  readonly cwd?: string | undefined;
  readonly visualisationUrl?: VisualisationUrl | undefined;
  readonly isTail: boolean;
  readonly tally: Tally;
}

interface Line {
  readonly text: string;
  readonly spans: readonly Span[];
  readonly options: ParagraphOptions;
  readonly isLast: boolean;
}

const isBlank = (text: string): boolean => text.trim() === '';
const mayStandBefore = (char: string): boolean => char !== ':' && !/^\w$/.test(char);

/** The spans of each line of a paragraph, in offsets of the line. */
function spansByLine(lines: readonly string[], tally: Tally): Span[][] {
  const spans = codeSpans(lines.join('\n'), tally);
  let start = 0;
  let next = 0;
  return lines.map((line) => {
    const end = start + line.length;
    const own: Span[] = [];
    while (next < spans.length) {
      const [from, to] = spans[next] ?? [0, 0];
      if (from >= end && line !== '') break;
      own.push([from - start, to - start]);
      if (to > end) break;
      next += 1;
    }
    start = end + 1;
    return own;
  });
}

/** A visualisation on a line of its own: the line that stands for it, '' where it is half arrived, undefined where the line is none. */
function visualisation({ text, spans, options, isLast }: Line): string | undefined {
  const isHalfAllowed = options.isTail && isLast;
  const privateForm = privateUseVisualisation(text);
  if (privateForm === 'half') return isHalfAllowed ? '' : undefined;
  if (privateForm) return visualisationLine(privateForm.file, options.visualisationUrl);
  const at = text.length - text.trimStart().length;
  if (spans.length > 0 || !/^:{1,3}codex-inline-vis\{/.test(text.slice(at, at + 24))) return undefined;
  const reader = new DirectiveReader(text, options.tally);
  if (reader.isHalf(at)) return isHalfAllowed ? '' : undefined;
  const directive = reader.read(at);
  return directive && isBlank(text.slice(directive.end)) ? visualisationLine(directive.attributes?.get('file'), options.visualisationUrl) : undefined;
}

/** What a directive turns into: nothing, an entry of a list (only where a line begins), or undefined: it stays text. */
function replacement(directive: Directive, isAtStart: boolean, cwd: string | undefined): string | undefined {
  if (directive.name.startsWith('git-')) return '';
  return directive.name === 'code-comment' && isAtStart && directive.attributes ? codeCommentEntry(directive.attributes, cwd) : undefined;
}

/** A line while it is rewritten: entries that stand before it, and the text so far. */
class LineWriter {
  readonly #entries: string[] = [];
  readonly #pieces: string[] = [];
  #last = '';
  /** True while nothing but blanks was written. */
  isBlank = true;

  get last(): string {
    return this.#last;
  }

  write(text: string): void {
    if (text === '') return;
    this.#pieces.push(text);
    this.#last = text.charAt(text.length - 1);
    this.isBlank &&= text.trim() === '';
  }

  /** An entry begins a line of its own, so blanks before it go. */
  enter(entry: string): void {
    this.#entries.push(entry);
    this.#pieces.length = 0;
    this.#last = '';
  }

  /** The lines; undefined where nothing is left. */
  lines(): string | undefined {
    const all = this.isBlank ? this.#entries : [...this.#entries, this.#pieces.join('')];
    return all.length > 0 ? all.join('\n') : undefined;
  }
}

/** The next offset from `i` on at which a line may need rewriting: a colon or a private-use bracket. */
function nextMark(text: string, i: number, end: number): number {
  let at = i;
  while (at < end && text.charAt(at) !== ':' && text.charAt(at) !== '\ue200') at += 1;
  return at;
}

/** Rewrites what stands at `i`, outside of code that begins at `codeFrom`; answers the index behind it, `i` where it stays. */
function rewriteAt(line: Line, out: LineWriter, at: { readonly i: number; readonly codeFrom: number; readonly reader: DirectiveReader; readonly lastClose: number }): number {
  const { i, codeFrom, reader, lastClose } = at;
  if (line.text.charAt(i) !== ':') return Math.max(i, endOfPrivateMark(line.text, i, lastClose));
  const directive = mayStandBefore(out.last) ? reader.read(i) : undefined;
  const written = directive && directive.end <= codeFrom ? replacement(directive, out.isBlank, line.options.cwd) : undefined;
  if (!directive || written === undefined) return i;
  if (written !== '') out.enter(written);
  return directive.end;
}

/** Rewrites one line outside of code; undefined where nothing is left of it. O(length). */
function rewriteLine(line: Line): string | undefined {
  const { text, spans, options: { tally } } = line;
  const reader = new DirectiveReader(text, tally);
  const lastClose = lastPrivateClose(text);
  const out = new LineWriter();
  let span = 0;
  for (let i = 0; i < text.length;) {
    const [codeFrom, codeTo] = spans[span] ?? [text.length, text.length];
    const stop = i >= codeFrom ? Math.max(i, codeTo) : nextMark(text, i, codeFrom);
    if (i >= codeFrom) span += 1;
    out.write(text.slice(i, stop));
    tally.steps += stop - i + 1;
    if (i >= codeFrom || stop >= codeFrom) { i = stop; continue; }
    const end = rewriteAt(line, out, { i: stop, codeFrom, reader, lastClose });
    if (end === stop) out.write(text.charAt(stop));
    i = Math.max(end, stop + 1);
    if (end > stop && (out.last === '' || out.last === ' ')) while (text.charAt(i) === ' ') i += 1;
  }
  return out.lines();
}

/** A paragraph's lines as a person sees them: directives rewritten or gone, code spans untouched. Linear. */
export function paragraphText(lines: readonly string[], options: ParagraphOptions): string[] {
  const spans = spansByLine(lines, options.tally);
  return lines.flatMap((text, i) => {
    const line: Line = { text, spans: spans[i] ?? [], options, isLast: i === lines.length - 1 };
    const placeholder = visualisation(line);
    if (placeholder !== undefined) return placeholder === '' ? [] : [placeholder];
    if (!text.includes(':') && !text.includes('\ue200')) return [text];
    return rewriteLine(line) ?? [];
  });
}
