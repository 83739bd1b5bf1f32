import { PENDING_BYTES, RUNNING_CALLS } from '../limits.js';

interface Job { readonly run: () => Promise<void>; readonly bytes: number }

/** Calls that wait and calls that run: a few at a time, in order of arrival, and no more waiting than fits a budget. */
export class WorkQueue {
  readonly #waiting: Job[] = [];
  #first = 0;
  #running = 0;
  #pendingBytes = 0;
  #wake: (() => void) | undefined;

  /** Takes a job. Resolves when there is room for the next one. */
  async add(run: () => Promise<void>, bytes: number): Promise<void> {
    this.#waiting.push({ run, bytes });
    this.#pendingBytes += bytes;
    this.#next();
    await this.#until(() => this.#pendingBytes < PENDING_BYTES);
  }

  /** Resolves when nothing waits or runs. */
  idle(): Promise<void> {
    return this.#until(() => this.#running === 0 && this.#first === this.#waiting.length);
  }

  #next(): void {
    while (this.#running < RUNNING_CALLS && this.#first < this.#waiting.length) {
      const job = this.#waiting[this.#first] as Job;
      this.#first += 1;
      this.#forget();
      this.#running += 1;
      void job.run().finally(() => {
        this.#running -= 1;
        this.#pendingBytes -= job.bytes;
        this.#next();
        this.#wake?.();
      });
    }
  }

  /** Drops what was begun long ago; each job is moved once on average. */
  #forget(): void {
    if (this.#first <= 1024 || this.#first * 2 < this.#waiting.length) return;
    this.#waiting.splice(0, this.#first);
    this.#first = 0;
  }

  async #until(isTrue: () => boolean): Promise<void> {
    while (!isTrue()) await new Promise<void>((resolve) => { this.#wake = resolve; });
    this.#wake = undefined;
  }
}
