import type { TapeLine } from '@tapefold/facts';
import { CODEX_SUMMARY_HEAD_CHARS, CodexSummaryFilter, codexTailCheckpoint, createCodexPlayer, isCodexTailExact } from '@tapefold/dialects';
import { type SkipLine, readLinesSync } from '@tapefold/tapes';
import { type ThreadHead, ThreadRows } from '@tapefold/threads';
import type { NewestTurns, TailMark } from '../../thread-source.js';
import { TAIL_WINDOW_BYTES, WHOLE_FILE_BYTES } from '../limits.js';
import { pieceReader } from '../piece-reader.js';
import type { NewestQuery, OnRead, Segment } from '../shelf.js';
import type { CodexFiles, ThreadFiles } from './codex-files.js';
import { lateRecords } from './late-records.js';
import { LinesFold } from './lines-fold.js';
import { threadObjectOf } from './rows.js';
import { type TailWindow, tailWindow } from './tail-window.js';
import { bytesOfSegments, segmentBytes } from '../segment-bytes.js';

interface Place { readonly segment: Segment; readonly to: number; readonly older: Segment | undefined }

/** Where reading backwards begins: at the mark, else at the end of the newest segment; a base is entered only below its cut. */
function placeOf(segments: readonly Segment[], before: TailMark | undefined): Place | undefined {
  const index = before === undefined ? segments.length - 1 : segments.findIndex(({ file }) => file.tape === before.tape);
  const segment = segments[index];
  if (!segment || segment.file.form !== 'lines' || segment.endOffset === undefined && segment.endOrdinal !== undefined) return undefined;
  const end = segmentBytes(segment);
  return { segment, to: Math.min(before?.offset ?? end, end), older: segments[index - 1] };
}

/** Every line says when it was written, once; a second time means a second record on it. */
const TIME_FIELD = '"timestamp"';

/** Lines that are of no use for summaries, in a stretch of lines that follow each other. */
function quietLines(): SkipLine {
  const filter = new CodexSummaryFilter();
  return (bytes, start, end) => filter.skips({
    head: bytes.toString('latin1', start, Math.min(end, start + CODEX_SUMMARY_HEAD_CHARS)),
    isOneRecord: () => {
      const second = bytes.indexOf(TIME_FIELD, start + TIME_FIELD.length);
      return second < 0 || second >= end;
    },
    text: () => bytes.toString('utf8', start, end),
  });
}

/** Plays a window from the start of a turn and folds it; undefined where what it shows cannot be trusted (a rollback reached further back). */
function foldWindow(place: Place, window: TailWindow, told: { head: ThreadHead; late: readonly TapeLine[] }): Pick<NewestTurns, 'rows' | 'placeOf' | 'marks'> | undefined {
  const { identity } = told.head;
  const { tape } = place.segment.file;
  if (!identity) return undefined;
  const player = createCodexPlayer({ tape }, window.isFromStart ? undefined : codexTailCheckpoint(identity));
  const fold = new LinesFold(player, { tape, head: told.head, position: 0, isNumbered: identity.historyMode === 'paginated' });
  const rows = new ThreadRows();
  for (const line of [...window.lines, ...told.late]) rows.apply(fold.take(line));
  const { records } = fold;
  return window.isFromStart || isCodexTailExact(player.checkpoint()) ? { rows, placeOf: records.placeOf, marks: records } : undefined;
}

/** Whether nothing that is shown stands before the window: then it is the last page. Only a short beginning is looked through. */
function isFirst(place: Place, window: TailWindow, onRead: OnRead | undefined): boolean {
  if (window.isFromStart || window.startOffset > TAIL_WINDOW_BYTES) return window.isFromStart;
  const { path, tape } = place.segment.file;
  const player = createCodexPlayer({ tape });
  for (const batch of readLinesSync(path, { from: 0, to: window.startOffset, onRead })) {
    if (batch.some((line) => player.play(line).facts.some(({ type }) => type === 'turn.started' || type === 'input.received'))) return false;
  }
  return true;
}

/** Where the next older page begins, or null at the start of the history. */
function markBefore(place: Place, window: TailWindow, onRead: OnRead | undefined): TailMark | null {
  if (!isFirst(place, window, onRead)) return { tape: place.segment.file.tape, offset: window.startOffset };
  const { older } = place;
  return older ? { tape: older.file.tape, offset: older.endOffset ?? older.file.sizeBytes } : null;
}

/** For summaries of a legacy thread without the lines that tell nothing of them. Played from its first line on, a file shows by them of which age it is. */
function windowOf({ segment, to }: Place, { identity }: ThreadHead, { turns, budgetBytes, onRead, isSummary, newer }: NewestQuery): TailWindow | undefined {
  const read = (newSkips?: () => SkipLine): TailWindow | undefined => tailWindow(segment.file, { to, turns, budgetBytes, newerBytes: newer?.sizeBytes }, { onRead, newSkips });
  const window = read(isSummary && identity?.historyMode === 'legacy' ? quietLines : undefined);
  return window?.isFromStart && isSummary ? read() : window;
}

/**
 * The newest turns of a large thread, from the end of its file. Undefined where the thread is better or only read whole: it is small, compressed, has
 * no turns that a record begins, or a rollback reaches out of the window.
 */
export function openNewest(shelf: CodexFiles, thread: ThreadFiles, query: NewestQuery): NewestTurns | undefined {
  const { segments, problems } = shelf.segmentsOf(thread);
  const bytes = bytesOfSegments(segments);
  const place = bytes < (query.wholeBytes ?? WHOLE_FILE_BYTES) ? undefined : placeOf(segments, query.before);
  const look = place && shelf.lookAt(place.segment.file);
  const head = look?.head;
  const window = place && head && windowOf(place, head, query);
  if (!window || !place || !head) return undefined;
  const { onRead, newer } = query;
  const late = lateRecords({ segment: place.segment, from: window.startOffset, to: place.to, lines: window.lines }, { view: query.isSummary ? 'summary' : 'full', newer, onRead });
  const folded = foldWindow(place, window, { head, late: late.lines });
  if (!folded) return undefined;
  const newest: NewestTurns = {
    program: 'codex', lastRecordAtMs: look?.lastRecordAtMs, thread: threadObjectOf(shelf, thread, thread.newest.head), head, ...folded, readPiece: pieceReader(shelf.catalog.byTape), problems, older: markBefore(place, window, onRead), sizeBytes: place.to - window.startOffset,
  };
  late.remember(newest);
  return newest;
}
