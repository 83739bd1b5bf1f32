interface Job { readonly run: () => Promise<void>; readonly bytes: number }

/** Bounds of a queue: jobs that run at a time, and bytes of those that wait or run. */
export interface WorkLimits {
  readonly running: number;
  readonly pendingBytes: number;
}

/** Calls that wait and calls that run: a few at a time, in order of arrival, and no more waiting than fits a budget. Jobs do not reject. */
export class WorkQueue {
  readonly #limits: WorkLimits;
  readonly #waiting: Job[] = [];
  #first = 0;
  #running = 0;
  #pendingBytes = 0;
  #wakes: (() => void)[] = [];

  constructor(limits: WorkLimits) {
    this.#limits = limits;
  }

  /** Whether another job may be added without waiting. */
  get hasRoom(): boolean {
    return this.#pendingBytes < this.#limits.pendingBytes;
  }

  /** Takes a job. Resolves when there is room for the next one. */
  async add(run: () => Promise<void>, bytes: number): Promise<void> {
    this.#waiting.push({ run, bytes });
    this.#pendingBytes += bytes;
    this.#next();
    await this.#until(() => this.hasRoom);
  }

  /** Nothing waits and nothing runs. */
  get isIdle(): boolean {
    return this.#running === 0 && this.#first === this.#waiting.length;
  }

  /** Resolves when nothing waits or runs. */
  idle(): Promise<void> {
    return this.#until(() => this.isIdle);
  }

  /** Drops what waits; what runs goes on. */
  clear(): void {
    for (const { bytes } of this.#waiting.slice(this.#first)) this.#pendingBytes -= bytes;
    this.#waiting.length = 0;
    this.#first = 0;
    this.#wake();
  }

  #next(): void {
    while (this.#running < this.#limits.running && this.#first < this.#waiting.length) {
      const job = this.#waiting[this.#first] as Job;
      this.#first += 1;
      this.#forget();
      this.#running += 1;
      void job.run().finally(() => {
        this.#running -= 1;
        this.#pendingBytes -= job.bytes;
        this.#next();
        this.#wake();
      });
    }
  }

  /** Drops what was begun long ago; each job is moved once on average. */
  #forget(): void {
    if (this.#first <= 1024 || this.#first * 2 < this.#waiting.length) return;
    this.#waiting.splice(0, this.#first);
    this.#first = 0;
  }

  #wake(): void {
    for (const wake of this.#wakes.splice(0)) wake();
  }

  async #until(isTrue: () => boolean): Promise<void> {
    while (!isTrue()) await new Promise<void>((resolve) => { this.#wakes.push(resolve); });
  }
}
