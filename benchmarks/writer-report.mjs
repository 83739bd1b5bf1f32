// @ts-check
import { cpus, loadavg } from 'node:os';
import { goalsText } from './goals.mjs';
import { range, table } from './report.mjs';
import { CALLERS, GROUP, writerGoals } from './writer.mjs';
/** @import { WriterResult } from './writer.mjs' */

/** @param {WriterResult} result */
export function writingText(result) {
  const { rates, ratio, lineBytes } = result;
  const perSecond = (/** @type {number} */ value) => String(Math.round(value));
  const times = (/** @type {number} */ value) => value.toFixed(2);
  return `## Writing

Facts of ${lineBytes} bytes, appended to a native tape one by one and ${GROUP} at a time (as the recorder writes what belongs together), beside a loop that writes bytes that were ready before,
and one that makes JSON of the same facts and writes it. In one process that takes turns; per second of CPU time. Load average (1 min) at the end: ${loadavg()[0]?.toFixed(1)}, on a machine of ${cpus().length} cores.

${table([
    ['', 'facts per second', '÷ bytes ready before', '÷ JSON and write'], ['bytes ready before', range(rates.bareWrites, perSecond), '', ''], ['JSON and write', range(rates.encodedWrites, perSecond), range(ratio('encodedWrites', 'bareWrites'), times), ''],
    ['append', range(rates.appends, perSecond), range(ratio('appends', 'bareWrites'), times), range(ratio('appends', 'encodedWrites'), times)],
    [`appendAll, ${GROUP} at a time`, range(rates.groups, perSecond), range(ratio('groups', 'bareWrites'), times), range(ratio('groups', 'encodedWrites'), times)],
  ])}

Barriers, each behind one append, per second of wall time (others use the disk, too: look at the ratio):

${table([
    ['', 'per second', '÷ one caller'], ['write and fdatasync in a loop', range(rates.bareSyncs, perSecond), ''], ['one caller that awaits barriers', range(rates.barriers, perSecond), ''],
    [`${CALLERS} callers on one tape`, range(rates.barriersTogether, perSecond), range(ratio('barriersTogether', 'barriers'), times)],
  ])}

${goalsText(writerGoals(result))}`;
}
