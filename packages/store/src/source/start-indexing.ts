import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { IndexProgress } from '../indexing/index-progress.js';
import type { IndexResult } from '../indexing/indexer.js';
import type { TextProgress } from '../search/text-indexer.js';
import type { LeaseHolder } from '../thread-store.js';
import { YOUNG_MB } from './limits.js';
import { type IndexMessage, type IndexOrder, errorOf } from './index-messages.js';

/** What is told while an index is brought up to date. */
export interface IndexListener {
  readonly onProgress?: ((progress: IndexProgress) => void) | undefined;
  /** After each pass over the homes. */
  readonly onPass?: ((result: IndexResult) => void) | undefined;
  /** How far the text is indexed, behind the rows of each pass. */
  readonly onTexts?: ((progress: TextProgress) => void) | undefined;
  /** Another process writes. */
  readonly onHeld?: ((holder: LeaseHolder) => void) | undefined;
  /** Something failed, and a watching indexer tries it again by itself. */
  readonly onTrouble?: ((error: Error) => void) | undefined;
}

/** An indexer at work in a thread of its own. */
export interface Indexing {
  /** The last pass; undefined where another process had the right to write. Rejects with a `StoreError`, or with a bug. */
  readonly done: Promise<IndexResult | undefined>;
  /** Ends after the batch at hand: what was done stays. */
  stop(): void;
}

/** The built worker: tests run the sources, and a worker runs no TypeScript. */
function workerPath(): string {
  const beside = fileURLToPath(new URL('./index-worker.js', import.meta.url));
  return existsSync(beside) ? beside : fileURLToPath(new URL('../../dist/source/index-worker.js', import.meta.url));
}

/** Starts an indexer. The worker ends by itself, unless it watches; it never keeps the process alive by itself when `isWatching`. */
export function startIndexing(order: IndexOrder, { onProgress, onPass, onTexts, onHeld, onTrouble }: IndexListener = {}): Indexing {
  const worker = new Worker(workerPath(), { workerData: order, resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB } });
  let last: IndexResult | undefined;
  const done = new Promise<IndexResult | undefined>((resolve, reject) => {
    worker.on('message', (message: IndexMessage) => {
      switch (message.type) {
        case 'progress': onProgress?.(message.progress); return;
        case 'pass': last = message.result; onPass?.(message.result); return;
        case 'texts': onTexts?.(message.texts); return;
        case 'held': onHeld?.(message.holder); return;
        case 'trouble': onTrouble?.(errorOf(message)); return;
        case 'failed': reject(errorOf(message));
      }
    });
    worker.on('error', reject);
    worker.on('exit', () => resolve(last));
  });
  return { done, stop: () => worker.postMessage('stop') };
}
