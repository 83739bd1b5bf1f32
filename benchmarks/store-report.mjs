// @ts-check
import { cpus, loadavg } from 'node:os';
import { range, table } from './report.mjs';
import { spreadOf } from './rounds.mjs';
/** @import { StoreRound } from './store-beside.mjs' */
/** @import { Indexed } from './index-work.mjs' */

const mb = (/** @type {number} */ bytes) => `${Math.round(bytes / 1e6)} MB`;
const ms = (/** @type {number} */ value) => (Number.isNaN(value) ? '' : value < 1_000 ? `${value < 10 ? value.toFixed(1) : Math.round(value)} ms` : `${(value / 1_000).toFixed(2)} s`);
const times = (/** @type {number} */ value) => (value < 10 ? value.toFixed(1) : value.toFixed(0));
/** What docs/benchmarks.md says of the machine, with each table: parts are measured at different times. */
const machine = () => `${cpus().length} × ${cpus()[0]?.model ?? 'unknown CPU'}, Node ${process.version}, load average (1 min) ${loadavg()[0]?.toFixed(1)}, ${new Date().toISOString().slice(0, 16).replace('T', ' ')} UTC`;
const verdict = (/** @type {boolean} */ isMet) => (isMet ? 'met' : '**missed**');

/** @typedef {'start' | 'newest' | 'rows' | 'untilRows' | 'itemsFirst' | 'items' | 'itemsFurther' | 'turns' | 'read' | 'readAgain'} Key */
const rows = /** @type {readonly (readonly [label: string, key: Key])[]} */ ([
  ['start to `initialize` answered', 'start'], ['newest page of turns, at once after the start', 'newest'], ['rows of the whole thread, from then on', 'rows'], ['the same from the start', 'untilRows'], ['`thread/items/list`, first', 'itemsFirst'],
  ['the same again', 'items'], ['pages behind it', 'itemsFurther'], ['`thread/turns/list`', 'turns'], ['`thread/read` with turns', 'read'], ['the same again', 'readAgain'],
]);
const sizes = /** @type {readonly (readonly [label: string, key: 'readBytes' | 'rowsPeakBytes' | 'peakBytes'])[]} */ ([
  ['bytes of that answer', 'readBytes'], ['peak memory until the rows answer', 'rowsPeakBytes'], ['peak memory, with `thread/read`', 'peakBytes'],
]);

/** A goal: what is compared, and by how much ours should be better, in time (`ms` or `cpuMs`). @typedef {{ label: string, ratio: (round: StoreRound, unit: 'ms' | 'cpuMs') => number, goal: number }} Goal */

/** @param {Key} key @returns {Goal['ratio']} */
const ratioOf = (key) => ({ original, own }, unit) => (original[key]?.[unit] ?? NaN) / (own[key]?.[unit] ?? NaN);
/** @type {Goal['ratio']} */
const memory = ({ original, own }) => original.rowsPeakBytes / own.rowsPeakBytes;

/** @type {readonly Goal[]} */
const paginatedGoals = [
  { label: 'rows and pages ready: its projection ÷ ours', ratio: ratioOf('rows'), goal: 15 }, { label: 'an indexed page of items, warm', ratio: ratioOf('items'), goal: 2 }, { label: '`thread/read` with turns', ratio: ratioOf('read'), goal: 5 },
  { label: 'peak memory', ratio: memory, goal: 3 },
];
/** @type {readonly Goal[]} */
const legacyGoals = [
  { label: 'newest page without an index', ratio: ratioOf('newest'), goal: 100 }, { label: '`thread/read` with turns', ratio: ratioOf('read'), goal: 5 },
  { label: '`thread/read` with turns, by bytes of the answer', ratio: (round, unit) => (ratioOf('read')(round, unit) * round.own.readBytes) / round.original.readBytes, goal: 5 }, { label: 'peak memory', ratio: memory, goal: 3 },
];

/** @param {readonly StoreRound[]} rounds @param {'original' | 'own'} who @param {Key} key @param {'ms' | 'cpuMs'} unit */
const medianOf = (rounds, who, key, unit) => spreadOf(rounds.map((round) => round[who][key]?.[unit] ?? NaN)).median;
const ratioText = (/** @type {readonly number[]} */ ratios) => (ratios.some(Number.isNaN) ? '' : ratios.length === 1 ? times(Number(ratios[0])) : range(spreadOf(ratios), times));

/** @param {readonly StoreRound[]} rounds @param {Goal} goal @returns {string[]} */
function judged(rounds, { label, ratio, goal }) {
  const [wall, cpu] = [rounds.map((round) => ratio(round, 'ms')), rounds.map((round) => ratio(round, 'cpuMs'))];
  return [label, `≥ ${goal}×`, ratioText(wall), ratioText(cpu), verdict(Math.max(spreadOf(wall).median, spreadOf(cpu).median) >= goal)];
}

/** @param {string} title @param {readonly StoreRound[]} rounds @param {readonly Goal[]} goals */
function besideTable(title, rounds, goals) {
  const shown = rows.filter(([, key]) => rounds.some(({ own, original }) => own[key] ?? original[key]));
  const both = (/** @type {'original' | 'own'} */ who, /** @type {Key} */ key) => [ms(medianOf(rounds, who, key, 'ms')), ms(medianOf(rounds, who, key, 'cpuMs'))];
  const beside = table([['', 'original', 'CPU', 'Tapefold', 'CPU', 'original ÷ Tapefold', 'CPU'], ...shown.map(([label, key]) => [
    label, ...both('original', key), ...both('own', key), ratioText(rounds.map((round) => ratioOf(key)(round, 'ms'))), ratioText(rounds.map((round) => ratioOf(key)(round, 'cpuMs'))),
  ]), ...sizes.map(([label, key]) => [label, mb(spreadOf(rounds.map(({ original }) => original[key])).median), '', mb(spreadOf(rounds.map(({ own }) => own[key])).median), '', ratioText(rounds.map(({ original, own }) => original[key] / own[key])), ''])]);
  return `### ${title}\n\n${beside}\n\n${table([['goal', 'wanted', 'measured', 'by CPU', ''], ...goals.map((goal) => judged(rounds, goal))])}`;
}

/**
 * @param {{ legacy: readonly StoreRound[], paginated: readonly StoreRound[] }} beside
 * @param {{ legacy: number, paginated: number }} bytes
 */
export function besideText({ legacy, paginated }, bytes) {
  const start = judged(legacy.map(({ original }, round) => ({ original, own: paginated[round]?.own ?? original })), { label: 'its start with the legacy thread ÷ our rows of the paginated one', ratio: ({ original, own }, unit) => original.start[unit] / (own.rows?.[unit] ?? NaN), goal: 1.5 });
  return `## The store beside the original

Each program over a copy of the same home, with no database of its own at the beginning, over standard input and output, ${legacy.length === 1 ? 'once' : `${legacy.length} rounds in turns`}. Times are until the last byte of an answer has come, and CPU time of all threads of the process: where others use the
machine, wall times are mostly their noise. ${machine()}.
The original makes its rows of a paginated thread in \`thread/resume\` (asked for no turns); Tapefold makes them in a worker thread beside its answers, and until then answers from the file. The text for the search follows behind the rows (see "Indexing"); pages are asked
for when nothing else goes on in the process. A goal is met if it is by either of the two times.

${besideTable(`Paginated thread, ${mb(bytes.paginated)}`, paginated, paginatedGoals)}

${besideTable(`Legacy thread, ${mb(bytes.legacy)}`, legacy, legacyGoals)}

${table([['goal', 'wanted', 'measured', 'by CPU', ''], start])}

The original shows no commands and tool calls of legacy threads: its answer to \`thread/read\` is half as long as ours.`;
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
