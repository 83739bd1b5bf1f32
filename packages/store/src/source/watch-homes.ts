import { type TreeWatch, watchHome } from '@tapefold/tapes';
import type { HomeRef } from '../thread-source.js';
import { IDLE_MS, POLL_MS, SETTLE_MS } from './limits.js';

/**
 * Tells when session files of the homes, or what stands beside them, changed: from when it is made, also of files that are replaced and of homes that go and come back.
 * Where the system cannot tell, it just comes back every few seconds.
 */
export class HomesWatch {
  readonly #watches: readonly TreeWatch[];
  #isDeaf = false;
  #hasChanged = false;
  #wake: (() => void) | undefined;

  constructor(homes: readonly HomeRef[]) {
    this.#watches = homes.map(({ program, path }) => watchHome(program, path));
    for (const watch of this.#watches) this.#hear(watch).catch(() => { this.#isDeaf = true; });
  }

  /** How long it waits where nothing is told. */
  get waitMs(): number {
    return this.#isDeaf || this.#watches.some(({ wasRefused }) => wasRefused) ? POLL_MS : IDLE_MS;
  }

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

  /** What changed does not matter: a pass looks at everything. */
  async #hear(watch: TreeWatch): Promise<void> {
    for await (const changes of watch.changes()) if (changes.length > 0) this.wake();
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
    for (const watch of this.#watches) watch.close();
  }
}
