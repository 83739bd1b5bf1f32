import type { TapeLine } from '@tapefold/facts';
import { isCodexTurnStart } from '@tapefold/dialects';
import { type SkipLine, readLinesSync, readSpan } from '@tapefold/tapes';
import type { OnRead, ShelfFile } from '../shelf.js';
import { LINE_START_BYTES, LINE_START_STEP_BYTES, TAIL_WINDOW_BYTES } from '../limits.js';

/** The newest lines before a place in a file, beginning at the start of a turn. */
export interface TailWindow {
  readonly lines: readonly TapeLine[];
  /** Where the first line stands. */
  readonly startOffset: number;
  /** The window reaches the first line of the file. */
  readonly isFromStart: boolean;
}

/** How a window is read. `newSkips`: for each stretch of lines that follow each other, which of them nobody needs. */
export interface WindowOptions {
  readonly onRead?: OnRead | undefined;
  readonly newSkips?: (() => SkipLine) | undefined;
}

/** What is wanted of a file: the newest turns before byte `to`. `newerBytes`: what as many turns behind took, where that is known. */
export interface WantedWindow {
  readonly to: number;
  readonly turns: number;
  readonly budgetBytes: number;
  readonly newerBytes?: number | undefined;
}

/** The first line start at or after `offset`; undefined where a longer line than is looked through stands there. */
function lineStartAfter(file: ShelfFile, { offset, to }: { offset: number; to: number }, onRead: OnRead | undefined): number | undefined {
  if (offset === 0) return 0;
  const end = Math.min(offset - 1 + LINE_START_BYTES, to);
  for (let from = offset - 1, length = LINE_START_STEP_BYTES; from < end; from += length, length *= 2) {
    const newline = readSpan(file.path, { offset: from, length: Math.min(length, end - from) }, { onRead }).indexOf(0x0a);
    if (newline >= 0) return from + newline + 1;
  }
  return undefined;
}

function linesFrom(file: ShelfFile, span: { from: number; to: number }, { onRead, newSkips }: WindowOptions): TapeLine[] {
  const lines: TapeLine[] = [];
  for (const batch of readLinesSync(file.path, { ...span, onRead, skips: newSkips?.() })) lines.push(...batch);
  return lines;
}

/** Room for turns that are somewhat longer than those that were seen. */
const MARGIN = 1.15;

function firstBytes({ newerBytes, budgetBytes }: WantedWindow): number {
  return Math.min(newerBytes === undefined ? TAIL_WINDOW_BYTES : Math.max(TAIL_WINDOW_BYTES / 4, Math.ceil(newerBytes * MARGIN)), budgetBytes);
}

/** As much more as the turns found so far let expect, within bounds. */
function nextBytes(bytes: number, found: number, { turns, budgetBytes }: WantedWindow): number {
  const expected = Math.ceil((bytes * turns * MARGIN) / Math.max(found, 1));
  return Math.min(Math.max(expected, Math.ceil(bytes * MARGIN)), bytes * 4, budgetBytes);
}

/**
 * The newest `turns` turns of a plain file before byte `to`, read backwards in windows that grow until they hold them or the budget ends; no line is
 * read twice. Undefined where no turn begins within the budget: then only the whole file tells.
 */
export function tailWindow(file: ShelfFile, wanted: WantedWindow, options: WindowOptions = {}): TailWindow | undefined {
  let lines: TapeLine[] = [];
  let starts: TapeLine[] = [];
  let readFrom = wanted.to;
  for (let bytes = firstBytes(wanted); ; bytes = nextBytes(bytes, starts.length, wanted)) {
    const from = lineStartAfter(file, { offset: Math.max(0, wanted.to - bytes), to: wanted.to }, options.onRead);
    if (from !== undefined && from < readFrom) {
      const older = linesFrom(file, { from, to: readFrom }, options);
      starts = [...older.filter((line) => isCodexTurnStart(line.text)), ...starts];
      lines = [...older, ...lines];
      readFrom = from;
    }
    const isEnough = starts.length >= wanted.turns;
    if (!isEnough && from !== 0 && bytes < wanted.budgetBytes) continue;
    if (!isEnough && from === 0) return { lines, startOffset: 0, isFromStart: true };
    const first = starts.at(-wanted.turns) ?? starts[0];
    return first && { lines: lines.slice(lines.indexOf(first)), startOffset: first.offset, isFromStart: false };
  }
}
