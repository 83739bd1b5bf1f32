// @ts-check
import { cpus, loadavg } from 'node:os';
import { goalsText } from './goals.mjs';
import { range, table } from './report.mjs';
import { spreadOf } from './rounds.mjs';
/** @import { Goal } from './goals.mjs' */
/** @import { StoreRound } from './store-beside.mjs' */
/** @import { Indexed } from './index-work.mjs' */
/** @import { Spread } from './rounds.mjs' */

const mb = (/** @type {number} */ bytes) => (Number.isNaN(bytes) ? '' : `${Math.round(bytes / 1e6)} MB`);
const ms = (/** @type {number} */ value) => (Number.isNaN(value) ? '' : value < 1_000 ? `${value < 10 ? value.toFixed(1) : Math.round(value)} ms` : `${(value / 1_000).toFixed(2)} s`);
const times = (/** @type {number} */ value) => (value < 10 ? value.toFixed(1) : value.toFixed(0));
/** What docs/benchmarks.md says of the machine, with each table: parts are measured at different times. */
const machine = () => `${cpus().length} × ${cpus()[0]?.model ?? 'unknown CPU'}, Node ${process.version}, load average (1 min) ${loadavg()[0]?.toFixed(1)}, ${new Date().toISOString().slice(0, 16).replace('T', ' ')} UTC`;

/** @typedef {'start' | 'newest' | 'newestAlone' | 'rows' | 'untilRows' | 'early' | 'written' | 'itemsFirst' | 'items' | 'itemsFurther' | 'turns' | 'read' | 'readAgain' | 'readRows'} Key */
const rows = /** @type {readonly (readonly [label: string, key: Key])[]} */ ([
  ['start to `initialize` answered', 'start'], ['newest page of turns, at once after the start', 'newest'], ['the same where no index is made (`--no-index`)', 'newestAlone'], ['any page of the thread ready, from then on', 'rows'], ['the same from the start', 'untilRows'], ['pages of items and turns, right then, from the oldest on', 'early'], ['every row written, from `initialize` on', 'written'], ['`thread/items/list`, first', 'itemsFirst'],
  ['the same again', 'items'], ['pages behind it', 'itemsFurther'], ['`thread/turns/list`', 'turns'], ['`thread/read` with turns', 'read'], ['the same again', 'readAgain'], ['`thread/read` of a thread that is being written to', 'readRows'],
]);
const sizes = /** @type {readonly (readonly [label: string, key: 'readBytes' | 'rowsPeakBytes' | 'writtenPeakBytes' | 'peakBytes' | 'databaseBytes'])[]} */ ([
  ['bytes of that answer', 'readBytes'], ['peak memory until any page is ready', 'rowsPeakBytes'], ['the same until every row is written', 'writtenPeakBytes'], ['peak memory, with `thread/read`', 'peakBytes'], ['database, with text and turns', 'databaseBytes'],
]);

/** What is compared, and by how much ours should be better: in time, or in CPU time. @typedef {{ asked: string, ratio: (round: StoreRound, unit: 'ms' | 'cpuMs') => number, times: number }} Comparison */

/** @param {Key} key @returns {Comparison['ratio']} */
const ratioOf = (key) => ({ original, own }, unit) => (original[key]?.[unit] ?? NaN) / (own[key]?.[unit] ?? NaN);
/** @type {Comparison['ratio']} */
const memory = ({ original, own }) => original.rowsPeakBytes / own.rowsPeakBytes;

/** @type {readonly Comparison[]} */
const ofPaginated = [
  { asked: 'any page ready, from the map of the turns, at least 15 times sooner than its projection', ratio: ratioOf('rows'), times: 15 },
  { asked: 'every row written at least 15 times sooner', ratio: ({ original, own }, unit) => (original.rows?.[unit] ?? NaN) / (own.written?.[unit] ?? NaN), times: 15 }, { asked: 'an indexed page of items at least twice as soon as its warm one', ratio: ratioOf('items'), times: 2 },
  { asked: '`thread/read` with turns at least five times as soon', ratio: ratioOf('read'), times: 5 }, { asked: 'at most a third of its peak memory', ratio: memory, times: 3 },
];
/** @type {readonly Comparison[]} */
const ofLegacy = [
  { asked: 'the newest page without an index at least a hundred times as soon', ratio: ratioOf('newestAlone'), times: 100 }, { asked: 'the same while the index is being made', ratio: ratioOf('newest'), times: 100 }, { asked: '`thread/read` with turns at least five times as soon', ratio: ratioOf('read'), times: 5 },
  { asked: 'the same by bytes of the answer', ratio: (round, unit) => (ratioOf('read')(round, unit) * round.own.readBytes) / round.original.readBytes, times: 5 }, { asked: 'at most a third of its peak memory', ratio: memory, times: 3 },
];
/** Ours of the paginated thread, its start with the legacy one. @type {Comparison} */
const ofStart = { asked: 'any page of the paginated thread at least 1.5 times as soon as its start with the legacy one', ratio: ({ original, own }, unit) => original.start[unit] / (own.rows?.[unit] ?? NaN), times: 1.5 };

const ratioText = (/** @type {readonly number[]} */ ratios) => (ratios.some(Number.isNaN) ? '' : ratios.length === 1 ? times(Number(ratios[0])) : range(spreadOf(ratios), times));

/** Met where it is by either of the two times: where others use the machine, wall times are mostly their noise. @param {readonly StoreRound[]} rounds @returns {(comparison: Comparison) => Goal} */
const judgedBy = (rounds) => ({ asked, ratio, times: wanted }) => {
  const [wall, cpu] = [rounds.map((round) => ratio(round, 'ms')), rounds.map((round) => ratio(round, 'cpuMs'))];
  const figures = ratioText(wall) === ratioText(cpu) ? `${ratioText(wall)} times` : `${ratioText(wall)} times, by CPU time ${ratioText(cpu)}`;
  return { asked, measured: figures, isMet: Math.max(spreadOf(wall).median, spreadOf(cpu).median) >= wanted };
};

/** @typedef {{ legacy: readonly StoreRound[], paginated: readonly StoreRound[] }} Beside */

/** @param {Beside} beside @returns {Goal[]} */
const paginatedGoals = ({ legacy, paginated }) => [...ofPaginated.map(judgedBy(paginated)), judgedBy(paginated.map(({ own }, round) => ({ own, original: legacy[round]?.original ?? own })))(ofStart)];
/** @param {Beside} beside @returns {Goal[]} */
const legacyGoals = ({ legacy }) => ofLegacy.map(judgedBy(legacy));
/** @param {Beside} beside @returns {Goal[]} */
export const besideGoals = (beside) => [...paginatedGoals(beside), ...legacyGoals(beside)];

/** @param {string} title @param {readonly StoreRound[]} rounds @param {readonly Goal[]} goals */
function besideTable(title, rounds, goals) {
  const shown = rows.filter(([, key]) => rounds.some(({ own, original }) => own[key] ?? original[key]));
  const both = (/** @type {'original' | 'own'} */ who, /** @type {Key} */ key) => {
    const of = (/** @type {'ms' | 'cpuMs'} */ unit) => ms(spreadOf(rounds.map((round) => round[who][key]?.[unit] ?? NaN)).median);
    return [of('ms'), of('cpuMs')];
  };
  const beside = table([['', 'original', 'CPU', 'Tapefold', 'CPU', 'original ÷ Tapefold', 'CPU'], ...shown.map(([label, key]) => [
    label, ...both('original', key), ...both('own', key), ratioText(rounds.map((round) => ratioOf(key)(round, 'ms'))), ratioText(rounds.map((round) => ratioOf(key)(round, 'cpuMs'))),
  ]), ...sizes.map(([label, key]) => [label, mb(spreadOf(rounds.map(({ original }) => original[key] ?? NaN)).median), '', mb(spreadOf(rounds.map(({ own }) => own[key] ?? NaN)).median), '', ratioText(rounds.map(({ original, own }) => (original[key] ?? NaN) / (own[key] ?? NaN))), ''])]);
  return `### ${title}\n\n${beside}\n\n${goalsText(goals)}`;
}

/** @param {Beside} beside @param {{ legacy: number, paginated: number }} bytes */
export function besideText(beside, bytes) {
  const { legacy, paginated } = beside;
  return `## The store beside the original

Each program over a copy of the same home, with no database of its own at the beginning, over standard input and output, ${legacy.length === 1 ? 'once' : `${legacy.length} rounds in turns`}. Times are until the last byte of an answer has come, and CPU time of all threads of the process: where others use the
machine, wall times are mostly their noise. ${machine()}.
The original makes its rows of a paginated thread in \`thread/resume\` (asked for no turns) and answers nothing of it before. Tapefold first maps a paginated file in a worker thread: where its turns begin, and which lines can be played by themselves; from then on any page comes from the map and the lines that it names. The rows of items are written behind that, as the text for the search is behind them, and take over. Until there is a map, and of a legacy thread until its rows are there, pages come from the end of the file. Tapefold keeps the texts of short answers, so "the same again" and \`thread/turns/list\` (asked 20 times) are what a client waits that asks again, and the pages behind are what it costs to make one. The turns of a large thread that nobody has written to for ten minutes are kept as text behind its rows, which \`thread/read\` with turns is answered from; of one that is being written to it comes from the rows (compared with the original's \`thread/read\`). The text for the search follows behind the rows (see "Indexing"); pages are asked
for when nothing else goes on in the process. A goal is met if it is by either of the two times.

${besideTable(`Paginated thread, ${mb(bytes.paginated)}`, paginated, paginatedGoals(beside))}

${besideTable(`Legacy thread, ${mb(bytes.legacy)}`, legacy, legacyGoals(beside))}

The original shows no commands and tool calls of legacy threads: its answer to \`thread/read\` is half as long as ours.`;
}

const percent = (/** @type {number} */ part, /** @type {number} */ of) => `${((100 * part) / of).toFixed(1)} %`;

/** @typedef {readonly { name: string, indexed: Indexed, transcript?: { firstMs: number, further: Spread } | undefined }[]} IndexedHomes */

/** @param {IndexedHomes} homes @returns {Goal[]} */
export const indexGoals = (homes) => homes.filter(({ indexed }) => indexed.bytes >= 50e6)
  .map(({ name, indexed }) => ({ asked: `the database with text below half of the session files (${name})`, measured: percent(indexed.databaseBytes, indexed.bytes), isMet: indexed.databaseBytes < indexed.bytes / 2 }));

/** @param {IndexedHomes} homes */
export function indexText(homes) {
  const cells = homes.map(({ name, indexed }) => [
    name, ms(indexed.rowsMs), ms(indexed.rowsCpuMs), ms(indexed.textMs), ms(indexed.textCpuMs), mb(indexed.rowsPeakBytes), mb(indexed.peakBytes), percent(indexed.rowsBytes, indexed.bytes), percent(indexed.textBytes + indexed.outputBytes, indexed.bytes),
    percent(indexed.databaseBytes, indexed.bytes),
  ]);
  return `## Indexing

\`tapefold index\` of a home that was never indexed, each in a process of its own, once. Sizes against the session files; the text is found by trigrams. ${machine()}.

${table([['home', 'rows', 'CPU', 'text, behind the rows', 'CPU', 'peak memory, rows', 'at the end', 'rows', 'text', 'database'], ...cells])}

Pages of the transcript of such a thread (20 turns, played from its file), in one process: ${homes.flatMap(({ name, transcript }) => (transcript ? `${name}: the newest ${ms(transcript.firstMs)} after the index was opened, those behind it ${range(transcript.further, ms)}` : [])).join('; ')}.

${goalsText(indexGoals(homes))}`;
}

/** @typedef {{ threads: number, bytes: number, indexed: Indexed, firstMs: number, overWire: Spread, pages: Spread, byChange: Spread }} ListMeasured */
const LIST_MS = 20;

/** @param {ListMeasured} list @returns {Goal[]} */
export function listGoals({ overWire, pages, byChange }) {
  const slowest = Math.max(overWire.median, pages.median, byChange.median);
  return [{ asked: `one page below ${LIST_MS} ms`, measured: `at most ${ms(slowest)}`, isMet: slowest < LIST_MS }];
}

/** @param {ListMeasured} list */
export function listText(list) {
  const { threads, bytes, indexed, firstMs, overWire, pages, byChange } = list;
  return `## List of many threads

A home with ${threads.toLocaleString('en')} threads in ${mb(bytes)}, indexed (rows in ${ms(indexed.rowsMs)}, text in ${ms(indexed.textMs)} more). \`thread/list\`, 25 a page, over standard input and output; medians with the least and the most of several calls. ${machine()}.

${table([['page', 'time'], ['first after the start, while the homes are looked through', ms(firstMs)], ['first, again', range(overWire, ms)], ['those behind it', range(pages, ms)], ['first, by time of change', range(byChange, ms)]])}

${goalsText(listGoals(list))}`;
}

/** @param {{ bytes: number, turns: number, startMs: number, newestMs: number, againMs: number, olderMs: number, smallMs: number, indexed: Indexed, pages: Spread }} large */
export function largeText({ bytes, turns, startMs, newestMs, againMs, olderMs, smallMs, indexed, pages }) {
  return `## A file of ${(bytes / 1e9).toFixed(1)} GB

A legacy thread of ${turns.toLocaleString('en')} turns, written in full (no sparse file). ${machine()}.

${table([
    ['', 'time', ''], ['start to `initialize` answered', ms(startMs), ''], ['newest page of turns, no index', ms(newestMs), `the same of a thread of 11 MB: ${ms(smallMs)}`], ['the same again', ms(againMs), ''], ['the page before it', ms(olderMs), ''],
    ['rows', ms(indexed.rowsMs), `CPU ${ms(indexed.rowsCpuMs)}, peak memory ${mb(indexed.rowsPeakBytes)}`], ['text, behind them', ms(indexed.textMs), `CPU ${ms(indexed.textCpuMs)}, peak memory ${mb(indexed.peakBytes)}`],
    ['database', mb(indexed.databaseBytes), percent(indexed.databaseBytes, indexed.bytes)], ['indexed page of items', range(pages, ms), ''],
  ])}`;
}
