import { type PreviewResult, visibleText } from '@tapefold/reading';
import type { ThreadSummary } from '@tapefold/store';
import { cellWidth, cutEnd, cutStart, padCells } from '../text/cell-width.js';
import { type Line, blank } from '../text/line.js';
import { counted, shortPath, sizeText } from '../text/measures.js';
import { safeLine } from '../text/safe-text.js';
import { type Cell, type Column, tableLines } from '../text/text-table.js';
import type { Times } from '../text/times.js';
import { previewScreenLines } from './preview-lines.js';
import { lastTurnEndings, mayRun, mayRunEnding } from './turn-ends.js';

/** What a list is rendered with. */
export interface ListView {
  readonly times: Times;
  /** Unix ms. */
  readonly nowMs: number;
  readonly homeDir: string;
  /** Columns of the terminal; absent where the output is no terminal: one row a thread then. */
  readonly widthCols?: number | undefined;
  /** Previews by thread id, to stand below their rows. */
  readonly previews?: ReadonlyMap<string, PreviewResult> | undefined;
}

/** From this width on a thread is one row of a table; a narrower terminal shows it in two lines, so that the title stays readable. */
const TABLE_MIN_COLS = 110;
/** Cells of a title where no terminal says how wide it is. */
const TITLE_COLS = 100;
/** A title is looked for in this much of a prompt: prompts can be megabytes. */
const TITLE_SOURCE_CHARS = 2_000;
/** UUIDs of version 7 made within a minute share their first eight digits, so sub-agents would share them with their parent: these are all of the time. */
const ID_CHARS = 13;
const WHOLE_ID_CHARS = 36;
const GAP = '  ';

const columns: readonly Column[] = [
  { header: 'ID' }, { header: 'TIME' }, { header: 'AGENT' }, { header: 'TITLE', flexible: { minCols: 20, cut: 'end' } }, { header: 'CWD', flexible: { minCols: 18, cut: 'start', isFirst: true } },
  { header: 'SIZE', align: 'right' }, { header: 'TURNS', align: 'right' }, { header: 'LAST TURN' },
];

/** A row in the order of the page: sub-agents stand below the thread that started them, where that is shown. */
interface PlacedRow {
  readonly row: ThreadSummary;
  readonly depth: number;
  /** As much of the id as tells it from the others of the page. */
  readonly id: string;
}

/** Beginnings of ids; ids that begin alike stand whole. */
function shortIds(rows: readonly ThreadSummary[]): ReadonlyMap<string, string> {
  const counts = new Map<string, number>();
  const ids = new Map(rows.map(({ thread }) => [thread.id, safeLine(thread.id)]));
  for (const id of ids.values()) counts.set(id.slice(0, ID_CHARS), (counts.get(id.slice(0, ID_CHARS)) ?? 0) + 1);
  return new Map(Array.from(ids, ([id, safe]) => [id, safe.slice(0, (counts.get(safe.slice(0, ID_CHARS)) ?? 0) > 1 ? WHOLE_ID_CHARS : ID_CHARS)]));
}

function placed(rows: readonly ThreadSummary[]): PlacedRow[] {
  const shown = new Set(rows.map(({ thread }) => thread.id));
  const ids = shortIds(rows);
  const parentOf = ({ thread, isSubAgent }: ThreadSummary): string | undefined =>
    isSubAgent && thread.parentThreadId !== null && thread.parentThreadId !== thread.id && shown.has(thread.parentThreadId) ? thread.parentThreadId : undefined;
  const children = new Map<string | undefined, ThreadSummary[]>();
  for (const row of rows) {
    const siblings = children.get(parentOf(row));
    if (siblings) siblings.push(row);
    else children.set(parentOf(row), [row]);
  }
  const seen = new Set<ThreadSummary>();
  const below = (parent: string | undefined, depth: number): PlacedRow[] => (children.get(parent) ?? []).flatMap((row) => {
    if (seen.has(row)) return [];
    seen.add(row);
    return [{ row, depth, id: ids.get(row.thread.id) ?? '' }, ...below(row.thread.id, depth + 1)];
  });
  const page = below(undefined, 0);
  // Threads that name each other as parent hang below nothing: they are shown all the same.
  return [...page, ...rows.filter((row) => !seen.has(row)).map((row) => ({ row, depth: 0, id: ids.get(row.thread.id) ?? '' }))];
}

/** The name that a person gave, else the first prompt, in one line of visible text. */
export function titleOf({ name, preview }: ThreadSummary['thread']): string {
  const title = safeLine(visibleText((name ?? preview).slice(0, TITLE_SOURCE_CHARS), { kind: 'user' }) ?? '');
  return title === '' ? '(no prompt)' : title;
}

function titleCell({ row, depth }: PlacedRow): Cell {
  const mark = row.isSubAgent ? `${'  '.repeat(Math.max(0, depth - 1))}↳ ` : '';
  const archived = row.isArchived ? '[archived] ' : '';
  return { text: `${mark}${archived}${titleOf(row.thread)}`, tone: row.isArchived || row.isSubAgent ? undefined : 'strong' };
}

const lastTurnCell = ({ lastTurn, updatedAtMs, lastRecordAtMs }: ThreadSummary, { nowMs }: ListView): Cell => {
  if (lastTurn === undefined) return { text: '–', tone: 'dim' };
  const { glyph, words, tone } = lastTurn === 'open' && mayRun({ updatedAtMs, lastRecordAtMs }, nowMs) ? mayRunEnding : lastTurnEndings[lastTurn];
  return { text: `${glyph} ${words}`, tone };
};

/** What stands below a row: what is wrong with its file, and its preview. */
function linesBelow({ problem, thread }: ThreadSummary, view: ListView, indent: string): Line[] {
  const preview = view.previews?.get(thread.id);
  const room = view.widthCols === undefined ? undefined : view.widthCols - indent.length;
  return [
    ...(problem === undefined ? [] : [[indent, { text: `! ${safeLine(problem)}`, tone: 'warn' as const }]]),
    ...(preview === undefined ? [] : previewScreenLines(preview, room).map((line) => [indent, ...line])),
  ];
}

function tableRow(placedRow: PlacedRow, view: ListView): Cell[] {
  const { row } = placedRow;
  const title = titleCell(placedRow);
  return [
    { text: placedRow.id, tone: 'accent' }, { text: view.times.short(row.updatedAtMs), tone: 'dim' }, { text: row.program },
    { ...title, text: view.widthCols === undefined ? cutEnd(title.text, TITLE_COLS) : title.text }, { text: safeLine(shortPath(row.thread.cwd, view.homeDir)) },
    { text: sizeText(row.sizeBytes) }, { text: row.turnCount === undefined ? '–' : String(row.turnCount) }, lastTurnCell(row, view),
  ];
}

function asTable(rows: readonly PlacedRow[], view: ListView): Line[] {
  const [header = blank, ...lines] = tableLines(columns, rows.map((row) => tableRow(row, view)), view.widthCols);
  return [header, ...lines.flatMap((line, i) => {
    const row = rows[i]?.row;
    return row === undefined ? [line] : [line, ...linesBelow(row, view, '  ')];
  })];
}

/** Two lines a thread: time and title; below, id and everything else. */
function asPairs(rows: readonly PlacedRow[], view: ListView, widthCols: number): Line[] {
  return rows.flatMap((placedRow) => {
    const { row } = placedRow;
    const title = titleCell(placedRow);
    const last = lastTurnCell(row, view);
    const id = padCells(placedRow.id, ID_CHARS);
    const after = ` · ${sizeText(row.sizeBytes)} · ${row.turnCount === undefined ? '– turns' : counted(row.turnCount, 'turn')} · `;
    const room = widthCols - cellWidth(`${id}${GAP}${row.program} · ${after}${last.text}`);
    const cwd = cutStart(safeLine(shortPath(row.thread.cwd, view.homeDir)), Math.max(0, room));
    return [
      [{ text: padCells(view.times.short(row.updatedAtMs), ID_CHARS), tone: 'dim' }, GAP, { ...title, text: cutEnd(title.text, widthCols - ID_CHARS - GAP.length) }],
      [{ text: id, tone: 'accent' }, GAP, { text: `${row.program} · ${cwd}${after}`, tone: 'dim' }, last],
      ...linesBelow(row, view, ' '.repeat(ID_CHARS + GAP.length)),
    ];
  });
}

/** The list as lines, newest first as it was given. Pure. */
export function listLines(rows: readonly ThreadSummary[], view: ListView): Line[] {
  if (rows.length === 0) return [];
  const page = placed(rows);
  return view.widthCols !== undefined && view.widthCols < TABLE_MIN_COLS ? asPairs(page, view, view.widthCols) : asTable(page, view);
}
