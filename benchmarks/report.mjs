// @ts-check
import { cpus, loadavg, totalmem } from 'node:os';
import { FURTHER_PAGES, PAUSE_MS } from './codex-server.mjs';
import { goalsText } from './goals.mjs';
import { spreadOf } from './rounds.mjs';
import { sectionOf, sectionText } from './sections.mjs';
/** @import { Goal } from './goals.mjs' */
/** @import { Measured } from './measure.mjs' */
/** @import { OriginalRead, PagesRound } from './codex-server.mjs' */
/** @import { Spread, timeCommand } from './rounds.mjs' */

/** One large thread's measurements: `results` by task. @typedef {{ mode: string, bytes: number, lines: number, turns: number, results: Map<string, Measured[]> }} ThreadResult */
/** @typedef {Awaited<ReturnType<typeof timeCommand>>} CommandResult */
/**
 * @typedef {object} Results
 * @property {number} rounds
 * @property {readonly number[]} loadBefore
 * @property {readonly ThreadResult[]} threads largest first within each mode
 * @property {Measured} list
 * @property {{ threads: number, bytes: number, largest: number }} many
 * @property {readonly CommandResult[]} commands
 * @property {Measured} nothing
 * @property {OriginalRead | undefined} original
 */

export const BASELINE = 'splitAndParse';
export const SMALL_HEAP = 'foldInSmallHeap';
const labels = new Map([
  [BASELINE, 'baseline: split + `JSON.parse`'], ['read', 'read (lines)'], ['play', 'read + play (facts)'], ['fold', 'read + play + fold (changes of rows let go)'], ['settle', 'read + play + fold + settle (`show`)'],
]);

const mb = (/** @type {number} */ bytes) => (bytes < 1e6 ? `${Math.round(bytes / 1e3)} kB` : `${Math.round(bytes / 1e6)} MB`);
const seconds = (/** @type {number} */ ms) => `${(ms / 1000).toFixed(2)} s`;
const kb = (/** @type {number} */ bytes) => `${(bytes / 1000).toFixed(1)} kB`;
/** @param {Spread} spread @param {(value: number) => string} form */
export const range = ({ median, least, most }, form) => `${form(median)} (${form(least)}–${form(most)})`;

/** @param {readonly (readonly string[])[]} rows the first is the heading */
export function table([heading = [], ...rows]) {
  const line = (/** @type {readonly string[]} */ cells) => `| ${cells.join(' | ')} |`;
  return [line(heading), line(heading.map((_, i) => (i === 0 ? '---' : '---:'))), ...rows.map(line)].join('\n');
}

/** A task's speed against the baseline of the same rounds, in CPU time and in wall time. @param {ThreadResult} thread @param {string} task */
export function ratios({ results }, task) {
  const base = results.get(BASELINE) ?? [];
  const own = results.get(task) ?? [];
  const of = (/** @type {'cpuMs' | 'wallMs'} */ key) => spreadOf(own.map((measured, round) => Number(base[round]?.[key]) / measured[key]));
  return { cpu: of('cpuMs'), wall: of('wallMs') };
}

/** What is asked of reading. @param {ThreadResult} thread one of the largest @returns {Goal[]} */
function threadGoals(thread) {
  const { cpu, wall } = ratios(thread, 'fold');
  return [{
    asked: `read + play + fold of the ${thread.mode} thread at a third of the baseline's speed or better`, measured: `${cpu.median.toFixed(2)} in CPU time, ${wall.median.toFixed(2)} in wall time`,
    isMet: Math.min(cpu.median, wall.median) >= 1 / 3,
  }];
}

/** What of a larger file may come to be held in memory by its playing: what the player keeps for each turn, and chance. */
const GROWTH_SHARE = 0.1;
/** Of files that differ by less, chance tells more. */
const GROWTH_BYTES = 100e6;

/** That what is needed of memory is bounded by the longest line and the open turn. @param {readonly ThreadResult[]} threads @returns {Goal[]} */
function memoryGoals(threads) {
  return ['legacy', 'paginated'].flatMap((mode) => {
    const bySize = threads.filter((thread) => thread.mode === mode).sort((a, b) => a.bytes - b.bytes);
    const [least, most] = [bySize[0], bySize.at(-1)];
    if (!least || !most || most.bytes - least.bytes < GROWTH_BYTES) return [];
    const peak = (/** @type {ThreadResult} */ thread) => spreadOf((thread.results.get(SMALL_HEAP) ?? []).map(({ peakBytes }) => peakBytes)).median;
    const [grown, more] = [peak(most) - peak(least), most.bytes - least.bytes];
    return [{ asked: `memory of read + play + fold, heap held small, not by the file (at most ${100 * GROWTH_SHARE} % of what a ${mode} file is longer)`, measured: `${mb(grown)} more for ${mb(more)} more`, isMet: grown <= GROWTH_SHARE * more }];
  });
}

/** @param {Measured} list @returns {Goal[]} */
function listGoals({ counts }) {
  const most = Number(counts['bytesMost']);
  return [{ asked: '`list` below 100 kB of a thread', measured: `${kb(most)} at most`, isMet: most < 100_000 }];
}

/** Every goal of the whole run. @param {Results} results */
export const goalsOf = ({ threads, list }) => [...largestOf(threads).flatMap(threadGoals), ...memoryGoals(threads), ...listGoals(list)];

/** @param {readonly ThreadResult[]} threads */
const largestOf = (threads) => threads.filter(({ mode, bytes }) => !threads.some((other) => other.mode === mode && other.bytes > bytes));

/** @param {ThreadResult} thread */
function speedTable(thread) {
  const ratio = (/** @type {number} */ value) => value.toFixed(2);
  const rows = [...labels].flatMap(([task, label]) => {
    const measured = thread.results.get(task);
    if (!measured) return [];
    const of = (/** @type {(one: Measured) => number} */ pick) => spreadOf(measured.map(pick));
    const { cpu, wall } = ratios(thread, task);
    return [[
      label, range(of(({ wallMs }) => wallMs), seconds), range(of(({ cpuMs }) => cpuMs), seconds), String(Math.round(thread.bytes / 1e3 / of(({ cpuMs }) => cpuMs).median)),
      range(cpu, ratio), ratio(wall.median), range(of(({ peakBytes }) => peakBytes), mb),
    ]];
  });
  return table([['', 'wall', 'CPU', 'MB per CPU second', 'speed ÷ baseline (CPU)', 'speed ÷ baseline (wall)', 'peak memory'], ...rows]);
}

/** @param {readonly ThreadResult[]} threads */
function growthTable(threads) {
  const rows = [...threads].sort((a, b) => a.mode.localeCompare(b.mode) || a.bytes - b.bytes).map((thread) => {
    const median = (/** @type {string} */ task, /** @type {(one: Measured) => number} */ pick) => spreadOf((thread.results.get(task) ?? []).map(pick)).median;
    const perMb = (/** @type {string} */ task) => (median(task, ({ cpuMs }) => cpuMs) / (thread.bytes / 1e6)).toFixed(1);
    const peak = (/** @type {string} */ task) => mb(median(task, ({ peakBytes }) => peakBytes));
    return [`${thread.mode} ${mb(thread.bytes)}`, perMb(BASELINE), perMb('fold'), ratios(thread, 'fold').cpu.median.toFixed(2), peak(BASELINE), peak('fold'), peak(SMALL_HEAP), peak('settle')];
  });
  return table([['thread', 'CPU ms per MB: baseline', 'read + play + fold', 'ratio', 'peak memory: baseline', 'read + play + fold', 'the same, heap held small', 'with settle'], ...rows]);
}

/** What each further MB costs, from the second largest thread to the largest: without the start, in which Node compiles. @param {readonly ThreadResult[]} threads */
function furtherTable(threads) {
  const rows = ['legacy', 'paginated'].flatMap((mode) => {
    const [largest, second] = threads.filter((thread) => thread.mode === mode).sort((a, b) => b.bytes - a.bytes);
    if (!largest || !second) return [];
    const cost = (/** @type {ThreadResult} */ thread, /** @type {string} */ task) => spreadOf((thread.results.get(task) ?? []).map(({ cpuMs }) => cpuMs)).median;
    const slope = (/** @type {string} */ task) => (cost(largest, task) - cost(second, task)) / ((largest.bytes - second.bytes) / 1e6);
    const start = cost(largest, 'fold') - (slope('fold') * largest.bytes) / 1e6;
    return [[mode, slope(BASELINE).toFixed(1), slope('fold').toFixed(1), (slope(BASELINE) / slope('fold')).toFixed(2), seconds(start)]];
  });
  return table([['thread', 'CPU ms per further MB: baseline', 'read + play + fold', 'ratio', 'what read + play + fold costs at the start'], ...rows]);
}

/** @param {readonly CommandResult[]} commands */
function commandTable(commands) {
  const rows = commands.map(({ args, bytes, firstByteMs, wallMs, peakBytes }) => [`\`${args}\``, range(firstByteMs, seconds), range(wallMs, seconds), mb(bytes), range(peakBytes, mb)]);
  return table([['command', 'start to first byte', 'start to exit', 'output', 'peak memory'], ...rows]);
}

/** @param {Results} results */
function listText({ list, many }) {
  const { counts } = list;
  return `A home with ${many.threads} threads in ${mb(many.bytes)} (the largest ${mb(many.largest)}; 30 kB to 6 MB, both generations, archived ones and sub-agents among them), in one process:

${table([
    ['', ''], ['threads listed', String(counts['threads'])], ['bytes read of a session file, mean', kb(Number(counts['bytesMean']))], ['bytes read of a session file, most', kb(Number(counts['bytesMost']))],
    ['bytes read, all', mb(Number(counts['bytesRead']))], ['wall time', seconds(list.wallMs)], ['CPU time', seconds(list.cpuMs)],
  ])}

The bytes are those that \`fs.readSync\` gave, by file; the source's own \`onRead\` told ${Number(counts['bytesTold']) === Number(counts['bytesRead']) ? 'the same sum' : `${mb(Number(counts['bytesTold']))}`}.

${goalsText(listGoals(list))}`;
}

const ms = (/** @type {number} */ value) => (value < 1_000 ? `${value.toFixed(0)} ms` : seconds(value));

const pageKinds = /** @type {const} */ (['first', 'again', 'further']);

/** Medians over rounds, and of the ratios of each round. @param {readonly PagesRound[]} rounds @param {'ms' | 'cpuMs'} unit */
function pagesTable(rounds, unit) {
  const median = (/** @type {readonly number[]} */ values) => spreadOf(values).median;
  const row = (/** @type {string} */ name, /** @type {keyof PagesRound} */ who) => [
    name, ms(median(rounds.map((round) => round[who].startMs))), ...pageKinds.map((kind) => ms(median(rounds.map((round) => round[who][kind][unit])))), mb(median(rounds.map((round) => round[who].peakBytes))),
  ];
  const ratio = (/** @type {string} */ name, /** @type {keyof PagesRound} */ who) => [
    `original ÷ ${name}`, '', ...pageKinds.map((kind) => range(spreadOf(rounds.map((round) => round.original[kind][unit] / round[who][kind][unit])), (value) => value.toFixed(0))), '',
  ];
  return table([
    ['', 'start to ready', 'newest page', 'the same again', `further pages, median of ${FURTHER_PAGES}`, 'peak memory'],
    row('original', 'original'), row('Tapefold, asked at once', 'own'), row('Tapefold, after a pause', 'ownPaused'), row('Tapefold, indexing', 'ownIndexing'),
    ratio('Tapefold, asked at once', 'own'), ratio('Tapefold, after a pause', 'ownPaused'), ratio('Tapefold, indexing', 'ownIndexing'),
  ]);
}

/** What is asked of the first page. @param {readonly PagesRound[]} rounds @returns {Goal[]} */
export function pagesGoals(rounds) {
  const times = (/** @type {'ms' | 'cpuMs'} */ unit) => spreadOf(rounds.map(({ original, own }) => original.first[unit] / own.first[unit])).median;
  const [wall, cpu] = [times('ms'), times('cpuMs')];
  return [{ asked: 'the newest page, asked for at once, at least 100 times as soon as the original gives it', measured: `${wall.toFixed(0)} times in wall time, ${cpu.toFixed(0)} in CPU time`, isMet: wall >= 100 }];
}

/** @param {readonly PagesRound[]} rounds @param {number} bytes of the thread */
export function pagesText(rounds, bytes) {
  return `## Pages of turns beside the original

\`thread/turns/list\` of the legacy thread of ${mb(bytes)} (25 turns, newest first, summary) through each server, started anew over a copy of the home, ${rounds.length} rounds in turns; medians, ratios
with the least and the most of the rounds; load average ${loadavg()[0]?.toFixed(1)}. "At once": the page is asked for when \`initialize\` is answered. "After a pause": ${PAUSE_MS} ms later, in which Tapefold has read the newest page of the
newest thread ahead; both without an index (\`--no-index\`). "Indexing": at once, while a worker makes the index of the home, with which it shares the machine. Before its first answer Tapefold
practises on the samples and collects the garbage of its start, both of which its start holds. The same page again is kept while the file is the same.

${pagesTable(rounds, 'ms')}

The same in CPU time of all threads of the process: where others use the machine, wall times are mostly their noise.

${pagesTable(rounds, 'cpuMs')}

${goalsText(pagesGoals(rounds))}`;
}

/** @param {OriginalRead} original @param {readonly ThreadResult[]} threads @param {readonly CommandResult[]} commands */
function originalText(original, threads, commands) {
  const legacy = threads.find(({ mode }) => mode === 'legacy');
  const settle = legacy?.results.get('settle') ?? [];
  const show = commands.find(({ args }) => args.startsWith('show'));
  return `The real program (codex ${original.version}), \`thread/read\` with turns of the same legacy thread, over \`codex app-server --listen stdio://\`, once, on a copy of the home:

${table([
    ['', 'start to ready', 'first read', 'second read', 'answer', 'peak memory'],
    ['original', seconds(original.startMs), seconds(original.readMs), seconds(original.againMs), mb(original.answerBytes), mb(original.peakBytes)],
    ['Tapefold, in process', '', seconds(spreadOf(settle.map(({ wallMs }) => wallMs)).median), '', '', mb(spreadOf(settle.map(({ peakBytes }) => peakBytes)).median)],
    ...(show ? [['Tapefold, `show last --json` from start to exit', '', seconds(show.wallMs.median), '', mb(show.bytes), mb(show.peakBytes.median)]] : []),
  ])}

It answers ${original.turns} turns. Tapefold reads more out of the same file: commands that the original does not show in legacy threads.`;
}

const ORIGINAL = 'original';

/** A report with other first sections: of reading, lists, commands and whole reads by the original, which is the last of them. @param {string} report @param {string} reading */
export const withReading = (report, reading) => `${reading}${report.split(`<!-- /${ORIGINAL} -->`)[1] ?? '\n'}`;

/** The first sections. @param {Results} results @param {string} report the one before: a run without the original keeps what it says of that */
export function readingText(results, report) {
  const { threads, rounds, nothing, original } = results;
  const largest = largestOf(threads);
  const told = original ? originalText(original, largest, results.commands) : sectionOf(report, ORIGINAL);
  const load = (/** @type {readonly number[]} */ of) => of.map((value) => value.toFixed(1)).join(', ');
  const when = new Date().toISOString().slice(0, 16).replace('T', ' ');
  return `# Benchmarks

Written by \`npm run bench -- --write\`, the first sections on ${when} UTC (those that say their own load may be of another day): ${cpus().length} × ${cpus()[0]?.model ?? 'unknown CPU'}, ${mb(totalmem())} RAM, ${process.platform}, Node ${process.version}.
Load average (1, 5, 15 min) before: ${load(results.loadBefore)}; after: ${load(loadavg())}.

How to read them:

- The threads are generated (\`testing/big-home/\`, seed 1): prompts, reasoning, messages, commands with outputs, patches, tool calls, token counts, images of 600 kB, compactions, rollbacks; a few outputs hold much of the bytes. Their lines have 950 to 970 bytes on average; those of the collected real files have 1,100 to 1,300.
- Every measurement is a process of its own; its time begins when its modules are loaded. The tasks take turns, ${rounds} rounds, each round beginning with another one. Values are medians, with the least and the most.
- Ratios compare with the baseline of the same round. CPU time counts all threads of the process, those that compile and collect garbage too, which run beside the work where a core is free. Where others use the machine at the same time (the load says so), wall times are mostly their noise: trust CPU time and ratios then, and differences above a tenth or so.
- The baseline does the least that any reader must: reads 1 MiB at a time, cuts at newlines, decodes, parses. It checks nothing and keeps nothing.
- Peak memory is the kernel's high-water mark of the whole process; Node with the packages loaded and no work takes ${mb(nothing.peakBytes)} of it. V8 lets its heap grow before it collects, so some tens of MB are its choice, not need.
- What was asked stands under the tables, met or missed.

${largest.map((thread) => `## ${thread.mode === 'legacy' ? 'Legacy' : 'Paginated'} thread, ${mb(thread.bytes)}, ${thread.turns} turns, ${thread.lines} lines\n\n${speedTable(thread)}\n\n${goalsText(threadGoals(thread))}`).join('\n\n')}

## Growth with the size of the thread

${growthTable(threads)}

The last column holds the whole thread in memory, which its one answer needs; the others do not. "Heap held small" is read + play + fold under
\`--max-old-space-size=48 --max-semi-space-size=4\`: what grows without it is mostly garbage that V8 has not collected yet. What the player itself keeps is
up to 600 bytes for each turn, to route late records and to count as the original does.

${goalsText(memoryGoals(threads))}

${furtherTable(threads)}

The start is Node compiling and optimising some two hundred functions; a process that reads more than one thread pays it once.

## List

${listText(results)}

## Commands

From the start of the process to its end; \`list\` over the home above, \`show\` over the largest legacy thread.

${commandTable(results.commands)}

## The original program

${sectionText(ORIGINAL, told ?? 'Not measured: `npm run bench -- --codex PATH` measures the `codex` at that path.')}`;
}
