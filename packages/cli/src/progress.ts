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
    if (!this.#isShown) return;
    this.#terminal.errors.write('\r\u001b[K');
    this.#isShown = false;
    process.removeListener('SIGINT', this.#interrupted);
  }

  /** Takes the line away, then lets the signal do what it does without us: end the process, which a shell sees as 130. */
  readonly #interrupted = (): void => {
    this.clear();
    process.kill(process.pid, 'SIGINT');
  };

  #show(text: string): void {
    const nowMs = this.#terminal.nowMs();
    if (!this.#terminal.hasProgress || nowMs - this.#startedMs < PATIENCE_MS || nowMs - this.#paintedMs < REPAINT_MS) return;
    if (!this.#isShown) process.once('SIGINT', this.#interrupted);
    this.#paintedMs = nowMs;
    this.#isShown = true;
    this.#terminal.errors.write(`\r\u001b[K${text}`);
  }
}
