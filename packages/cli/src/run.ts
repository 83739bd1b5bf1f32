import { CommanderError } from 'commander';
import { EXIT, type ExitCode, failureOf } from './exit.js';
import { chooseSource, homesOf } from './homes.js';
import { Output } from './output.js';
import { createProgram } from './program.js';
import { type Surroundings, createTerminal } from './terminal.js';
import { createTimes } from './text/times.js';

/** Runs the command line: everything but the process itself. Never throws; errors are said on standard error. */
export async function run(args: readonly string[], surroundings: Surroundings): Promise<ExitCode> {
  const terminal = createTerminal(surroundings);
  const output = new Output(surroundings.output);
  const program = createProgram({
    cwd: surroundings.cwd,
    open: (homes) => ({
      output, terminal, surroundings, times: createTimes(surroundings.nowMs()), homes: homesOf(homes, surroundings),
      source: async () => {
        const { source, note } = await chooseSource(homes, surroundings);
        if (note !== undefined) terminal.note(note);
        return source;
      },
    }),
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
