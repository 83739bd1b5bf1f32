// @ts-check
import { cpus, loadavg } from 'node:os';
import { REDUCER_TURNS } from './reducer.mjs';
import { interleaved, spreadOf } from './rounds.mjs';
/** @import { Measured } from './measure.mjs' */

/** @param {number} rounds @param {(text: string) => void} tell */
export const measureReducer = (rounds, tell) => interleaved(REDUCER_TURNS.map((turns) => ({ name: `reduce${turns}`, task: `reduce${turns}`, input: { home: '' } })), rounds, tell);

/** @param {Map<string, Measured[]>} results */
export function reducerText(results) {
  const rows = REDUCER_TURNS.map((turns) => {
    const measured = results.get(`reduce${turns}`) ?? [];
    const of = (/** @type {string} */ key) => spreadOf(measured.map(({ counts }) => Number(counts[key]))).median;
    const us = (/** @type {string} */ key) => `${of(key).toFixed(2)} µs`;
    const ms = (/** @type {number} */ microseconds) => `${(microseconds / 1e3).toFixed(2)} ms`;
    return `| ${turns.toLocaleString('en')} | ${of('operations').toLocaleString('en')} | ${((of('operations') * of('buildUs')) / 1e6).toFixed(2)} s | ${us('buildUs')} | ${us('appendUs')} | ${ms(of('firstReadUs'))} | ${ms(of('readUs'))} |`;
  });
  return `## Live transcripts: the cost of one operation

\`AgentTranscript.apply\`, one operation a batch, CPU time (compiling and garbage collection in it), medians of ${results.values().next().value?.length ?? 0} rounds. A process of its own for each size, so small ones pay more of the
compiler. The streamed deltas go into the newest turn. Load average (1 min) at the end: ${loadavg()[0]?.toFixed(1)}, on a machine of ${cpus().length} cores.

| turns | operations to build them | build | each | a streamed delta | first read of all items | a delta and the items read anew |
| ---: | ---: | ---: | ---: | ---: | ---: | ---: |
${rows.join('\n')}

What one delta copies is counted by a test, at most 100 fields and slots at any size (\`packages/transcript/src/state/cost.test.ts\`).`;
}
