import type { LineSpan } from './envelope.js';
import type { DamageReason, Repair } from './families/record-facts.js';

/** What a player did with one line; a line with several glued records counts once, as played if any of them is. */
export type LineVerdict = 'played' | 'ignored' | 'unknown' | 'damaged' | 'blank';

/** One line's account. `type`: the record's type as the file names it, for example `event_msg/agent_message`. */
export interface LineAccount {
  readonly verdict: LineVerdict;
  readonly type?: string | undefined;
  readonly damage?: DamageReason | undefined;
  readonly repairs?: readonly Repair[] | undefined;
}

/** Consecutive lines of one verdict: bytes `from` to before `to`. */
export interface LedgerRange {
  readonly verdict: LineVerdict;
  readonly from: number;
  to: number;
  lines: number;
}

/** A damaged line: its number from 0, and its bytes with the newline. */
export interface DamageEntry extends LineSpan {
  readonly line: number;
  readonly reason: DamageReason;
}
/** A line that was played after repairs: its number from 0, and its bytes with the newline. */
export interface RepairEntry extends LineSpan {
  readonly line: number;
  readonly repairs: readonly Repair[];
}

/**
 * What became of every line of a tape: the five counts add up to `linesTotal`, the ranges to `bytesTotal`.
 * Lists are bounded (`LEDGER_LIST_LIMIT`, runs of lines); `listsCut` says how many entries were left out, the counts stay exact.
 */
export interface Ledger {
  linesTotal: number;
  linesPlayed: number;
  linesIgnored: number;
  linesUnknown: number;
  linesDamaged: number;
  linesBlank: number;
  bytesTotal: number;
  types: Record<string, Record<string, number>>;
  ranges: LedgerRange[];
  damage: DamageEntry[];
  repairs: RepairEntry[];
  tornTail: LineSpan | null;
  listsCut: number;
}

/** Entries kept of each list: a file that is damaged throughout must not cost memory without end. */
export const LEDGER_LIST_LIMIT = 10_000;

/** Type names come from the file, so a hostile one must not grow the ledger without end: names are cut, and beyond so many they share one row. */
const TYPE_NAME_LIMIT = 120;
const TYPE_LIMIT = 500;
const OTHER_TYPES = '(more types)';

/** A ledger before the first line. `types` inherits nothing, since its keys come from the file. */
export function emptyLedger(): Ledger {
  return {
    linesTotal: 0, linesPlayed: 0, linesIgnored: 0, linesUnknown: 0, linesDamaged: 0, linesBlank: 0, bytesTotal: 0,
    types: Object.create(null) as Ledger['types'], ranges: [], damage: [], repairs: [], tornTail: null, listsCut: 0,
  };
}

const countOf = { played: 'linesPlayed', ignored: 'linesIgnored', unknown: 'linesUnknown', damaged: 'linesDamaged', blank: 'linesBlank' } as const;

function keep<T>(ledger: Ledger, list: T[], entry: T): void {
  if (list.length < LEDGER_LIST_LIMIT) list.push(entry);
  else ledger.listsCut += 1;
}

function extendRanges(ledger: Ledger, span: LineSpan, verdict: LineVerdict): void {
  const last = ledger.ranges.at(-1);
  const end = span.offset + span.length;
  if (last && last.verdict === verdict && last.to === span.offset) {
    last.to = end;
    last.lines += 1;
  } else keep(ledger, ledger.ranges, { verdict, from: span.offset, to: end, lines: 1 });
}

function countType(ledger: Ledger, type: string, verdict: LineVerdict): void {
  const short = type.length > TYPE_NAME_LIMIT ? `${type.slice(0, TYPE_NAME_LIMIT)}…` : type;
  const isRoom = short in ledger.types || Object.keys(ledger.types).length < TYPE_LIMIT;
  const verdicts = (ledger.types[isRoom ? short : OTHER_TYPES] ??= {});
  verdicts[verdict] = (verdicts[verdict] ?? 0) + 1;
}

/** Enters one line. Amortised O(1); changes `ledger` in place, since a tape has millions of lines. */
export function enterLine(ledger: Ledger, span: LineSpan, account: LineAccount): void {
  const line = ledger.linesTotal;
  ledger.linesTotal += 1;
  ledger[countOf[account.verdict]] += 1;
  ledger.bytesTotal += span.length;
  if (account.type !== undefined) countType(ledger, account.type, account.verdict);
  extendRanges(ledger, span, account.verdict);
  if (account.damage === 'tornTail') ledger.tornTail = { offset: span.offset, length: span.length };
  if (account.damage) keep(ledger, ledger.damage, { line, offset: span.offset, length: span.length, reason: account.damage });
  if (account.repairs?.length) keep(ledger, ledger.repairs, { line, offset: span.offset, length: span.length, repairs: account.repairs });
}

/** True when the counts and the bytes add up, the law that `doctor` prints. */
export function ledgerAddsUp(ledger: Ledger): boolean {
  const lines = ledger.linesPlayed + ledger.linesIgnored + ledger.linesUnknown + ledger.linesDamaged + ledger.linesBlank;
  const bytes = ledger.ranges.reduce((sum, range) => sum + range.to - range.from, 0);
  return lines === ledger.linesTotal && (ledger.listsCut > 0 || bytes === ledger.bytesTotal);
}
