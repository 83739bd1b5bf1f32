/** Lets a few in at a time; the others wait in order, and what does not fit into the line is turned away. */
export class Turnstile {
  readonly #limits: { readonly running: number; readonly waiting: number };
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(limits: { readonly running: number; readonly waiting: number }) {
    this.#limits = limits;
  }

  /** Runs a job when it is its turn; undefined where the line is full. Rejects as the job does. */
  async pass<T>(job: () => Promise<T>): Promise<{ readonly value: T } | undefined> {
    if (this.#running >= this.#limits.running) {
      if (this.#waiting.length >= this.#limits.waiting) return undefined;
      await new Promise<void>((resolve) => { this.#waiting.push(resolve); });
    }
    this.#running += 1;
    try {
      return { value: await job() };
    } finally {
      this.#running -= 1;
      this.#waiting.shift()?.();
    }
  }
}
