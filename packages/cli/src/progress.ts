import type { IndexProgress, TextProgress } from '@tapefold/store';
import type { Terminal } from './terminal.js';
import { counted, durationText, sizeText } from './text/measures.js';

/** Nothing is said of what takes less than this. */
const PATIENCE_MS = 1_000;
const REPAINT_MS = 100;
/** Columns of a bar. */
const BAR_COLS = 20;

const percentOf = (done: number, all: number): number => (all === 0 ? 100 : Math.min(100, Math.floor((done / all) * 100)));

function barOf(percent: number): string {
  const filled = Math.floor((percent / 100) * BAR_COLS);
  return `${'█'.repeat(filled)}${'░'.repeat(BAR_COLS - filled)}`;
}

/** A line on the terminal that says how far a long read is, erased when it ends. Silent where standard error is no terminal. */
export class Progress {
  readonly #terminal: Terminal;
  readonly #what: string;
  readonly #startedMs: number;
  readonly #isStopHeard: boolean;
  #paintedMs = 0;
  #isShown = false;

  /** `isStopHeard`: whoever shows it hears interrupts itself, and calls `clear`. */
  constructor(terminal: Terminal, what: string, { isStopHeard = false }: { readonly isStopHeard?: boolean } = {}) {
    this.#terminal = terminal;
    this.#what = what;
    this.#isStopHeard = isStopHeard;
    this.#startedMs = terminal.nowMs();
  }

  /** How many bytes of how many were read. */
  readonly bytes = (bytes: number, totalBytes: number): void => {
    this.#show(`${this.#what} … ${percentOf(bytes, totalBytes)} %`);
  };

  /** How far an index is: bytes, sessions, and how long it may still take. */
  readonly index = ({ bytes, bytesDone, threads, threadsDone, etaMs }: IndexProgress): void => {
    const percent = percentOf(bytesDone, bytes);
    const left = etaMs === null || percent === 100 ? '' : `, ${durationText(Math.ceil(etaMs / 1000) * 1000)} left`;
    this.#show(`${this.#what} ${barOf(percent)} ${percent} % of ${sizeText(bytes)}, ${threadsDone} of ${counted(threads, 'session')}${left}`);
  };

  /** How far its text is, which follows behind: items. */
  readonly texts = ({ done, waiting }: TextProgress): void => {
    const percent = percentOf(done, done + waiting);
    this.#show(`${this.#what} text ${barOf(percent)} ${percent} % of ${counted(done + waiting, 'item')}`);
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
    if (!this.#isShown && !this.#isStopHeard) process.once('SIGINT', this.#interrupted);
    this.#paintedMs = nowMs;
    this.#isShown = true;
    this.#terminal.errors.write(`\r\u001b[K${text}`);
  }
}
