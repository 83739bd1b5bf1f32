import type { TapeLine } from '@tapefold/facts';
import { type SkipLine, readLinesSync } from '@tapefold/tapes';
import type { NewestTurns } from '../../thread-source.js';
import { LATE_RECORD_BYTES } from '../limits.js';
import type { OnRead, Segment } from '../shelf.js';

/** Characters of a line in which its type stands, and those in which the id of its turn does. */
const TYPE_CHARS = 200;
const TURN_CHARS = 4_096;

/** Types of records that can come late; for summaries those alone that end a turn or are whole items. */
const lateTypes = { full: /"type":"(?:item_completed|exec_command_end|patch_apply_end|task_complete|turn_aborted)"/, summary: /"type":"(?:item_completed|task_complete|turn_aborted)"/ };
type View = keyof typeof lateTypes;

/** Nearly all lines behind a page are not late ones, and most of a page's time would go into making text of them. */
const neverLate = (view: View): SkipLine => (bytes, start, end) => !lateTypes[view].test(bytes.toString('latin1', start, Math.min(end, start + TYPE_CHARS)));

/** Records of a stretch of a file that can be late ones of turns before it. */
interface LateStretch { readonly view: View; readonly tape: string; readonly from: number; readonly to: number; readonly lines: readonly TapeLine[] }

const mayBeLate = ({ text }: TapeLine, view: View): boolean => lateTypes[view].test(text?.slice(0, TYPE_CHARS) ?? '');
const turnIdOf = ({ text }: TapeLine): string | undefined => /"turn_id":"([^"]+)"/.exec(text?.slice(0, TURN_CHARS) ?? '')?.[1];

/** What was read with a page: the page before it has it behind itself, and need not read it again. */
const readWith = new WeakMap<NewestTurns, LateStretch>();

/** A page's lines and where they stand. */
interface PageLines { readonly segment: Segment; readonly from: number; readonly to: number; readonly lines: readonly TapeLine[] }

/** Which stretch is behind the page; of it what is read is told to `onRead`, and nothing is that was read with the page behind it (`newer`). */
interface LateQuery { readonly view: View; readonly newer: NewestTurns | undefined; readonly onRead: OnRead | undefined }

function stretchBehind({ segment, to }: PageLines, { view, newer, onRead }: LateQuery): LateStretch {
  const { path, tape, sizeBytes } = segment.file;
  const end = Math.min(to + LATE_RECORD_BYTES, segment.endOffset ?? sizeBytes);
  const known = newer && readWith.get(newer);
  const isKnown = known?.tape === tape && known.view === view && known.from <= to && known.to >= to;
  const lines = isKnown ? known.lines.filter(({ offset }) => offset >= to && offset < end) : [];
  const from = isKnown ? known.to : to;
  if (from < end) for (const batch of readLinesSync(path, { from, to: end, onRead, skips: neverLate(view) })) lines.push(...batch);
  return { view, tape, from: to, to: Math.max(from, end), lines };
}

/** Records behind a page that name one of its turns, and so belong to it. `remember`: notes for the page before it what was read, once the page is made. */
export function lateRecords(page: PageLines, query: LateQuery): { readonly lines: readonly TapeLine[]; readonly remember: (made: NewestTurns) => void } {
  const behind = stretchBehind(page, query);
  const ids = new Set(page.lines.flatMap((line) => turnIdOf(line) ?? []));
  const remember = (made: NewestTurns): void => {
    const own = page.lines.filter((line) => mayBeLate(line, query.view));
    readWith.set(made, { ...behind, from: page.from, lines: [...own, ...behind.lines].filter(({ offset }) => offset < page.from + LATE_RECORD_BYTES) });
  };
  return { lines: behind.lines.filter((line) => ids.has(turnIdOf(line) ?? '')), remember };
}
