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

/** How a window is read. `skips`: lines that nobody needs. */
export interface WindowOptions {
  readonly onRead?: OnRead | undefined;
  readonly skips?: SkipLine | undefined;
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

function linesFrom(file: ShelfFile, span: { from: number; to: number }, options: WindowOptions): TapeLine[] {
  const lines: TapeLine[] = [];
  for (const batch of readLinesSync(file.path, { ...span, ...options })) lines.push(...batch);
  return lines;
}

/**
 * The newest `turns` turns of a plain file before byte `to`, read backwards in windows that grow until they hold them or the budget ends; no line is
 * read twice. Undefined where no turn begins within the budget: then only the whole file tells.
 */
export function tailWindow(file: ShelfFile, wanted: { to: number; turns: number; budgetBytes: number }, options: WindowOptions = {}): TailWindow | undefined {
  let lines: TapeLine[] = [];
  let starts: TapeLine[] = [];
  let readFrom = wanted.to;
  for (let bytes = Math.min(TAIL_WINDOW_BYTES, wanted.budgetBytes); ; bytes = Math.min(bytes * 2, wanted.budgetBytes)) {
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
