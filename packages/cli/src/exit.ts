import { ServerError, type ServerErrorCode } from '@tapefold/server';
import { StoreError, type StoreErrorCode } from '@tapefold/store';
import { TapeError } from '@tapefold/tapes';
import { CommanderError } from 'commander';

/** What the command's exit codes mean. An interrupt ends the process by its signal, which shells show as 130, also where the command heard it and broke off its work itself. */
export const EXIT = { ok: 0, data: 1, usage: 2, bug: 3, interrupted: 130 } as const;
/** What `run` returns. */
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** Somebody asked for what the command does not have. `message` is a sentence that says what to do. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** The reader of our output went away: no failure, there is just nobody left to write to. */
export class ClosedPipe extends Error {
  override readonly name = 'ClosedPipe';
}

const storeExits: Record<StoreErrorCode, ExitCode> = {
  threadNotFound: EXIT.data, ambiguousId: EXIT.data, noThreads: EXIT.data, homeNotFound: EXIT.data, damagedSource: EXIT.data, fileNotFound: EXIT.data, notInHomes: EXIT.data, noId: EXIT.usage, positionBehindEnd: EXIT.usage, storeTooNew: EXIT.data, storeDamaged: EXIT.data,
  storeBusy: EXIT.data, storeFull: EXIT.data, storeUnusable: EXIT.data, leaseLost: EXIT.data, rewritten: EXIT.data, emptyQuery: EXIT.usage, queryTooLong: EXIT.usage,
};

/** What was typed is wrong, not what it met. */
const usageOfServer: ReadonlySet<ServerErrorCode> = new Set<ServerErrorCode>(['badListenUrl', 'tokenNeeded', 'socketPathTooLong']);

/** What to say, and what to exit with. Commander has said its own already. */
export interface Failure {
  readonly exitCode: ExitCode;
  readonly message: string | undefined;
}

/** The one place where errors become exit codes. */
export function failureOf(error: unknown): Failure {
  if (error instanceof ClosedPipe) return { exitCode: EXIT.ok, message: undefined };
  if (error instanceof CommanderError) return { exitCode: error.exitCode === 0 ? EXIT.ok : EXIT.usage, message: undefined };
  if (error instanceof UsageError) return { exitCode: EXIT.usage, message: error.message };
  if (error instanceof StoreError) return { exitCode: storeExits[error.code], message: error.message };
  if (error instanceof ServerError) return { exitCode: usageOfServer.has(error.code) ? EXIT.usage : EXIT.data, message: error.message };
  if (error instanceof TapeError) return { exitCode: EXIT.data, message: error.message };
  const reason = error instanceof Error ? error.message : String(error);
  return { exitCode: EXIT.bug, message: `this is a bug (${reason}): please report it with what TAPEFOLD_DEBUG=1 prints.` };
}
