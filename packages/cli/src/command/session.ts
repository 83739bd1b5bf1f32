import type { HomeRef, SqliteStore, ThreadSource } from '@tapefold/store';
import type { ExitCode } from '../exit.js';
import type { Output } from '../output.js';
import type { Surroundings, Terminal } from '../terminal.js';
import type { Times } from '../text/times.js';

/** What every command gets: where to read, where to write, and who is there. */
export interface Session {
  readonly output: Output;
  readonly terminal: Terminal;
  readonly surroundings: Surroundings;
  readonly times: Times;
  /** The homes, looked for at the first call: `--help` opens no file. */
  source(): Promise<ThreadSource>;
  /** The homes that were named, else the default one, whether anything is in them or not: for programs, which are shown no samples. */
  readonly homes: readonly [HomeRef, ...HomeRef[]];
  /** The index, where there is one that can be used and nobody wants to do without it: opened at the first call. */
  index(): SqliteStore | undefined;
  /** The same for whoever keeps it up to date: made where there is none. */
  madeIndex(): SqliteStore | undefined;
}

/** A command: does its work, and says what to exit with. */
export type Command<Options> = (session: Session, options: Options) => Promise<ExitCode>;
