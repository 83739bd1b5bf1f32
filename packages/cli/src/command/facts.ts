import { EXIT } from '../exit.js';
import { Progress } from '../progress.js';
import { jsonText } from '../text/json-text.js';
import type { Command } from './session.js';

/** `tapefold facts` as typed. */
export interface FactsOptions {
  readonly id: string;
}

/** The facts of a thread, one a line, in order: as fast as somebody takes them, and none kept. */
export const facts: Command<FactsOptions> = async (session, { id }) => {
  const { output, terminal } = session;
  const source = await session.source();
  const progress = new Progress(terminal, 'reading');
  // On a terminal the facts themselves show that it goes on.
  const onProgress = terminal.isTerminal ? undefined : progress.bytes;
  try {
    for await (const { position, fact } of source.facts(id, { onProgress })) await output.line(jsonText({ position, ...fact }));
  } finally {
    progress.clear();
  }
  await output.flush();
  return EXIT.ok;
};
