import type { Tally } from './tally.js';

/** Offsets from the opening backticks to behind the closing ones. */
export type Span = readonly [from: number, to: number];

interface Run {
  readonly at: number;
  readonly length: number;
  /** What it can open: a backslash before it takes its first backtick away. */
  readonly opens: number;
}

function runsOf(paragraph: string, tally: Tally): Run[] {
  const runs: Run[] = [];
  for (let at = paragraph.indexOf('`'); at >= 0;) {
    let end = at;
    while (paragraph.charAt(end) === '`') end += 1;
    tally.steps += end - at;
    runs.push({ at, length: end - at, opens: paragraph.charAt(at - 1) === '\\' ? end - at - 1 : end - at });
    at = paragraph.indexOf('`', end);
  }
  return runs;
}

/** For each run the next one of the length that it opens with; looked up from the end, so that no run searches. */
function closersOf(runs: readonly Run[]): (number | undefined)[] {
  const nearest = new Map<number, number>();
  const closers: (number | undefined)[] = [];
  for (let i = runs.length - 1; i >= 0; i--) {
    const run = runs[i];
    if (!run) continue;
    closers[i] = nearest.get(run.opens);
    nearest.set(run.length, i);
  }
  return closers;
}

/** Code spans of a paragraph, as CommonMark pairs backticks: each run with the next of the same length. O(length). */
export function codeSpans(paragraph: string, tally: Tally = { steps: 0 }): Span[] {
  const runs = runsOf(paragraph, tally);
  const closers = closersOf(runs);
  const spans: Span[] = [];
  for (let i = 0; i < runs.length; i++) {
    tally.steps += 1;
    const closer = closers[i];
    const [open, close] = [runs[i], closer === undefined ? undefined : runs[closer]];
    if (!open || !close || closer === undefined) continue;
    spans.push([open.at, close.at + close.length]);
    i = closer;
  }
  return spans;
}
