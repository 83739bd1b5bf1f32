import { cutEnd } from '../../text/cell-width.js';
import type { Line, Tone } from '../../text/line.js';
import { counted } from '../../text/measures.js';
import { safeLine, safeLines } from '../../text/safe-text.js';
import type { TranscriptView } from './view.js';

/** Lines of a cut block: enough to see what a command did at its beginning and how it ended. */
export const CUT = { headLines: 6, tailLines: 6, lineChars: 400, summaryCols: 160 };
/** A block is not cut to hide fewer lines than the line that says so is worth. */
const MIN_HIDDEN_LINES = 3;

/** What belongs to an item stands below its line, so far in. */
export const INDENT = '    ';

function cutLine(line: string): string {
  return line.length <= CUT.lineChars ? line : `${line.slice(0, CUT.lineChars)} … ${counted(line.length - CUT.lineChars, 'more character')}`;
}

/** The lines of a text, without the blank ones at its end. */
export function textLines(text: string): string[] {
  const lines = safeLines(text);
  while (lines.at(-1)?.trim() === '') lines.pop();
  return lines;
}

/** Indented lines of a tool's text: whole where the view is full, else head and tail with the exact number of lines between them. */
export function cutBlock(lines: readonly string[], view: TranscriptView, toneOf: (line: string) => Tone = () => 'dim'): Line[] {
  const shown = (line: string): Line => (line === '' ? [] : [INDENT, { text: view.isFull ? line : cutLine(line), tone: toneOf(line) }]);
  const hidden = lines.length - CUT.headLines - CUT.tailLines;
  if (view.isFull || hidden < MIN_HIDDEN_LINES) return lines.map(shown);
  return [
    ...lines.slice(0, CUT.headLines).map(shown),
    [INDENT, { text: `… ${counted(hidden, 'line')} hidden …`, tone: 'accent' }],
    ...lines.slice(-CUT.tailLines).map(shown),
  ];
}

/** A text as one line: whole where the view is full, else cut to a summary's width. */
export function summaryLine(text: string, view: TranscriptView, widthCols: number = CUT.summaryCols): string {
  const line = safeLine(view.isFull ? text : text.slice(0, widthCols * 32));
  return view.isFull ? line : cutEnd(line, widthCols);
}

/** A Markdown code span: with more backticks than the text has in a row. */
export function codeSpan(text: string): string {
  const longest = Math.max(0, ...Array.from(text.matchAll(/`+/g), ([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return longest === 0 ? `${fence}${text}${fence}` : `${fence} ${text} ${fence}`;
}
