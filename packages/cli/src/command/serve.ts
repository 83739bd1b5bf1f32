import { serveStdio } from '@tapefold/server';
import { StoreError, createFileSource } from '@tapefold/store';
import { existsSync } from 'node:fs';
import { EXIT, UsageError } from '../exit.js';
import { version } from '../version.js';
import type { Command } from './session.js';

/** `tapefold serve` as typed. */
export interface ServeOptions {
  readonly listen: string;
}

/** Answers until the input ends. Only messages go to standard output; what there is to say besides goes to standard error. */
export const serve: Command<ServeOptions> = async ({ homes, surroundings, terminal }, { listen }) => {
  if (listen !== 'stdio://') throw new UsageError(`--listen takes stdio://, not ${listen}: WebSocket and unix sockets come with a later step.`);
  const missing = homes.find(({ path }) => !existsSync(path));
  if (missing) throw new StoreError('homeNotFound', { path: missing.path });
  const { input, output, nowMs } = surroundings;
  if (!input) throw new Error('serve needs an input');
  const { path: home } = homes.find(({ program }) => program === 'codex') ?? homes[0];
  await serveStdio({
    source: createFileSource(homes), identity: { version: version(), home, platform: process.platform, arch: process.arch }, input: input(), output, nowMs, log: (text) => terminal.note(text),
  });
  return EXIT.ok;
};
