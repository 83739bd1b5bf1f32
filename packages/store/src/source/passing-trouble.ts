import { StoreError, type StoreErrorCode } from '../errors.js';

/** Refusals that last until a person does something: trying again would only say so again. */
const lasting: ReadonlySet<StoreErrorCode> = new Set<StoreErrorCode>(['homeNotFound', 'storeTooNew', 'storeDamaged', 'storeFull', 'storeUnusable']);

/** Whether what failed may succeed later: a bug that one state of the files brought out, a database that was busy, a right to write that was lost. */
export function isPassing(error: unknown): boolean {
  return !(error instanceof StoreError && lasting.has(error.code));
}
