import { builtCommand, testFolder as folder } from '@tapefold/testing';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export { testFolder as folder } from '@tapefold/testing';

/** The built command, as somebody runs it. */
export const main = builtCommand();
export const samples = fileURLToPath(new URL('../../../samples/codex', import.meta.url));
export const claudeSamples = fileURLToPath(new URL('../../../samples/claude', import.meta.url));
export const kimiSamples = fileURLToPath(new URL('../../../samples/kimi', import.meta.url));
export const kimiCliSamples = fileURLToPath(new URL('../../../samples/kimi-cli', import.meta.url));


export function samplesCopy(): string {
  const home = folder();
  cpSync(samples, home, { recursive: true });
  return home;
}

/** A Codex home with the given session files, each given by its lines. */
export function homeOf(files: Readonly<Record<string, readonly (string | object)[]>>): string {
  const home = folder();
  for (const [path, lines] of Object.entries(files)) {
    mkdirSync(dirname(join(home, path)), { recursive: true });
    writeFileSync(join(home, path), lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join(''));
  }
  return home;
}

export interface Ran {
  readonly out: string;
  readonly err: string;
  readonly code: number | null;
}

/** No home, no colours, a time zone that does not change: only what a test adds. */
export const environment = (more: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv => ({ PATH: process.env['PATH'], HOME: folder(), TZ: 'UTC', ...more });

export function tapefold(args: readonly string[], options: { readonly env?: Readonly<Record<string, string>>; readonly cwd?: string } = {}): Ran {
  const { stdout, stderr, status } = spawnSync(process.execPath, [main, ...args], { encoding: 'utf8', env: environment(options.env), cwd: options.cwd ?? folder(), maxBuffer: 1 << 30 });
  return { out: stdout, err: stderr, code: status };
}

/** A line of a shell, in which `tapefold` is the built command. */
export function shell(line: string, env: Readonly<Record<string, string>> = {}): Ran {
  const script = `tapefold() { "${process.execPath}" "${main}" "$@"; }\n${line}`;
  const { stdout, stderr, status } = spawnSync('bash', ['-c', script], { encoding: 'utf8', env: environment(env), maxBuffer: 1 << 30 });
  return { out: stdout, err: stderr, code: status };
}
