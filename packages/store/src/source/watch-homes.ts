import { type FSWatcher, watch } from 'node:fs';
import type { HomeRef } from '../thread-source.js';
import { IDLE_MS, POLL_MS, SETTLE_MS } from './limits.js';

/** Tells when something below the homes changed. Where the system cannot tell, it just comes back every few seconds. */
export class HomesWatch {
  readonly #watchers: FSWatcher[] = [];
  readonly #isPolled: boolean;
  #hasChanged = false;
  #wake: (() => void) | undefined;

  constructor(homes: readonly HomeRef[]) {
    let isPolled = false;
    for (const { path } of homes) {
      try {
        this.#watchers.push(watch(path, { recursive: true }, () => this.wake()).on('error', () => undefined));
      } catch {
        isPolled = true;
      }
    }
    this.#isPolled = isPolled;
  }

  /** How long it waits where nothing is told. */
  get waitMs(): number { return this.#isPolled ? POLL_MS : IDLE_MS; }

  /** Whether something changed since the last wait. */
  get isDue(): boolean { return this.#hasChanged; }

  /** Ends a wait. */
  wake(): void {
    this.#hasChanged = true;
    this.#wake?.();
  }

  /** Resolves when something changed since the last wait, or when it is time to look anyway. */
  async next(): Promise<void> {
    if (!this.#hasChanged) await this.#sleep(this.waitMs);
    // More may follow at once: the lines of one answer of a model.
    if (this.#hasChanged) await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
    this.#hasChanged = false;
  }

  #sleep(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.#wake?.(), ms);
      this.#wake = () => {
        clearTimeout(timer);
        this.#wake = undefined;
        resolve();
      };
    });
  }

  close(): void {
    for (const watcher of this.#watchers) watcher.close();
  }
}
