import { cellWidth, cutEnd, cutStart, padCells } from './cell-width.js';
import type { Line, Span, Tone } from './line.js';

/** One column; without `align` to the left. */
export interface Column {
  readonly header: string;
  readonly align?: 'left' | 'right' | undefined;
  /** Columns that may give way, with the width that they keep; `cut` says which end goes, `isFirst` that it goes before the others. Absent: never narrower than its content. */
  readonly flexible?: { readonly minCols: number; readonly cut: 'end' | 'start'; readonly isFirst?: boolean } | undefined;
}

/** A cell's text must be safe already, since it is measured. */
export interface Cell {
  readonly text: string;
  readonly tone?: Tone | undefined;
}

const GAP = '  ';

/** Takes what is too much from the flexible columns. */
function fit(columns: readonly Column[], natural: readonly number[], widthCols: number): number[] {
  const widths = [...natural];
  let over = widths.reduce((sum, width) => sum + width, GAP.length * (columns.length - 1)) - widthCols;
  const order = columns.map((column, i) => ({ column, i })).sort((a, b) => Number(b.column.flexible?.isFirst ?? false) - Number(a.column.flexible?.isFirst ?? false));
  for (const { column: { flexible }, i } of order) {
    const width = widths[i] ?? 0;
    const given = flexible ? Math.min(Math.max(0, over), Math.max(0, width - flexible.minCols)) : 0;
    widths[i] = width - given;
    over -= given;
  }
  return widths;
}

function cellText(column: Column, text: string, widthCols: number): string {
  const cut = column.flexible?.cut === 'start' ? cutStart(text, widthCols) : cutEnd(text, widthCols);
  return padCells(cut, widthCols, column.align === 'right' ? 'right' : 'left');
}

/** Rows as aligned columns under their headers, no wider than `widthCols` as far as the flexible columns can give way. Without trailing blanks. */
export function tableLines(columns: readonly Column[], rows: readonly (readonly Cell[])[], widthCols = Number.POSITIVE_INFINITY): Line[] {
  const headers: Cell[] = columns.map(({ header }) => ({ text: header, tone: 'dim' }));
  const natural = columns.map((_, i) => [headers, ...rows].reduce((width, row) => Math.max(width, cellWidth(row[i]?.text ?? '')), 0));
  const widths = widthCols === Number.POSITIVE_INFINITY ? natural : fit(columns, natural, widthCols);
  return [headers, ...rows].map((row) => {
    const spans = columns.map((column, i): Span => ({ ...row[i], text: cellText(column, row[i]?.text ?? '', widths[i] ?? 0) }));
    const last = spans.reduce((found, { text }, i) => (text.trim() === '' ? found : i), -1);
    return spans.slice(0, last + 1).flatMap((span, i) => [...(i === 0 ? [] : [GAP]), i === last ? { ...span, text: span.text.trimEnd() } : span]);
  });
}
