// @ts-check
// One measurement in a fresh process: `node --expose-gc measure.mjs TASK FILE HOME` prints one line of JSON.
import { peakBytes } from './peak-memory.mjs';
import { tasks } from './tasks.mjs';

/** What one measurement came to. @typedef {{ wallMs: number, cpuMs: number, peakBytes: number, liveBytes: number, counts: Record<string, number> }} Measured */

const [name = '', path = '', home = ''] = process.argv.slice(2);
const task = tasks[name];
if (!task) throw new Error(`no task "${name}"; there are ${Object.keys(tasks).join(', ')}`);

const cpuBefore = process.cpuUsage();
const start = performance.now();
const counts = await task({ path, home });
const wallMs = performance.now() - start;
const { user, system } = process.cpuUsage(cpuBefore);
const peak = peakBytes();
globalThis.gc?.();
/** @type {Measured} */
const measured = { wallMs, cpuMs: (user + system) / 1000, peakBytes: peak, liveBytes: process.memoryUsage().heapUsed, counts };
process.stdout.write(`${JSON.stringify(measured)}\n`);
