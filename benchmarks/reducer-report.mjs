// @ts-check
import { cpus, loadavg } from 'node:os';
import { goalsText } from './goals.mjs';
import { REDUCER_TURNS } from './reducer.mjs';
import { interleaved, spreadOf } from './rounds.mjs';
/** @import { Goal } from './goals.mjs' */
/** @import { Measured } from './measure.mjs' */

/** @param {number} rounds @param {(text: string) => void} tell */
export const measureReducer = (rounds, tell) => interleaved(REDUCER_TURNS.map((turns) => ({ name: `reduce${turns}`, task: `reduce${turns}`, input: { home: '' } })), rounds, tell);

/** The median of what was counted over the rounds of a size. @param {Map<string, Measured[]>} results @param {number} turns @param {string} key */
const medianOf = (results, turns, key) => spreadOf((results.get(`reduce${turns}`) ?? []).map(({ counts }) => Number(counts[key]))).median;

/** What is asked of the reducer. @param {Map<string, Measured[]>} results @returns {Goal[]} */
export function reducerGoals(results) {
  const most = Math.max(...REDUCER_TURNS);
  const buildS = (medianOf(results, most, 'operations') * medianOf(results, most, 'buildUs')) / 1e6;
  const deltas = REDUCER_TURNS.map((turns) => medianOf(results, turns, 'appendUs'));
  const growth = Math.max(...deltas) / Math.min(...deltas);
  return [
    { asked: `${medianOf(results, most, 'operations').toLocaleString('en')} operations in about 1.5 s (1.6 s at most)`, measured: `${buildS.toFixed(2)} s`, isMet: buildS <= 1.6 },
    { asked: 'a streamed delta in about 3 µs at any size (3.5 µs at most)', measured: `${Math.max(...deltas).toFixed(2)} µs`, isMet: Math.max(...deltas) <= 3.5 },
    { asked: 'a streamed delta at no size more than 1.5 times what it is at another', measured: `${growth.toFixed(2)} times`, isMet: growth <= 1.5 },
  ];
}

/** @param {Map<string, Measured[]>} results */
export function reducerText(results) {
  const rows = REDUCER_TURNS.map((turns) => {
    const of = (/** @type {string} */ key) => medianOf(results, turns, key);
    const us = (/** @type {string} */ key) => `${of(key).toFixed(2)} µs`;
    const ms = (/** @type {number} */ microseconds) => `${(microseconds / 1e3).toFixed(2)} ms`;
    const seconds = (/** @type {string} */ key) => `${((of('operations') * of(key)) / 1e6).toFixed(2)} s`;
    return `| ${turns.toLocaleString('en')} | ${of('operations').toLocaleString('en')} | ${seconds('buildUs')} | ${seconds('buildWallUs')} | ${us('buildUs')} | ${us('appendUs')} | ${ms(of('firstReadUs'))} | ${ms(of('readUs'))} |`;
  });
  return `## Live transcripts: the cost of one operation

\`AgentTranscript.apply\`, one operation a batch, CPU time of all threads (compiling and garbage collection in it, which run beside the work where a core is free), medians of ${results.values().next().value?.length ?? 0} rounds. A process of its own for each size, so small ones pay more of the
compiler. The streamed deltas go into the newest turn. Load average (1 min) at the end: ${loadavg()[0]?.toFixed(1)}, on a machine of ${cpus().length} cores.

| turns | operations to build them | build | build, wall | each | a streamed delta | first read of all items | a delta and the items read anew |
| ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
${rows.join('\n')}

${goalsText(reducerGoals(results))}

What one delta copies is counted by a test, at most 100 fields and slots at any size (\`packages/transcript/src/state/cost.test.ts\`).`;
}
