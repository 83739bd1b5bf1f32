// @ts-check
// npm run bench: measures reading, playing and folding of large threads beside split + JSON.parse, lists, and commands, over generated homes, and the writing of tapes.
//
//   npm run bench -- [--write] [--quick] [--rounds 5] [--sizes 25,50,100,200] [--threads 1000] [--gb 4] [--codex PATH] [--only PART,PART]
//
// Prints the report; `--write` puts it to docs/benchmarks.md. `--quick`: two rounds of small sizes, to see that it works. `--codex`: measures the
// original program at that path too (npm install @openai/codex@0.171.0 in a folder outside of this one). Homes are kept in TAPEFOLD_BENCH_DIR, by
// default a folder of the system's temporary ones (about 1.3 GB). `--only`: measures nothing but these parts, and leaves the others of the report as they are: `reading` (threads,
// list, commands), `pages` (of turns beside the original; needs `--codex`), `reducer` (what operations of live transcripts cost), `writing` (of tapes), `players` (playing by size),
// and what is measured only so: `search`, over `--threads` (2,000 are about 1 GB), `live` (following), `store` (the index beside the original; needs `--codex`), `store-index` (indexing: time,
// memory, sizes), `store-list` (a list of `--threads` small threads), `store-large` (one file of `--gb` GB, which is made, and removed behind it).
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { build, root } from '../scripts/setup.mjs';
import { pagesInTurns, readWithOriginal } from './codex-server.mjs';
import { bigHome, manyHome, removeHome } from './homes.mjs';
import { tellMissed } from './goals.mjs';
import { BASELINE, SMALL_HEAP, goalsOf, pagesGoals, pagesText, readingText, withReading } from './report.mjs';
import { measureLive } from './live.mjs';
import { liveText } from './live-report.mjs';
import { measurePlayers, playersText } from './players.mjs';
import { measureReducer, reducerGoals, reducerText } from './reducer-report.mjs';
import { measureSearch, searchText } from './search-report.mjs';
import { interleaved, timeCommand } from './rounds.mjs';
import { measureWriter, writerGoals } from './writer.mjs';
import { withSection } from './sections.mjs';
import { storeInTurns } from './store-beside.mjs';
import { besideGoals, besideText, indexGoals, indexText, largeText, listGoals, listText } from './store-report.mjs';
import { measureIndexing, measureLarge, measureList } from './store-work.mjs';
import { writingText } from './writer-report.mjs';
/** @import { ThreadResult } from './report.mjs' */

const { values: options } = parseArgs({ options: {
  write: { type: 'boolean', default: false }, quick: { type: 'boolean', default: false }, rounds: { type: 'string' }, sizes: { type: 'string' }, threads: { type: 'string' }, gb: { type: 'string' }, codex: { type: 'string' }, only: { type: 'string' },
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

/** On the disk of the temporary folder. */
async function measureWriting() {
  tell('writing');
  const folder = mkdtempSync(join(process.env['TAPEFOLD_BENCH_DIR'] ?? tmpdir(), 'tapefold-writer-'));
  try {
    const result = await measureWriter(folder, rounds);
    tellMissed(writerGoals(result), tell);
    return writingText(result);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measureReducing() {
  const results = await measureReducer(rounds, tell);
  tellMissed(reducerGoals(results), tell);
  return reducerText(results);
}

const largest = () => bigHome('legacy', Math.max(...sizesMb) * 1e6);

/** @param {string} report the one before */
async function measureReading(report) {
  const loadBefore = loadavg();
  const threads = [...(await measureThreads('legacy')), ...(await measureThreads('paginated'))];
  const many = manyHome(threadCount);
  const side = await interleaved([{ name: 'list', task: 'list', input: { home: many.home } }, { name: 'nothing', task: 'nothing', input: { home: '' } }], Math.min(rounds, 3), tell);
  const [list, nothing] = [side.get('list')?.at(-1), side.get('nothing')?.at(-1)];
  if (!list || !nothing) throw new Error('no rounds');
  const big = largest();
  const few = Math.min(rounds, 3);
  const commands = existsSync(main) ? [
    await timeCommand(main, ['list', '--json'], { rounds: few, home: many.home }), await timeCommand(main, ['list'], { rounds: few, home: many.home }),
    await timeCommand(main, ['show', 'last', '--json'], { rounds: few, home: big.home }), await timeCommand(main, ['show', 'last'], { rounds: few, home: big.home }),
  ] : [];
  const original = options.codex === undefined ? undefined : await readWithOriginal(options.codex, big);
  const results = { rounds, loadBefore, threads, list, many, commands, nothing, original };
  tellMissed(goalsOf(results), tell);
  return readingText(results, report);
}

async function measurePages() {
  if (options.codex === undefined) throw new Error('--only pages needs --codex PATH: it measures beside the original');
  const big = largest();
  const pages = await pagesInTurns(options.codex, own, { ...big, rounds, tell });
  tellMissed(pagesGoals(pages), tell);
  return pagesText(pages, big.bytes);
}

/** Both generations beside the original: one round takes about two minutes. */
async function measureStore() {
  const { codex } = options;
  if (codex === undefined) throw new Error('--only store needs --codex PATH: it measures beside the original');
  const [legacy, paginated] = [largest(), bigHome('paginated', Math.max(...sizesMb) * 1e6 * PAGINATED_EXTRA)];
  const often = Number(options.rounds ?? 1);
  const beside = {
    paginated: await storeInTurns(codex, own, { mode: 'paginated', ...paginated, rounds: often, tell }), legacy: await storeInTurns(codex, own, { mode: 'legacy', ...legacy, rounds: often, tell }),
  };
  tellMissed(besideGoals(beside), tell);
  return besideText(beside, { legacy: legacy.bytes, paginated: paginated.bytes });
}

async function measureStoreIndex() {
  const homes = await measureIndexing(Math.max(...sizesMb), Number(options.threads ?? (options.quick ? 50 : 100)), tell);
  tellMissed(indexGoals(homes), tell);
  return indexText(homes);
}

async function measureStoreList() {
  const list = await measureList(own, Number(options.threads ?? (options.quick ? 500 : 10_000)), tell);
  tellMissed(listGoals(list), tell);
  return listText(list);
}

async function measureStoreLarge() {
  const gb = Number(options.gb ?? (options.quick ? 0.05 : 4));
  try {
    return largeText(await measureLarge(own, gb, tell));
  } finally {
    removeHome('legacy', gb * 1e9);
  }
}

const built = await build();
if (built.code !== 0) tell(`The build fails; what was built last is measured.\n${built.output}`);

/** What can be measured by itself, and is a section of the report under its name (`reading`: the first ones). @type {Readonly<Record<string, (report: string) => string | Promise<string>>>} */
const parts = {
  reading: measureReading, pages: measurePages, reducer: measureReducing, writing: measureWriting, players: () => playersText(measurePlayers(rounds, tell)),
  search: async () => searchText(await measureSearch(threadCount, rounds, tell)),
  store: measureStore, 'store-index': measureStoreIndex, 'store-list': measureStoreList, 'store-large': measureStoreLarge,
  live: async () => liveText(await measureLive({ main, samples: join(root, 'samples/codex'), rounds: Math.min(rounds, 3), tell, ...(options.quick ? { clients: 50, seconds: 2 } : {}) })),
};
/** What a run without `--only` measures: search, following and the store take a time of their own, and pages need the original. */
const usual = ['reading', ...(options.codex === undefined ? [] : ['pages']), 'reducer', 'writing', 'players'];
let report = existsSync(target) ? readFileSync(target, 'utf8') : '';
for (const name of options.only?.split(',') ?? usual) {
  const part = parts[name];
  if (!part) throw new Error(`--only knows ${Object.keys(parts).join(', ')}, not "${name}"`);
  const text = await part(report);
  console.log(text);
  report = name === 'reading' ? withReading(report, text) : withSection(report, name, text);
}
if (options.write) writeFileSync(target, report);
