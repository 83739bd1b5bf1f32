// @ts-check
// What search costs: time and size of the index of text beside the rows, and first pages over a home with many threads. Sizes of other ways to index are taken from
// the same texts, so that the choice can be seen.
import { cpus, loadavg } from 'node:os';
import { createRowSearch, indexHomesOnce, indexTexts } from './search-work.mjs';
import { manyHome } from './homes.mjs';

/** Words that stand in many places, in few, in none; phrases, paths, scripts. */
export const QUERIES = ['the', 'parser', 'src/api/routes.ts', '"the parser"', 'parser cursor', '概要', '要', 'if', 'zzzznothing', 'checksum.splits'];

/** @param {number[]} values */
const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/** @param {number} threads @param {number} rounds @param {(text: string) => void} tell */
export async function measureSearch(threads, rounds, tell) {
  const made = manyHome(threads);
  tell(`search over ${made.threads} threads, ${Math.round(made.bytes / 1e6)} MB`);
  const { store, homes, rowsMs, rowsBytes, folder } = await indexHomesOnce(made.home);
  const started = performance.now();
  await indexTexts(store);
  const textMs = performance.now() - started;
  const sizes = folder.sizes(store);
  const rows = createRowSearch(store, { homes, nowMs: Date.now });
  const times = QUERIES.flatMap((text) => [false, true].map((hasToolOutput) => {
    /** @type {number[]} */
    const ms = [];
    /** @type {number[]} */
    const cpuMs = [];
    let result = rows.search({ text, hasToolOutput });
    for (let i = 0; i < Math.max(5, rounds); i++) {
      const from = performance.now();
      const cpu = process.cpuUsage();
      result = rows.search({ text, hasToolOutput });
      ms.push(performance.now() - from);
      const { user, system } = process.cpuUsage(cpu);
      cpuMs.push((user + system) / 1_000);
    }
    return { text, hasToolOutput, matches: result.matches, isOverBudget: result.incomplete?.isOverBudget === true, cpuMs: median(cpuMs), medianMs: median(ms), mostMs: Math.max(...ms) };
  }));
  await folder.close(store);
  return { made, rowsMs, rowsBytes, textMs, sizes, times };
}

/** @param {Awaited<ReturnType<typeof measureSearch>>} results */
export function searchText({ made, rowsMs, rowsBytes, textMs, sizes, times }) {
  const mb = (/** @type {number} */ bytes) => `${(bytes / 1e6).toFixed(1)} MB (${((100 * bytes) / made.bytes).toFixed(1)} %)`;
  const late = times.filter(({ medianMs }) => medianMs >= 60).map(({ text, hasToolOutput }) => `\`${text}\`${hasToolOutput ? ' with tool output' : ''}`);
  return `## Search

A home with ${made.threads} threads in ${Math.round(made.bytes / 1e6)} MB: rows in ${(rowsMs / 1000).toFixed(1)} s, then the text of all of them in ${(textMs / 1000).toFixed(1)} s. Percentages are of the session files.

| | size |
| --- | ---: |
| rows | ${mb(rowsBytes)} |
| index of what was said and done | ${mb(sizes.text)} |
| index of what tools put out | ${mb(sizes.output)} |
| the same items, as they stand in the rows, by trigrams with their places (\`detail=full\`) | ${mb(sizes.full)} |
| the same by words alone (\`unicode61\`, \`detail=none\`: no parts of words, no CJK) | ${mb(sizes.words)} |

Medians of first pages of 25, in one process, the index in the page cache (goal: below 60 ms${late.length === 0 ? ', met by all' : `, missed by ${late.join(', ')}`}):

| query | with tool output | places found | CPU | wall | most |
| --- | --- | ---: | ---: | ---: | ---: |
${times.map(({ text, hasToolOutput, matches, isOverBudget, cpuMs, medianMs, mostMs }) => `| \`${text}\` | ${hasToolOutput ? 'yes' : ''} | ${isOverBudget ? 'more than ' : ''}${matches} | ${cpuMs.toFixed(1)} ms | ${medianMs.toFixed(1)} ms | ${mostMs.toFixed(1)} ms |`).join('\n')}

Load average (1 min) at the end: ${loadavg()[0]?.toFixed(1)}, on a machine of ${cpus().length} cores.`;
}
