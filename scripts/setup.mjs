// @ts-check
import { spawn } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url));

/** The programs of the house; all are started with this Node, so that no shell and no `npx` is needed. */
export const tools = {
  tsc: 'node_modules/typescript/bin/tsc',
  oxlint: 'node_modules/oxlint/bin/oxlint',
  depcruise: 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs',
  knip: 'node_modules/knip/bin/knip.js',
  vitest: 'node_modules/vitest/vitest.mjs',
};

/** The folders with code of ours that exist. */
export const codeFolders = () => ['packages', 'testing', 'scripts', 'benchmarks'].filter((folder) => existsSync(`${root}/${folder}`));

/**
 * Runs a program in the root folder; never rejects.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ show?: boolean, env?: NodeJS.ProcessEnv, shell?: boolean }} [options] `show`: let the output through instead of collecting it
 * @returns {Promise<{ code: number, output: string }>}
 */
export function run(command, args, { show = false, env = process.env, shell = false } = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd: root, env, shell, stdio: show ? 'inherit' : ['ignore', 'pipe', 'pipe'] });
    let output = '';
    child.stdout?.setEncoding('utf8').on('data', (text) => (output += text));
    child.stderr?.setEncoding('utf8').on('data', (text) => (output += text));
    child.on('error', (error) => resolve({ code: 1, output: `${output}${error.message}\n` }));
    child.on('close', (code) => resolve({ code: code ?? 1, output }));
  });
}

/** npm writes `node_modules/.package-lock.json` at the end of each install, so its age says what is installed. */
function isInstalled() {
  const installed = `${root}/node_modules/.package-lock.json`;
  if (!existsSync(installed)) return false;
  return statSync(installed).mtimeMs >= statSync(`${root}/package-lock.json`).mtimeMs;
}

/** Installs exactly what the lock file says, unless that is there already. @returns {Promise<{ code: number, output: string }>} */
export async function install() {
  if (isInstalled()) return { code: 0, output: '' };
  console.log('installing dependencies (npm ci) ...');
  return run('npm', ['ci', '--no-audit', '--no-fund'], { shell: process.platform === 'win32' });
}

/** Builds what changed, and bundles the command. @returns {Promise<{ code: number, output: string }>} */
export async function build() {
  const compiled = await run(process.execPath, [tools.tsc, '-b']);
  if (compiled.code !== 0) return compiled;
  // Only now: before the installation there is no bundler.
  const { bundle } = await import('./bundle.mjs');
  return bundle();
}
