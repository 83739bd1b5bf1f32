import { PassThrough } from 'node:stream';
import { expect } from 'vitest';
import { run } from './run.js';

/** What `tapefold ARGS` prints, in this process; it has to end well. */
export async function printed(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<string> {
  const chunks: Buffer[] = [];
  const output = new PassThrough().on('data', (chunk: Buffer) => chunks.push(chunk));
  const errors = new PassThrough().resume();
  const exitCode = await run(args, { output, errors, env, cwd: '/', homeDir: '/nonexistent', nowMs: () => Date.now() });
  expect(exitCode, `${args.join(' ')}: ${Buffer.concat(chunks).toString('utf8').slice(0, 500)}`).toBe(0);
  return Buffer.concat(chunks).toString('utf8');
}
