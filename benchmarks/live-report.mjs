// @ts-check
import { cpus, loadavg } from 'node:os';
import { range, table } from './report.mjs';
import { spreadOf } from './rounds.mjs';
/** @import { Broadcast, LiveResult } from './live.mjs' */

/** A thousand readers may cost twice a bare broadcast. */
const MOST_TIMES_BARE = 2;

const megabytes = (/** @type {number} */ bytes) => `${Math.round(bytes / 1e6)} MB`;
const ms = (/** @type {number} */ value) => `${Math.round(value)} ms`;

/** @param {readonly Broadcast[]} broadcasts */
const timesBare = (broadcasts) => spreadOf(broadcasts.map(({ tapefold, bare }) => tapefold.cpuMs / bare.cpuMs));

/** @param {LiveResult} result */
export function liveText({ latencyMs, latencyMost, lines, broadcasts, wires, clients, seconds }) {
  const of = (/** @type {(one: Broadcast) => number} */ value) => spreadOf(broadcasts.map(value));
  return `## Following

Load average (1 min) at the end: ${loadavg()[0]?.toFixed(1)}, on a machine of ${cpus().length} cores.

A line that another process appends to a session file, until the operation is at a client of \`serve\`: **${latencyMs.median.toFixed(1)} ms** (least ${latencyMs.least.toFixed(1)}, most ${latencyMost.toFixed(1)}; ${lines} lines, 40 ms or more apart).

${clients} readers of one session, 100 deltas a second for ${seconds} s, beside a bare \`ws\` broadcast of the same frames at the same times; server processes only, in ${broadcasts.length} rounds that take turns:

${table([
    ['', 'CPU', 'frames', 'memory at the end', 'peak memory'],
    ['Tapefold', range(of(({ tapefold }) => tapefold.cpuMs), ms), range(of(({ tapefold }) => tapefold.frames), String), range(of(({ tapefold }) => tapefold.rssBytes), megabytes), range(of(({ tapefold }) => tapefold.peakBytes), megabytes)],
    ['bare broadcast', range(of(({ bare }) => bare.cpuMs), ms), range(of(({ bare }) => bare.frames), String), range(of(({ bare }) => bare.rssBytes), megabytes), range(of(({ bare }) => bare.peakBytes), megabytes)],
    ['Tapefold ÷ bare', range(timesBare(broadcasts), (value) => value.toFixed(2)), '', '', ''],
  ])}

Bytes on the wire, frames and CPU of the server for the text of one message, one reader at grade \`delta\` (upserts at the beginning and end, and heads of frames, are in it):

${table([
    ['', 'compression', 'text', 'wire', 'wire ÷ text', 'frames', 'CPU for 1,000 bytes of text'],
    ...wires.map(({ name, isCompressed, textBytes, wireBytes, frames, cpuMs }) => [
      name, isCompressed ? 'yes' : 'no', `${(textBytes / 1000).toFixed(0)} kB`, `${(wireBytes / 1000).toFixed(0)} kB`, (wireBytes / textBytes).toFixed(2), String(frames), `${(cpuMs / (textBytes / 1000)).toFixed(2)} ms`,
    ]),
  ])}

Goal: at most ${MOST_TIMES_BARE} times the bare broadcast's CPU: ${timesBare(broadcasts).median <= MOST_TIMES_BARE ? 'met' : '**missed**'}. Bytes and work are to be linear in the text: see the rows of the burst, from 5,000 to 40,000 tokens.`;
}
