import { setTimeout } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { StoreError } from '../errors.js';
import { indexTexts } from '../search/text-indexer.js';
import { storeErrorOf } from '../sqlite/database.js';
import { SqliteStore } from '../sqlite/sqlite-store.js';
import { writeTurnTexts } from '../turn-texts/write-turn-texts.js';
import { type IndexMessage, type IndexOrder, failure } from './index-messages.js';
import { collectGarbage, collectSooner } from './collect-garbage.js';
import { GROWING_PERCENT, HELD_MS, IDLE_MS, LARGE_GROWING_PERCENT, LARGE_PASS_BYTES, LARGE_STATE_CHARS, PROGRESS_MS, RETRY_MS } from './limits.js';
import { LookedHomes } from './looked-homes.js';
import { isPassing } from './passing-trouble.js';
import { HomesWatch } from './watch-homes.js';

/*
 * The thread that plays tapes and writes rows:
 *
 *   acquire ──held──▶ say so (watching: ask again)      pass ──▶ watching? wait for a change ──▶ pass …
 *      └────────────▶ pass                                │       (nothing to do: texts of turns)
 *                                                        └────▶ release, end
 *
 * Watching, a pass that fails is told and tried again, later each time; after one that lost the right to write, it is acquired again. What no trying mends ends it.
 */

const order = workerData as IndexOrder;
const say = (message: IndexMessage): void => parentPort?.postMessage(message);

class IndexWorker {
  readonly #store = new SqliteStore(order.path, { nowMs: () => Date.now() });
  readonly #homes = new LookedHomes(this.#store);
  readonly #stopping = new AbortController();
  #toldMs = 0;

  stop(): void {
    this.#stopping.abort();
  }

  get #isStopped(): boolean {
    return this.#stopping.signal.aborted;
  }

  /** Ends early when it is to stop. */
  async #sleep(ms: number): Promise<void> {
    await setTimeout(ms, undefined, { signal: this.#stopping.signal }).catch(() => undefined);
  }

  async run(): Promise<void> {
    try {
      if (!(await this.#acquired())) return;
      if (order.isFresh) await this.#store.clear();
      if (order.isWatching) await this.#watch();
      else await this.#pass();
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
      await this.#sleep(HELD_MS);
      if (this.#isStopped) return false;
    }
  }

  async #pass(): Promise<void> {
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
    await this.#texts().catch(told);
    // Nothing else may be done until a file changes, and so the engine would keep what the work took.
    if (isLarge) collectGarbage();
  }

  /** The text of what was written follows behind the rows. */
  async #texts(): Promise<void> {
    await indexTexts(this.#store, { isStopped: () => this.#isStopped, onProgress: (texts) => say({ type: 'texts', texts }) });
  }

  /** For when nothing else is to be done: what changes meanwhile comes first. */
  async #turnTexts(watch: HomesWatch): Promise<void> {
    const untilMs = Date.now() + watch.waitMs;
    const written = await writeTurnTexts(this.#store, { nowMs: () => Date.now(), isStopped: () => this.#isStopped || watch.isDue || Date.now() > untilMs });
    if (written > 0) collectGarbage();
    // It took as long as a wait does.
    if (Date.now() > untilMs) watch.wake();
  }

  /** The watch first, and then the look: what happens in between is told. */
  async #watch(): Promise<void> {
    const watch = new HomesWatch(order.homes);
    this.#stopping.signal.addEventListener('abort', () => watch.wake());
    try {
      while (!this.#isStopped) {
        await this.#passAtLast();
        if (this.#isStopped) return;
        await this.#turnTexts(watch).catch(told);
        collectSooner(0);
        await watch.next();
      }
    } finally {
      watch.close();
    }
  }

  /** A pass, tried again until it succeeds, at ever longer intervals: what changes meanwhile is in the next one. */
  async #passAtLast(): Promise<void> {
    let isOurs = true;
    for (let pauseMs = RETRY_MS; !this.#isStopped; pauseMs = Math.min(2 * pauseMs, IDLE_MS)) {
      try {
        isOurs ||= await this.#acquired();
        return isOurs ? await this.#pass() : undefined;
      } catch (cause) {
        told(cause);
        isOurs = !isLeaseLost(cause);
        await this.#sleep(pauseMs);
      }
    }
  }
}

const isLeaseLost = (cause: unknown): boolean => cause instanceof StoreError && cause.code === 'leaseLost';

/** Says what failed, and goes on; what no trying mends is thrown. */
function told(cause: unknown): void {
  const error = storeErrorOf(cause, order.path);
  if (!order.isWatching || !isPassing(error)) throw error;
  say(failure('trouble', error));
}

try {
  const worker = new IndexWorker();
  parentPort?.on('message', () => worker.stop());
  await worker.run();
} catch (cause) {
  say(failure('failed', storeErrorOf(cause, order.path)));
} finally {
  parentPort?.close();
}
