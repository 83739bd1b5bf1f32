#!/usr/bin/env node
import { homedir } from 'node:os';
import { EXIT } from './exit.js';
import { run } from './run.js';

process.once('SIGINT', () => {
  if (process.stderr.isTTY) process.stderr.write('\r\u001b[K');
  process.exit(EXIT.interrupted);
});

process.exitCode = await run(process.argv.slice(2), {
  output: process.stdout, errors: process.stderr, env: process.env, cwd: process.cwd(), homeDir: homedir(), nowMs: Date.now,
});
