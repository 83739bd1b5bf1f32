// @ts-check
// npm test: everything that has to hold before a change goes in. One line per step; the output of a step is shown when it fails.
// The last line is `N passed, N failed[, N skipped]`: the tests of vitest plus one for each house step.
// `--long`: instead of the house steps, the long tests and the property tests at full counts.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build, codeFolders, install, run, tools } from './setup.mjs';

const long = process.argv.includes('--long');
const total = { passed: 0, failed: 0, skipped: 0 };
/** @param {readonly string[]} args */
const node = (args) => run(process.execPath, args);

/**
 * @param {string} name
 * @param {() => Promise<{ code: number, output: string }>} step
 * @returns {Promise<boolean>} whether it succeeded
 */
async function perform(name, step) {
  const start = performance.now();
  const { code, output } = await step();
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  console.log(`${code === 0 ? 'ok    ' : 'FAILED'} ${name.padEnd(10)} ${seconds.padStart(6)} s`);
  if (code !== 0) console.log(output);
  return code === 0;
}

/** @param {string} name @param {() => Promise<{ code: number, output: string }>} step */
async function house(name, step) {
  total[(await perform(name, step)) ? 'passed' : 'failed'] += 1;
}

/** Runs vitest and adds its counts. A file that could not even be loaded, or a crash, counts as one failure. */
async function tests() {
  const folder = mkdtempSync(join(tmpdir(), 'tapefold-test-'));
  const report = join(folder, 'report.json');
  const env = { ...process.env, ...(long ? { TAPEFOLD_LONG: '1' } : {}) };
  const args = [tools.vitest, 'run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const result = await run(process.execPath, args, { env });
  let failed = 0;
  try {
    const counts = JSON.parse(readFileSync(report, 'utf8'));
    /** @type {{ status: string, assertionResults: unknown[] }[]} */
    const files = counts.testResults;
    failed = counts.numFailedTests + files.filter((file) => file.status === 'failed' && file.assertionResults.length === 0).length;
    total.passed += counts.numPassedTests;
    total.skipped += counts.numPendingTests + counts.numTodoTests;
  } catch (error) {
    result.output += `\nvitest left no readable report: ${String(error)}`;
    result.code ||= 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  total.failed += result.code !== 0 && failed === 0 ? 1 : failed;
  return result;
}

function finish() {
  console.log(`${total.passed} passed, ${total.failed} failed${total.skipped > 0 ? `, ${total.skipped} skipped` : ''}`);
  process.exit(total.failed > 0 ? 1 : 0);
}

if (!(await perform('install', install))) {
  total.failed += 1;
  finish();
}
await house('build', build);
if (!long) {
  const types = () => house('type-check', () => node([tools.tsc, '-p', 'tsconfig.tests.json']));
  const lint = () => house('lint', () => node([tools.oxlint, '--deny-warnings']));
  const layers = () => house('layers', () => node([tools.depcruise, '--config', '.dependency-cruiser.mjs', ...codeFolders()]));
  const unused = () => house('unused', () => node([tools.knip, '--no-progress', '--no-config-hints']));
  // None needs another's result, and two run well on two cores.
  await Promise.all([types().then(layers), lint().then(unused)]);
}
await perform('tests', tests);
finish();
