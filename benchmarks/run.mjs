// @ts-check
// npm run bench: measures reading, playing and folding of large threads beside split + JSON.parse, lists, and commands, over generated homes, and the writing of tapes.
//
//   npm run bench -- [--write] [--quick] [--rounds 5] [--sizes 25,50,100,200] [--threads 1000] [--codex PATH] [--only reducer|players|pages|writing|search|live]
//
// Prints the report; `--write` puts it to docs/benchmarks.md. `--quick`: two rounds of small sizes, to see that it works. `--codex`: measures the
// original program at that path too (npm install @openai/codex@0.171.0 in a folder outside of this one). Homes are kept in TAPEFOLD_BENCH_DIR, by
// default a folder of the system's temporary ones (about 1.3 GB). `--only reducer`: measures nothing but what operations of live transcripts cost;
// `--only players`: nothing but playing, by size; `--only pages`: nothing but pages of turns beside the original (needs `--codex`); `--only writing`: nothing but the writing of tapes;
// `--only search`: nothing but search, over `--threads` (2,000 are about 1 GB); `--only live`: nothing but following.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { build, root } from '../scripts/setup.mjs';
import { pagesInTurns, readWithOriginal } from './codex-server.mjs';
import { bigHome, manyHome } from './homes.mjs';
import { BASELINE, SMALL_HEAP, originalSectionOf, pagesText, ratios, reportOf, withPages } from './report.mjs';
import { measurePlayers, playersText, withPlayers } from './players.mjs';
import { measureLive } from './live.mjs';
import { liveText, withLive } from './live-report.mjs';
import { measureReducer, reducerText, withReducer } from './reducer-report.mjs';
import { measureSearch, searchText, withSearch } from './search-report.mjs';
import { interleaved, timeCommand } from './rounds.mjs';
import { measureWriter, writerGoalsMissed } from './writer.mjs';
import { withWriting, writingText } from './writer-report.mjs';
/** @import { ThreadResult } from './report.mjs' */

const { values: options } = parseArgs({ options: {
  write: { type: 'boolean', default: false }, quick: { type: 'boolean', default: false }, rounds: { type: 'string' }, sizes: { type: 'string' }, threads: { type: 'string' }, codex: { type: 'string' }, only: { type: 'string' },
} });
const rounds = Number(options.rounds ?? (options.quick ? 2 : 5));
const sizesMb = (options.sizes ?? (options.quick ? '5,10' : '25,50,100,200')).split(',').map(Number);
const threadCount = Number(options.threads ?? (options.quick ? 50 : 1_000));
/** A paginated file holds the same turns in a little more: ordinals, and whole items. */
const PAGINATED_EXTRA = 1.05;
const tasks = [BASELINE, 'read', 'play', 'fold', 'settle'];
const growthTasks = [BASELINE, 'fold', 'settle'];
/** The heap that reading needs, where V8 is not let to put off its collection. */
const smallHeap = ['--max-old-space-size=48', '--max-semi-space-size=4'];
const main = join(root, 'packages/cli/bundle/main.js');
const target = join(root, 'docs/benchmarks.md');

/** @param {string} text */
const tell = (text) => console.error(text);

/** @param {'legacy' | 'paginated'} mode @returns {Promise<ThreadResult[]>} */
async function measureThreads(mode) {
  const largest = Math.max(...sizesMb);
  const results = [];
  for (const size of [...sizesMb].sort((a, b) => b - a)) {
    const { home, path, bytes, lines, turns } = bigHome(mode, size * 1e6 * (mode === 'paginated' ? PAGINATED_EXTRA : 1));
    tell(`${mode} thread, ${Math.round(bytes / 1e6)} MB`);
    const input = { path, home };
    const jobs = [...(size === largest ? tasks : growthTasks).map((task) => ({ name: task, task, input })), { name: SMALL_HEAP, task: 'fold', input, flags: smallHeap }];
    results.push({ mode, bytes, lines, turns, results: await interleaved(jobs, rounds, tell) });
  }
  return results;
}

const own = [process.execPath, main, 'serve', '--listen', 'stdio://'];

/** @param {string} codex @param {{ home: string, id: string }} big */
const besideOriginal = async (codex, big) => ({ read: await readWithOriginal(codex, big), pages: await pagesInTurns(codex, own, { ...big, rounds, tell }) });

/** On the disk of the temporary folder. */
async function measureWriting() {
  tell('writing');
  const folder = mkdtempSync(join(process.env['TAPEFOLD_BENCH_DIR'] ?? tmpdir(), 'tapefold-writer-'));
  try {
    const result = await measureWriter(folder, rounds);
    for (const missed of writerGoalsMissed(result)) tell(`goal missed: ${missed}`);
    return writingText(result);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measureAll() {
  const loadBefore = loadavg();
  const threads = [...(await measureThreads('legacy')), ...(await measureThreads('paginated'))];
  const many = manyHome(threadCount);
  const side = await interleaved([{ name: 'list', task: 'list', input: { home: many.home } }, { name: 'nothing', task: 'nothing', input: { home: '' } }], Math.min(rounds, 3), tell);
  const [list, nothing] = [side.get('list')?.at(-1), side.get('nothing')?.at(-1)];
  if (!list || !nothing) throw new Error('no rounds');
  const big = bigHome('legacy', Math.max(...sizesMb) * 1e6);
  const few = Math.min(rounds, 3);
  const commands = existsSync(main) ? [
    await timeCommand(main, ['list', '--json'], { rounds: few, home: many.home }), await timeCommand(main, ['list'], { rounds: few, home: many.home }),
    await timeCommand(main, ['show', 'last', '--json'], { rounds: few, home: big.home }), await timeCommand(main, ['show', 'last'], { rounds: few, home: big.home }),
  ] : [];
  const original = options.codex === undefined ? undefined : await besideOriginal(options.codex, big);
  return { rounds, loadBefore, threads, list, many, commands, nothing, original };
}

/** @param {Awaited<ReturnType<typeof measureAll>>} results */
function goalsMissed({ threads, list }) {
  const slow = threads.filter((thread) => !threads.some((other) => other.mode === thread.mode && other.bytes > thread.bytes)).flatMap((thread) => {
    const { cpu, wall } = ratios(thread, 'fold');
    const figures = `${wall.median.toFixed(2)} in wall time, ${cpu.median.toFixed(2)} in CPU time`;
    return cpu.median < 1 / 3 || wall.median < 1 / 3 ? [`read + play + fold of the ${thread.mode} thread runs at less than a third of the baseline's speed: ${figures}`] : [];
  });
  return Number(list.counts['bytesMost']) < 100_000 ? slow : [...slow, `list read ${list.counts['bytesMost']} bytes of one thread`];
}

const built = await build();
if (built.code !== 0) tell(`The build fails; what was built last is measured.\n${built.output}`);
const older = existsSync(target) ? readFileSync(target, 'utf8') : '';

/** Each measures, and gives what is printed and what the report is then. @type {Readonly<Record<string, () => Promise<{ text: string, report: string }>>>} */
const parts = {
  reducer: async () => {
    const text = reducerText(await measureReducer(rounds, tell));
    return { text, report: withReducer(older, text) };
  },
  players: async () => {
    const text = playersText(measurePlayers(rounds, tell));
    return { text, report: withPlayers(older, text) };
  },
  pages: async () => {
    if (options.codex === undefined) throw new Error('--only pages needs --codex PATH: it measures beside the original');
    const big = bigHome('legacy', Math.max(...sizesMb) * 1e6);
    const text = pagesText(await pagesInTurns(options.codex, own, { ...big, rounds, tell }), big.bytes);
    return { text, report: withPages(older, text) };
  },
  writing: async () => {
    const text = await measureWriting();
    return { text, report: withWriting(older, text) };
  },
  search: async () => {
    const text = searchText(await measureSearch(threadCount, rounds, tell));
    return { text, report: withSearch(older, text) };
  },
  live: async () => {
    const text = liveText(await measureLive({ main, samples: join(root, 'samples/codex'), rounds: Math.min(rounds, 3), tell, ...(options.quick ? { clients: 50, seconds: 2 } : {}) }));
    return { text, report: withLive(older, text) };
  },
  all: async () => {
    const results = await measureAll();
    const report = withPlayers(withWriting(withReducer(reportOf(results, originalSectionOf(older)), reducerText(await measureReducer(rounds, tell))), await measureWriting()), playersText(measurePlayers(rounds, tell)));
    for (const missed of goalsMissed(results)) tell(`goal missed: ${missed}`);
    return { text: report, report };
  },
};
const part = parts[options.only ?? 'all'];
if (!part) throw new Error(`--only knows ${Object.keys(parts).join(', ')}, not "${options.only}"`);
const { text, report } = await part();
console.log(text);
if (options.write) writeFileSync(target, report);
