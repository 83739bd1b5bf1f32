import type { Terminal } from './terminal.js';

/** Nothing is said of what takes less than this. */
const PATIENCE_MS = 1_000;
const REPAINT_MS = 100;

/** A line on the terminal that says how far a long read is, erased when it ends. Silent where standard error is no terminal. */
export class Progress {
  readonly #terminal: Terminal;
  readonly #what: string;
  readonly #startedMs: number;
  #paintedMs = 0;
  #isShown = false;

  constructor(terminal: Terminal, what: string) {
    this.#terminal = terminal;
    this.#what = what;
    this.#startedMs = terminal.nowMs();
  }

  /** How many bytes of how many were read. */
  readonly bytes = (bytes: number, totalBytes: number): void => {
    const percent = totalBytes === 0 ? 100 : Math.min(100, Math.floor((bytes / totalBytes) * 100));
    this.#show(`${this.#what} … ${percent} %`);
  };

  /** How many things were done, where nobody knows how many there are. */
  count(done: number): void {
    this.#show(`${this.#what} … ${done}`);
  }

  /** Takes the line away, before anything else is written. */
  clear(): void {
    if (this.#isShown) this.#terminal.errors.write('\r\u001b[K');
    this.#isShown = false;
  }

  #show(text: string): void {
    const nowMs = this.#terminal.nowMs();
    if (!this.#terminal.hasProgress || nowMs - this.#startedMs < PATIENCE_MS || nowMs - this.#paintedMs < REPAINT_MS) return;
    this.#paintedMs = nowMs;
    this.#isShown = true;
    this.#terminal.errors.write(`\r\u001b[K${text}`);
  }
}
