import { OPENED_BYTES } from './limits.js';

/** A value that holds while its stamp is the same, and what it counts for against the budget: mostly the session bytes that it was made of. */
export interface KeptValue<T> {
  readonly stamp: string;
  readonly value: T;
  readonly sizeBytes: number;
}

/** What was made of threads, asked for last, as many as fit a budget; the one asked for just now always stays. */
export class KeptByBytes<T> {
  readonly #budgetBytes: number;
  readonly #kept = new Map<string, KeptValue<T>>();

  /** `budgetBytes`: of session files where absent. */
  constructor(budgetBytes = OPENED_BYTES) {
    this.#budgetBytes = budgetBytes;
  }

  get(threadId: string, stamp: string): T | undefined {
    const found = this.#kept.get(threadId);
    if (found?.stamp !== stamp) return undefined;
    this.#kept.delete(threadId);
    this.#kept.set(threadId, found);
    return found.value;
  }

  /** One that still holds, whatever its key. */
  find(stamp: string, isIt: (value: T) => boolean): T | undefined {
    for (const kept of this.#kept.values()) if (kept.stamp === stamp && isIt(kept.value)) return kept.value;
    return undefined;
  }

  keep(threadId: string, value: KeptValue<T>): void {
    this.#kept.delete(threadId);
    this.#kept.set(threadId, value);
    let bytes = [...this.#kept.values()].reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
    for (const [id, { sizeBytes }] of this.#kept) {
      if (bytes <= this.#budgetBytes || id === threadId) return;
      this.#kept.delete(id);
      bytes -= sizeBytes;
    }
  }
}
