import type { WalkProblem } from '@tapefold/tapes';
import { StoreError, type StoreErrorCode } from '../errors.js';

/** Refusals of the index: they are of no one session. */
const ofIndex: ReadonlySet<StoreErrorCode> = new Set<StoreErrorCode>(['storeTooNew', 'storeDamaged', 'storeBusy', 'storeFull', 'storeUnusable', 'leaseLost']);

/** Whether something failed for the database and not for what was looked at. */
function isOfIndex(cause: unknown): boolean {
  return cause instanceof StoreError ? ofIndex.has(cause.code) : cause instanceof Error && cause.name === 'SqliteError';
}

/** An unexpected failure over one file, as a problem of it. Throws what is wrong with the index: that is no matter of one file. */
export function failedAt(path: string, cause: unknown): WalkProblem {
  if (isOfIndex(cause)) throw cause;
  const reason = cause instanceof Error ? cause.message : String(cause);
  return { path, reason: cause instanceof StoreError ? reason : `failed (${reason})` };
}

/** Goes through homes, files and sessions so that one that fails, by a bug in reading it say, hides no others. What failed is kept, by its path. */
export class Apart {
  readonly #failed = new Map<string, WalkProblem>();

  /** What failed so far: each path once. */
  get failures(): readonly WalkProblem[] {
    return [...this.#failed.values()];
  }

  /** Does something for one path; undefined where it failed. */
  one<R>(path: string, make: () => R): R | undefined {
    try {
      return make();
    } catch (cause) {
      this.note(path, cause);
      return undefined;
    }
  }

  /** Does something for each, in order; of those that fail there is nothing. */
  each<T, R>(all: readonly T[], pathOf: (each: T) => string, make: (each: T) => R): R[] {
    return all.flatMap((each) => {
      const made = this.one(pathOf(each), () => ({ value: make(each) }));
      return made ? [made.value] : [];
    });
  }

  /** Keeps what is wrong at a path, and no failure of ours. */
  tell(problem: WalkProblem): void {
    this.#failed.set(problem.path, problem);
  }

  /** Keeps what failed at a path. */
  note(path: string, cause: unknown): void {
    this.tell(failedAt(path, cause));
  }
}
