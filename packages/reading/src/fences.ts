/** A stretch of lines: running text, or a fenced code block with its fences. */
export interface Block {
  readonly kind: 'text' | 'fence';
  readonly lines: readonly string[];
  /** Of a fence: its info word in lower case, and whether a closing fence ends it. */
  readonly info: string;
  readonly isClosed: boolean;
}

interface Opening {
  readonly char: string;
  readonly length: number;
  readonly info: string;
}

function openingOf(line: string): Opening | undefined {
  const found = /^ {0,3}(?:(`{3,})([^`]*)|(~{3,})(.*))$/.exec(line);
  if (!found) return undefined;
  const marks = found[1] ?? found[3] ?? '';
  const info = (found[2] ?? found[4] ?? '').trim().split(/\s/, 1)[0] ?? '';
  return { char: marks.charAt(0), length: marks.length, info: info.toLowerCase() };
}

function closes(line: string, { char, length }: Opening): boolean {
  const text = line.trim();
  return text.length >= length && line.length - line.trimStart().length <= 3 && text === char.repeat(text.length);
}

/** Cuts lines into text and fenced blocks, as CommonMark does; a fence that nothing closes goes to the end. O(lines). */
export function blocksOf(lines: readonly string[]): Block[] {
  const blocks: Block[] = [];
  let open: Opening | undefined;
  let start = 0;
  const push = (kind: Block['kind'], end: number, isClosed: boolean): void => {
    if (end > start) blocks.push({ kind, lines: lines.slice(start, end), info: open?.info ?? '', isClosed });
    start = end;
  };
  lines.forEach((line, i) => {
    if (open) {
      if (!closes(line, open)) return;
      push('fence', i + 1, true);
      open = undefined;
    } else {
      const opening = openingOf(line);
      if (!opening) return;
      push('text', i, false);
      open = opening;
    }
  });
  push(open ? 'fence' : 'text', lines.length, false);
  return blocks;
}

const isRow = (line: string): boolean => line.includes('|');
/** The row under a table's head: dashes, colons and bars alone. */
const isDelimiter = (line: string): boolean => line.includes('-') && line.includes('|') && /^[\s|:-]+$/.test(line);

/** True for a closed `markdown` fence with a table in it: such a fence only hides the table from whoever renders it. */
export function wrapsTable(block: Block): boolean {
  if (block.kind !== 'fence' || !block.isClosed || (block.info !== 'markdown' && block.info !== 'md')) return false;
  return block.lines.slice(1, -1).some((line, i, inner) => isDelimiter(line) && isRow(inner[i - 1] ?? ''));
}
