import { type DamageReason, type Ledger, type LineSpan, type Repair, ledgerAddsUp } from '@tapefold/facts';
import type { TapeReport } from '@tapefold/store';
import { type Line, type Tone, blank } from '../text/line.js';
import { counted, shortPath, sizeText } from '../text/measures.js';
import { safeLine } from '../text/safe-text.js';
import { type Cell, tableLines } from '../text/text-table.js';

/** Why a line is damaged, as a clause of which the line is the subject. */
export const damageWords: Record<DamageReason, string> = {
  invalidJson: 'it is no JSON', invalidUtf8: 'it is not valid UTF-8', tooLong: 'it is longer than a line may be', tornTail: 'it stops in the middle: the last line of the file, which may still grow',
  notAnObject: 'it is JSON, but no record', tooDeep: 'it is nested too deep',
};
/** What was done to a line so that it could be read, as a clause. */
export const repairWords: Record<Repair, string> = {
  byteOrderMark: 'a byte order mark was skipped', carriageReturn: 'a carriage return was skipped', gluedRecords: 'several records stood on it, each was read', nulPadding: 'zero bytes around it were skipped',
  partOfLine: 'only a part of it was a record',
};

/** What a ledger counts, in the order of the law: these add up to the lines of the file. */
export const verdicts = [
  ['linesPlayed', 'played'], ['linesIgnored', 'ignored'], ['linesUnknown', 'unknown'], ['linesDamaged', 'damaged'], ['linesBlank', 'blank'],
] as const satisfies readonly (readonly [keyof Ledger, string])[];

/** Entries shown of each list; `--json` gives all that the ledger kept. */
const LIST_LIMIT = 20;

const tones: Partial<Record<string, Tone>> = { damaged: 'bad', unknown: 'warn' };
const count = (value: number): string => value.toLocaleString('en-US');
const bytesOf = ({ offset, length }: LineSpan): string => `bytes ${offset}–${offset + length}`;

/** The sum written out, and whether it is right: the one line that a person looks for. */
export function sumLine(ledger: Ledger): Line {
  const terms = verdicts.map(([key]) => count(ledger[key])).join(' + ');
  return ledgerAddsUp(ledger)
    ? [{ text: '✓', tone: 'good' }, ` It adds up: ${terms} = ${counted(ledger.linesTotal, 'line')}.`]
    : [{ text: `✗ It does not add up: ${terms} against ${counted(ledger.linesTotal, 'line')}, ${count(ledger.bytesTotal)} bytes. This is a bug of Tapefold: please report it.`, tone: 'bad' }];
}

function countLines(ledger: Ledger): Line[] {
  const width = Math.max(...verdicts.map(([key]) => count(ledger[key]).length));
  return verdicts.map(([key, word]): Line => {
    const tone = ledger[key] > 0 ? tones[word] : 'dim';
    return ['  ', { text: `${word.padEnd(8)} ${count(ledger[key]).padStart(width)}`, tone }];
  });
}

function typeLines({ types }: Ledger): Line[] {
  const used = verdicts.filter(([, word]) => Object.values(types).some((counts) => counts[word] !== undefined));
  const rows = Object.entries(types).map(([type, counts]): Cell[] => [
    { text: safeLine(type) }, ...used.map(([, word]): Cell => ({ text: counts[word] === undefined ? '' : count(counts[word]), tone: tones[word] })),
  ]);
  if (rows.length === 0) return [];
  const table = tableLines([{ header: 'TYPE' }, ...used.map(([, word]) => ({ header: word.toUpperCase(), align: 'right' as const }))], rows);
  return [blank, ...table.map((line): Line => ['  ', ...line])];
}

function listed<T>(title: string, entries: readonly T[], lineOf: (entry: T) => string): Line[] {
  if (entries.length === 0) return [];
  const more = entries.length - LIST_LIMIT;
  return [
    blank, [{ text: title, tone: 'strong' }],
    ...entries.slice(0, LIST_LIMIT).map((entry): Line => ['  ', lineOf(entry)]),
    ...(more > 0 ? [['  ', { text: `… ${counted(more, 'more')}: --json shows them`.replace('mores', 'more'), tone: 'accent' as const }]] : []),
  ];
}

function rangeLines(ledger: Ledger): Line[] {
  const damaged = ledger.ranges.filter(({ verdict }) => verdict === 'damaged');
  return listed('Damaged byte ranges', damaged, ({ from, to, lines }) => `bytes ${from}–${to} (${counted(lines, 'line')})`);
}

/** The ledger of one session file, whole. Pure. */
export function ledgerLines({ path, threadId, ledger, facts, problem }: TapeReport, homeDir: string): Line[] {
  const cut = ledger.listsCut === 0 ? [] : [[{ text: `${counted(ledger.listsCut, 'entry').replace(/entrys$/, 'entries')} of these lists are not kept; the counts are exact.`, tone: 'dim' as const }]];
  return [
    [{ text: shortPath(path, homeDir), tone: 'title' }],
    [{ text: `thread ${threadId ?? 'not known'} · ${sizeText(ledger.bytesTotal)} · ${counted(ledger.linesTotal, 'line')} gave ${counted(facts, 'fact')}`, tone: 'dim' }],
    ...(problem === undefined ? [] : [[{ text: `! ${safeLine(problem)}`, tone: 'warn' as const }]]),
    ...countLines(ledger), sumLine(ledger), ...typeLines(ledger), ...rangeLines(ledger),
    ...listed('Damaged lines', ledger.damage, (entry) => `line ${entry.line + 1}, ${bytesOf(entry)}: ${damageWords[entry.reason]}`),
    ...listed('Repaired lines', ledger.repairs, (entry) => `line ${entry.line + 1}, ${bytesOf(entry)}: ${entry.repairs.map((repair) => repairWords[repair]).join(', ')}`),
    ...(ledger.tornTail ? [blank, [{ text: `Torn tail: ${bytesOf(ledger.tornTail)} are an unfinished last line; they are read again when the file grows.`, tone: 'warn' as const }]] : []),
    ...cut,
  ];
}

/** One session file in one line: what is wrong with it, or its counts. */
export function reportLine({ path, ledger, facts, problem }: TapeReport, homeDir: string): Line {
  const odd = verdicts.filter(([key, word]) => tones[word] !== undefined && ledger[key] > 0).map(([key, word]) => `${count(ledger[key])} ${word}`);
  const isFine = ledgerAddsUp(ledger);
  const glyph = isFine && problem === undefined && ledger.linesDamaged === 0 ? { text: '✓', tone: 'good' as const } : { text: isFine ? '!' : '✗', tone: isFine ? 'warn' as const : 'bad' as const };
  const notes = [...(isFine ? [] : ['does not add up']), ...odd, ...(ledger.repairs.length > 0 ? [`${count(ledger.repairs.length)} repaired`] : []), ...(problem === undefined ? [] : [safeLine(problem)])];
  return [
    glyph, ` ${shortPath(path, homeDir)}`, { text: ` · ${counted(ledger.linesTotal, 'line')} · ${counted(facts, 'fact')}`, tone: 'dim' },
    ...(notes.length === 0 ? [] : [{ text: ` · ${notes.join(' · ')}`, tone: glyph.tone }]),
  ];
}

/** Sums over session files. */
export interface LedgerTotals extends Record<(typeof verdicts)[number][0], number> {
  tapes: number;
  facts: number;
  linesTotal: number;
  bytesTotal: number;
  problems: number;
  /** Of those, files of which no line could be read. */
  unreadable: number;
  doNotAddUp: number;
}

/** Before the first report; `addReport` adds in place. */
export function emptyTotals(): LedgerTotals {
  return { tapes: 0, facts: 0, linesTotal: 0, bytesTotal: 0, problems: 0, unreadable: 0, doNotAddUp: 0, linesPlayed: 0, linesIgnored: 0, linesUnknown: 0, linesDamaged: 0, linesBlank: 0 };
}

/** Adds one report, in place. */
export function addReport(totals: LedgerTotals, { ledger, facts, problem }: TapeReport): void {
  totals.tapes += 1;
  totals.facts += facts;
  totals.problems += problem === undefined ? 0 : 1;
  totals.unreadable += problem !== undefined && ledger.linesTotal === 0 ? 1 : 0;
  totals.doNotAddUp += ledgerAddsUp(ledger) ? 0 : 1;
  for (const key of ['linesTotal', 'bytesTotal', ...verdicts.map(([each]) => each)] as const) totals[key] += ledger[key];
}

/** The sums, and whether every ledger adds up. */
export function totalLines(totals: LedgerTotals): Line[] {
  const counts = verdicts.map(([key, word]) => `${count(totals[key])} ${word}`).join(', ');
  const unread = totals.problems === 0 ? '' : ` ${counted(totals.problems, 'file')} could not be read to the end.`;
  return [
    blank, [{ text: `${counted(totals.tapes, 'session file')}, ${sizeText(totals.bytesTotal)}, ${counted(totals.facts, 'fact')}`, tone: 'strong' }],
    [`${counted(totals.linesTotal, 'line')}: ${counts}.${unread}`],
    totals.doNotAddUp === 0
      ? [{ text: '✓', tone: 'good' }, ' Every ledger adds up.']
      : [{ text: `✗ ${counted(totals.doNotAddUp, 'ledger')} did not add up. This is a bug of Tapefold: please report it.`, tone: 'bad' }],
  ];
}
