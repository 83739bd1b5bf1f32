/** How far indexing is. `etaMs`: what is left at the pace so far; null before there is one. */
export interface IndexProgress {
  readonly threads: number;
  readonly threadsDone: number;
  readonly bytes: number;
  readonly bytesDone: number;
  readonly etaMs: number | null;
  /** What is being read. */
  readonly path: string | null;
}

/** Counts what is done, and tells the pace. */
export class ProgressCount {
  readonly #nowMs: () => number;
  readonly #startedMs: number;
  readonly #threads: number;
  readonly #bytes: number;
  #threadsDone = 0;
  #bytesDone = 0;
  path: string | null = null;

  constructor(total: { readonly threads: number; readonly bytes: number }, nowMs: () => number) {
    this.#threads = total.threads;
    this.#bytes = total.bytes;
    this.#nowMs = nowMs;
    this.#startedMs = nowMs();
  }

  add(bytes: number): void {
    this.#bytesDone += bytes;
  }

  done(): void {
    this.#threadsDone += 1;
  }

  now(): IndexProgress {
    const pastMs = this.#nowMs() - this.#startedMs;
    const left = Math.max(0, this.#bytes - this.#bytesDone);
    return { threads: this.#threads, threadsDone: this.#threadsDone, bytes: Math.max(this.#bytes, this.#bytesDone), bytesDone: this.#bytesDone, etaMs: this.#bytesDone === 0 ? null : Math.round((pastMs / this.#bytesDone) * left), path: this.path };
  }
}
