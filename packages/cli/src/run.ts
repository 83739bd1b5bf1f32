import { type HomeRef, type SqliteStore, type ThreadSource, createFileSource, createStoreSource } from '@tapefold/store';
import { CommanderError } from 'commander';
import { EXIT, type ExitCode, failureOf } from './exit.js';
import { chooseSource, homesOf } from './homes.js';
import { usableIndex } from './open-index.js';
import { Output } from './output.js';
import { createProgram } from './program.js';
import { type Surroundings, createTerminal } from './terminal.js';
import { createTimes } from './text/times.js';

/** What is made at the first call, and then kept. */
function lazy<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}

const sourceOver = (homes: readonly HomeRef[], store: SqliteStore | undefined): ThreadSource => (store ? createStoreSource({ homes, store }) : createFileSource(homes));

/** Runs the command line: everything but the process itself. Never throws; errors are said on standard error. */
export async function run(args: readonly string[], surroundings: Surroundings): Promise<ExitCode> {
  const terminal = createTerminal(surroundings);
  const output = new Output(surroundings.output);
  const program = createProgram({
    cwd: surroundings.cwd,
    open: (homes, { hasIndex }) => {
      const note = (sentence: string): void => terminal.note(sentence);
      const index = lazy(() => (hasIndex ? usableIndex(surroundings, { note }) : undefined));
      return {
        output, terminal, surroundings, times: createTimes(surroundings.nowMs()), homes: homesOf(homes, surroundings), index, madeIndex: () => (hasIndex ? usableIndex(surroundings, { note, isMade: true }) : undefined),
        source: async () => {
          const { source, note: told } = await chooseSource(homes, surroundings, (chosen) => sourceOver(chosen, index()));
          if (told !== undefined) note(told);
          return source;
        },
      };
    },
    writeOut: (text) => void surroundings.output.write(text),
    writeErr: (text) => void surroundings.errors.write(text),
  });
  try {
    return await program.parse(args);
  } catch (error) {
    const { exitCode, message } = failureOf(error);
    if (message !== undefined) terminal.note(message);
    const isAsked = surroundings.env['TAPEFOLD_DEBUG'] === '1' && !(error instanceof CommanderError);
    if (isAsked && exitCode !== EXIT.ok && error instanceof Error) surroundings.errors.write(`${error.stack ?? error.message}\n`);
    return exitCode;
  }
}
