#!/usr/bin/env node
import { homedir } from 'node:os';
import { run } from './run.js';

process.exitCode = await run(process.argv.slice(2), {
  input: () => process.stdin, output: process.stdout, errors: process.stderr, env: process.env, cwd: process.cwd(), homeDir: homedir(), nowMs: Date.now,
});
