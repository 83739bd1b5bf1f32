// @ts-check
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
/** @import { Measured } from './measure.mjs' */

const here = fileURLToPath(new URL('.', import.meta.url));

/** A number measured several times. @typedef {{ median: number, least: number, most: number }} Spread */

/** @param {readonly number[]} values @returns {Spread} */
export function spreadOf(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  const median = (Number(sorted[Math.ceil(middle) - 1]) + Number(sorted[Math.floor(middle)])) / 2;
  return { median, least: Number(sorted[0]), most: Number(sorted.at(-1)) };
}

/**
 * Runs a program to its end. `firstByteMs` is when its first output came.
 * @param {string} command @param {readonly string[]} args @param {NodeJS.ProcessEnv} [env]
 * @returns {Promise<{ output: string, bytes: number, firstByteMs: number, wallMs: number }>}
 */
function runToEnd(command, args, env = process.env) {
  return new Promise((resolve, reject) => {
    const start = performance.now();
    let [output, errors, bytes, firstByteMs] = ['', '', 0, NaN];
    const child = spawn(command, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
    child.stdout.on('data', (/** @type {Buffer} */ data) => {
      if (bytes === 0) firstByteMs = performance.now() - start;
      bytes += data.length;
      if (bytes < 65_536) output += data.toString();
    });
    child.stderr.on('data', (data) => (errors += String(data)));
    child.on('error', reject);
    child.on('close', (code) => (code === 0 ? resolve({ output, bytes, firstByteMs, wallMs: performance.now() - start }) : reject(new Error(`${command} ${args.join(' ')} ended with ${code}: ${errors}`))));
  });
}

/** One measurement. `flags`: more of Node's own options. @typedef {{ name: string, task: string, input: { path?: string, home: string }, flags?: readonly string[] }} Job */

/** @param {Job} job @returns {Promise<Measured>} */
async function measure({ task, input: { path = '', home }, flags = [] }) {
  const { output } = await runToEnd(process.execPath, ['--expose-gc', ...flags, join(here, 'measure.mjs'), task, path, home]);
  return JSON.parse(output);
}

/**
 * All tasks once per round, each time beginning with another one, so that a noisy minute or a warm cache favours none.
 * @param {readonly Job[]} jobs @param {number} rounds @param {(text: string) => void} tell
 * @returns {Promise<Map<string, Measured[]>>} results by name, in order of the rounds
 */
export async function interleaved(jobs, rounds, tell) {
  /** @type {Map<string, Measured[]>} */
  const results = new Map(jobs.map(({ name }) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    for (let i = 0; i < jobs.length; i++) {
      const job = jobs[(i + round) % jobs.length];
      if (!job) continue;
      const measured = await measure(job);
      results.get(job.name)?.push(measured);
      tell(`round ${round + 1}/${rounds}  ${job.name.padEnd(34)} ${(measured.wallMs / 1000).toFixed(2).padStart(6)} s  ${Math.round(measured.peakBytes / 1e6)} MB peak`);
    }
  }
  return results;
}

/**
 * A command of Tapefold, as a user starts it, several times.
 * @param {string} main @param {readonly string[]} args @param {{ rounds: number, home: string }} how
 */
export async function timeCommand(main, args, { rounds, home }) {
  /** @type {{ bytes: number, firstByteMs: number, wallMs: number, peakBytes: number }[]} */
  const runs = [];
  const folder = mkdtempSync(join(tmpdir(), 'tapefold-peak-'));
  const peakFile = join(folder, 'peak');
  try {
    for (let round = 0; round < rounds; round++) {
      const env = { ...process.env, CODEX_HOME: home, NO_COLOR: '1', TAPEFOLD_PEAK_FILE: peakFile };
      const { bytes, firstByteMs, wallMs } = await runToEnd(process.execPath, ['--import', join(here, 'peak-memory.mjs'), main, ...args], env);
      runs.push({ bytes, firstByteMs, wallMs, peakBytes: existsSync(peakFile) ? Number(readFileSync(peakFile, 'utf8')) : NaN });
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  const of = (/** @type {'bytes' | 'firstByteMs' | 'wallMs' | 'peakBytes'} */ key) => spreadOf(runs.map((run) => run[key]));
  return { args: args.join(' '), bytes: of('bytes').median, firstByteMs: of('firstByteMs'), wallMs: of('wallMs'), peakBytes: of('peakBytes') };
}
