#!/usr/bin/env node
import { homedir } from 'node:os';
import { EXIT } from './exit.js';
import { run } from './run.js';

const signals = ['SIGINT', 'SIGTERM'] as const;
let asked: (typeof signals)[number] = 'SIGINT';

/** The handlers go with the first signal, so the second does what it always does. */
function onStop(stop: () => void): void {
  const handle = (signal: typeof asked): void => {
    for (const each of signals) process.off(each, handle);
    asked = signal;
    stop();
  };
  for (const each of signals) process.on(each, handle);
}

const exitCode = await run(process.argv.slice(2), {
  input: () => process.stdin, output: process.stdout, errors: process.stderr, env: process.env, cwd: process.cwd(), homeDir: homedir(), nowMs: Date.now, onStop,
});
// By the signal: whoever started it, a loop of a shell say, sees that it was broken off.
if (exitCode === EXIT.interrupted) process.kill(process.pid, asked);
else process.exitCode = exitCode;
