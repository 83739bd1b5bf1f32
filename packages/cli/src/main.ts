#!/usr/bin/env node
import { homedir } from 'node:os';
import { run } from './run.js';

/** The handlers go with the first signal, so the second does what it always does. */
function onStop(stop: () => void): void {
  const handle = (): void => {
    for (const signal of ['SIGINT', 'SIGTERM']) process.off(signal, handle);
    stop();
  };
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, handle);
}

process.exitCode = await run(process.argv.slice(2), {
  input: () => process.stdin, output: process.stdout, errors: process.stderr, env: process.env, cwd: process.cwd(), homeDir: homedir(), nowMs: Date.now, onStop,
});
