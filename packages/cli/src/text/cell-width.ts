import fastStringWidth from 'fast-string-width';

/** Made at the first cut: making one takes longer than most commands. */
let segmenter: Intl.Segmenter | undefined;
/** No grapheme of a safe text that takes a cell is longer than this; a text is cut to it before it is walked. */
const UNITS_PER_CELL = 32;

/** Terminal columns of a safe, one-line text: wide characters count two, combining marks none. */
export function cellWidth(text: string): number {
  return fastStringWidth(text);
}

function fitting(pieces: Iterable<string>, widthCols: number): string[] {
  const kept: string[] = [];
  let width = 0;
  for (const piece of pieces) {
    width += cellWidth(piece);
    if (width > widthCols) break;
    kept.push(piece);
  }
  return kept;
}

function graphemesOf(text: string): string[] {
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}

/** The text cut to `widthCols` columns, with `…` in place of its end. Never splits a grapheme. */
export function cutEnd(text: string, widthCols: number): string {
  const head = text.slice(0, (widthCols + 1) * UNITS_PER_CELL);
  if (head.length === text.length && cellWidth(text) <= widthCols) return text;
  return widthCols < 1 ? '' : `${fitting(graphemesOf(head), widthCols - 1).join('').trimEnd()}…`;
}

/** As `cutEnd`, with `…` in place of the beginning: for paths, whose end says more. */
export function cutStart(text: string, widthCols: number): string {
  const tail = text.slice(-(widthCols + 1) * UNITS_PER_CELL);
  if (tail.length === text.length && cellWidth(text) <= widthCols) return text;
  return widthCols < 1 ? '' : `…${fitting(graphemesOf(tail).reverse(), widthCols - 1).reverse().join('')}`;
}

/** Fills up with spaces to `widthCols` columns; a wider text stays as it is. */
export function padCells(text: string, widthCols: number, align: 'left' | 'right' = 'left'): string {
  const fill = ' '.repeat(Math.max(0, widthCols - cellWidth(text)));
  return align === 'left' ? text + fill : fill + text;
}
