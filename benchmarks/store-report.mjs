// @ts-check
import { cpus, loadavg } from 'node:os';
import { range, table } from './report.mjs';
import { spreadOf } from './rounds.mjs';
/** @import { StoreRound, StoreTimes } from './store-beside.mjs' */
/** @import { Indexed } from './index-work.mjs' */

const mb = (/** @type {number} */ bytes) => `${Math.round(bytes / 1e6)} MB`;
const ms = (/** @type {number} */ value) => (Number.isNaN(value) ? '' : value < 1_000 ? `${value < 10 ? value.toFixed(1) : Math.round(value)} ms` : `${(value / 1_000).toFixed(2)} s`);
const times = (/** @type {number} */ value) => (value < 10 ? value.toFixed(1) : value.toFixed(0));
/** What docs/benchmarks.md says of the machine, with each table: parts are measured at different times. */
const machine = () => `${cpus().length} × ${cpus()[0]?.model ?? 'unknown CPU'}, Node ${process.version}, load average (1 min) ${loadavg()[0]?.toFixed(1)}, ${new Date().toISOString().slice(0, 16).replace('T', ' ')} UTC`;
const verdict = (/** @type {boolean} */ isMet) => (isMet ? 'met' : '**missed**');

/** @typedef {keyof StoreTimes} Key */
const rows = /** @type {readonly (readonly [label: string, key: Key, form: (value: number) => string])[]} */ ([
  ['start to `initialize` answered', 'startMs', ms], ['newest page of turns, at once after the start', 'newestMs', ms], ['start until rows of the whole thread answer', 'readyMs', ms],
  ['`thread/items/list`, first', 'itemsFirstMs', ms], ['the same again', 'itemsMs', ms], ['pages behind it', 'itemsFurtherMs', ms], ['`thread/turns/list`', 'turnsMs', ms],
  ['`thread/read` with turns', 'readMs', ms], ['the same again', 'readAgainMs', ms], ['bytes of that answer', 'readBytes', mb], ['peak memory until then', 'indexPeakBytes', mb], ['peak memory after `thread/read`', 'peakBytes', mb],
]);

/** A goal: what is compared, and by how much ours should be better. @typedef {{ label: string, ratio: (round: StoreRound) => number, goal: number }} Goal */

/** @param {Key} key @returns {Goal['ratio']} */
const ratioOf = (key) => ({ original, own }) => original[key] / own[key];

/** @type {readonly Goal[]} */
const paginatedGoals = [
  { label: 'rows and pages ready: its projection ÷ ours', ratio: ({ original, own }) => original.projectionMs / (own.readyMs - own.startMs), goal: 15 },
  { label: 'an indexed page of items, warm', ratio: ratioOf('itemsMs'), goal: 2 }, { label: '`thread/read` with turns', ratio: ratioOf('readMs'), goal: 5 }, { label: 'peak memory', ratio: ratioOf('indexPeakBytes'), goal: 3 },
];
/** @type {readonly Goal[]} */
const legacyGoals = [
  { label: 'newest page without an index', ratio: ratioOf('newestMs'), goal: 100 }, { label: '`thread/read` with turns', ratio: ratioOf('readMs'), goal: 5 },
  { label: '`thread/read` with turns, per byte of the answer', ratio: ({ original, own }) => (original.readMs / original.readBytes) / (own.readMs / own.readBytes), goal: 5 }, { label: 'peak memory', ratio: ratioOf('indexPeakBytes'), goal: 3 },
];

/** @param {string} title @param {readonly StoreRound[]} rounds @param {readonly Goal[]} goals */
function besideTable(title, rounds, goals) {
  const of = (/** @type {'original' | 'own'} */ who, /** @type {Key} */ key) => spreadOf(rounds.map((round) => round[who][key])).median;
  const shown = rows.filter(([, key]) => !Number.isNaN(of('own', key)) || !Number.isNaN(of('original', key)));
  const beside = table([['', 'original', 'Tapefold', 'original ÷ Tapefold'], ...shown.map(([label, key, form]) => {
    const ratio = spreadOf(rounds.map(ratioOf(key)));
    return [label, form(of('original', key)), form(of('own', key)), Number.isNaN(ratio.median) ? '' : range(ratio, times)];
  })]);
  const judged = table([['goal', 'wanted', 'measured', ''], ...goals.map(({ label, ratio, goal }) => {
    const spread = spreadOf(rounds.map(ratio));
    return [label, `≥ ${goal}×`, `${range(spread, times)}×`, verdict(spread.median >= goal)];
  })]);
  return `### ${title}\n\n${beside}\n\n${judged}`;
}

/**
 * @param {{ legacy: readonly StoreRound[], paginated: readonly StoreRound[] }} beside
 * @param {{ legacy: number, paginated: number }} bytes
 */
export function besideText({ legacy, paginated }, bytes) {
  const start = spreadOf(legacy.map(({ original }, round) => original.startMs / ((paginated[round]?.own.readyMs ?? NaN) - (paginated[round]?.own.startMs ?? NaN))));
  return `## The store beside the original

Each program over a copy of the same home, with no database of its own at the beginning, over standard input and output, ${legacy.length} rounds in turns. Times are until the last byte of an answer has come. ${machine()}.
The original makes its rows of a paginated thread in \`thread/resume\` (without turns in the answer); Tapefold makes them in a worker thread beside its answers, and until then answers from the file. The text for the search follows behind the rows (next table).

${besideTable(`Paginated thread, ${mb(bytes.paginated)}`, paginated, paginatedGoals)}

Its start with the legacy thread ÷ our rows of the paginated one: ${range(start, times)}× (wanted: ≥ 1.5×, ${verdict(start.median >= 1.5)}).

${besideTable(`Legacy thread, ${mb(bytes.legacy)}`, legacy, legacyGoals)}

The original shows no commands and tool calls of legacy threads: its answer to \`thread/read\` is half of ours.`;
}

const percent = (/** @type {number} */ part, /** @type {number} */ of) => `${((100 * part) / of).toFixed(1)} %`;

/** @param {readonly { name: string, indexed: Indexed }[]} homes */
export function indexText(homes) {
  const cells = homes.map(({ name, indexed }) => [
    name, ms(indexed.rowsMs), ms(indexed.rowsCpuMs), ms(indexed.textMs), ms(indexed.textCpuMs), mb(indexed.rowsPeakBytes), mb(indexed.peakBytes), percent(indexed.rowsBytes, indexed.bytes), percent(indexed.textBytes + indexed.outputBytes, indexed.bytes),
    percent(indexed.databaseBytes, indexed.bytes),
  ]);
  const worst = Math.max(...homes.map(({ indexed }) => indexed.databaseBytes / indexed.bytes));
  return `## Indexing

\`tapefold index\` of a home that was never indexed, each in a process of its own, once. Sizes against the session files; the text is found by trigrams. ${machine()}.

${table([['home', 'rows', 'CPU', 'text, behind the rows', 'CPU', 'peak memory, rows', 'at the end', 'rows', 'text', 'database'], ...cells])}

Goal: the database with text below half of the session files: ${verdict(worst < 0.5)}.`;
}

/** @param {{ threads: number, bytes: number, indexed: Indexed, firstMs: number, overWire: import('./rounds.mjs').Spread, pages: import('./rounds.mjs').Spread, byFile: import('./rounds.mjs').Spread }} list */
export function listText({ threads, bytes, indexed, firstMs, overWire, pages, byFile }) {
  return `## List of many threads

A home with ${threads.toLocaleString('en')} threads in ${mb(bytes)}, indexed (rows in ${ms(indexed.rowsMs)}, text in ${ms(indexed.textMs)} more). \`thread/list\`, 25 a page, over standard input and output. ${machine()}.

${table([['page', 'time'], ['first after the start', ms(firstMs)], ['first, again', range(overWire, ms)], ['behind it', range(pages, ms)], ['first, by time of change', range(byFile, ms)]])}

Goal: a page below 20 ms: ${verdict(Math.max(overWire.median, pages.median, byFile.median) < 20)}; the first of all after a start ${verdict(firstMs < 20)}.`;
}

/** @param {{ bytes: number, turns: number, startMs: number, newestMs: number, againMs: number, olderMs: number, smallMs: number, indexed: Indexed, pages: import('./rounds.mjs').Spread }} large */
export function largeText({ bytes, turns, startMs, newestMs, againMs, olderMs, smallMs, indexed, pages }) {
  return `## A file of ${(bytes / 1e9).toFixed(1)} GB

A legacy thread of ${turns.toLocaleString('en')} turns, written in full (no sparse file). ${machine()}.

${table([
    ['', 'time', ''], ['start to `initialize` answered', ms(startMs), ''], ['newest page of turns, no index', ms(newestMs), `the same of a thread of 11 MB: ${ms(smallMs)}`], ['the same again', ms(againMs), ''], ['the page before it', ms(olderMs), ''],
    ['rows', ms(indexed.rowsMs), `peak memory ${mb(indexed.rowsPeakBytes)}`], ['text, behind them', ms(indexed.textMs), `peak memory ${mb(indexed.peakBytes)}`], ['database', mb(indexed.databaseBytes), percent(indexed.databaseBytes, indexed.bytes)],
    ['indexed page of items', range(pages, ms), ''],
  ])}`;
}
