import { parentPort, workerData } from 'node:worker_threads';
import type { IndexResult } from '../indexing/indexer.js';
import { indexTexts } from '../search/text-indexer.js';
import { SqliteStore } from '../sqlite/sqlite-store.js';
import { writeTurnTexts } from '../turn-texts/write-turn-texts.js';
import { type IndexMessage, type IndexOrder, failure } from './index-messages.js';
import { collectGarbage, collectSooner } from './collect-garbage.js';
import { GROWING_PERCENT, HELD_MS, LARGE_GROWING_PERCENT, LARGE_PASS_BYTES, LARGE_STATE_CHARS, PROGRESS_MS } from './limits.js';
import { LookedHomes } from './looked-homes.js';
import { HomesWatch } from './watch-homes.js';

/*
 * The thread that plays tapes and writes rows:
 *
 *   acquire ──held──▶ say so (watching: ask again)      pass ──▶ watching? wait for a change ──▶ pass …
 *      └────────────▶ pass                                │       (nothing to do: texts of turns)
 *                                                        └────▶ release, end
 */

const order = workerData as IndexOrder;
const say = (message: IndexMessage): void => parentPort?.postMessage(message);

class IndexWorker {
  readonly #store = new SqliteStore(order.path, { nowMs: () => Date.now() });
  readonly #homes = new LookedHomes(this.#store);
  #isStopped = false;
  #didMuch = false;
  #toldMs = 0;
  #wake: () => void = () => undefined;

  stop(): void {
    this.#isStopped = true;
    this.#wake();
  }

  async run(): Promise<void> {
    try {
      if (!(await this.#acquired())) return;
      if (order.isFresh) await this.#store.clear();
      const result = await this.#pass();
      if (order.isWatching && !this.#isStopped) await this.#watch(result);
      await this.#store.release();
    } finally {
      await this.#store.close();
    }
  }

  async #acquired(): Promise<boolean> {
    for (;;) {
      const holder = await this.#store.acquire();
      if (!holder) return true;
      say({ type: 'held', holder });
      if (!order.isWatching) return false;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, HELD_MS);
        this.#wake = () => { clearTimeout(timer); resolve(); };
      });
      if (this.#isStopped) return false;
    }
  }

  async #pass(): Promise<IndexResult> {
    collectSooner(GROWING_PERCENT);
    const result = await this.#homes.index({
      homes: order.homes, nowMs: () => Date.now(), isStopped: () => this.#isStopped, steps: order.steps,
      onCommitted: (stateChars) => {
        if (stateChars <= LARGE_STATE_CHARS) return;
        collectGarbage();
        collectSooner(LARGE_GROWING_PERCENT);
      },
      onProgress: (progress) => {
        const nowMs = Date.now();
        if (nowMs - this.#toldMs < PROGRESS_MS) return;
        this.#toldMs = nowMs;
        say({ type: 'progress', progress });
      },
    });
    say({ type: 'pass', result });
    const isLarge = result.bytes > LARGE_PASS_BYTES;
    if (isLarge) collectGarbage();
    await this.#texts();
    if (isLarge) this.#tidyUp();
    return result;
  }

  /** Nothing else may be done until a file changes, and so the engine would keep what the work took. */
  #tidyUp(): void {
    collectGarbage();
    this.#didMuch = true;
  }

  #rest(): void {
    collectSooner(0);
    if (this.#didMuch) say({ type: 'rest' });
    this.#didMuch = false;
  }

  /** The text of what was written follows behind the rows. */
  async #texts(): Promise<void> {
    await indexTexts(this.#store, { isStopped: () => this.#isStopped, onProgress: (texts) => say({ type: 'texts', texts }) });
  }

  /** For when nothing else is to be done: what changes meanwhile comes first. */
  async #turnTexts(watch: HomesWatch): Promise<void> {
    const untilMs = Date.now() + watch.waitMs;
    const written = await writeTurnTexts(this.#store, { nowMs: () => Date.now(), isStopped: () => this.#isStopped || watch.isDue || Date.now() > untilMs });
    if (written > 0) this.#tidyUp();
    // It took as long as a wait does.
    if (Date.now() > untilMs) watch.wake();
  }

  async #watch(first: IndexResult): Promise<void> {
    const watch = new HomesWatch(order.homes);
    this.#wake = () => watch.wake();
    // What changed during the first pass, before anybody watched.
    if (first.bytes > 0) watch.wake();
    try {
      for (;;) {
        await this.#turnTexts(watch);
        this.#rest();
        await watch.next();
        if (this.#isStopped) return;
        await this.#pass();
      }
    } finally {
      watch.close();
    }
  }
}

try {
  const worker = new IndexWorker();
  parentPort?.on('message', () => worker.stop());
  await worker.run();
} catch (cause) {
  say(failure(cause));
} finally {
  parentPort?.close();
}
