import type { TapeLine } from '@tapefold/facts';
import type { Stats } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { TapeError } from '../errors.js';
import { FOLLOW_POLL_MS } from '../limits.js';
import { isCompressedName } from '../open-source.js';
import type { ReadOptions } from '../read-options.js';
import { GrowingFile } from './growing-file.js';
import { PathWatch, statsAt } from './path-watch.js';
import { Wake } from './wake.js';

/**
 * What following tells.
 *
 * - `lines`: complete lines, in order, never empty. Between two restarts each line comes once.
 * - `caughtUp`: everything that is complete by now was told; more comes when it is written.
 * - `restarted`: what was told does not hold any more, and the lines that follow are those of the file from its beginning: it was cut (`truncated`), another one was
 *   written in its place (`rewritten`), or another file stands at the path (`replaced`).
 * - `gone`: nothing is at the path. A file that was only renamed is followed on under its new name; one that appears is told as `restarted`.
 */
export type Followed =
  | { readonly kind: 'lines'; readonly lines: readonly TapeLine[] }
  | { readonly kind: 'caughtUp'; readonly offset: number }
  | { readonly kind: 'restarted'; readonly why: 'truncated' | 'rewritten' | 'replaced' }
  | { readonly kind: 'gone' };

/** How a file is followed. `from`: the start of a line; what stands before it counts as told. */
export type FollowOptions = Pick<ReadOptions, 'from' | 'maxLineBytes' | 'chunkBytes' | 'onRead'>;

/**
 * A file that another process writes to, followed by the events of the file system: nothing is read but when something happened, and no more than one
 * chunk before it was taken. Iterate it once; it ends at `close`. Throws `TapeError` (`unreadable`, `notAFile`) where the file at the path cannot be read.
 */
export class FollowedTape implements AsyncIterable<Followed> {
  readonly #path: string;
  readonly #options: FollowOptions;
  readonly #wake = new Wake();
  readonly #watch: PathWatch;
  #file: GrowingFile | undefined;
  #hasBegun = false;
  #isGone = false;
  #isClosed = false;

  constructor(path: string, options: FollowOptions = {}) {
    if (isCompressedName(path)) throw new TapeError('notGrowing', { path });
    this.#path = path;
    this.#options = options;
    this.#watch = new PathWatch(path, () => this.#wake.set());
  }

  /** Ends the iteration, also one that waits. Does nothing the second time. */
  close(): void {
    this.#isClosed = true;
    this.#watch.close();
    this.#wake.set();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Followed, void> {
    try {
      while (!this.#isClosed) {
        this.#wake.clear();
        this.#watch.arm();
        yield* this.#look();
        if (!this.#isClosed) await this.#wake.wait(this.#watch.isWatched ? undefined : FOLLOW_POLL_MS);
      }
    } finally {
      this.close();
      this.#leave();
    }
  }

  /** One look: the file that is open, to its end, and then whatever stands at the path instead. */
  async *#look(): AsyncGenerator<Followed, void> {
    let hasNews = yield* this.#readOn();
    while (!this.#isClosed) {
      const stats = statsAt(this.#path);
      if (!stats) return yield* this.#withoutPath();
      if (this.#file?.inode === stats.ino && this.#file.device === stats.dev) break;
      hasNews = yield* this.#open(stats);
    }
    if (hasNews && this.#file && !this.#isClosed) yield { kind: 'caughtUp', offset: this.#file.offset };
  }

  /** Nothing is at the path. A file that still has a name somewhere goes on. */
  async *#withoutPath(): AsyncGenerator<Followed, void> {
    if (this.#file?.hasName || this.#isGone) return;
    this.#leave();
    this.#isGone = true;
    yield { kind: 'gone' };
  }

  /** Another file stands at the path. What the old one was given last is read before. */
  async *#open(stats: Stats): AsyncGenerator<Followed, boolean> {
    if (!stats.isFile()) throw new TapeError('notAFile', { path: this.#path });
    yield* this.#readOn();
    this.#leave();
    const from = this.#hasBegun ? 0 : (this.#options.from ?? 0);
    const file = openIfThere(this.#path, { ...this.#options, from });
    if (!file) return false;
    this.#file = file;
    this.#isGone = false;
    if (this.#hasBegun) yield { kind: 'restarted', why: 'replaced' };
    else if (file.offset < from) yield { kind: 'restarted', why: file.restart('truncated') };
    this.#hasBegun = true;
    yield* this.#readOn();
    return true;
  }

  /** Reads to the end; tells whether anything came. */
  async *#readOn(): AsyncGenerator<Followed, boolean> {
    let hasNews = false;
    for (let growth = this.#file?.read(); growth && growth.kind !== 'end' && !this.#isClosed; growth = this.#file?.read()) {
      if (growth.kind === 'rewritten') yield { kind: 'restarted', why: growth.why };
      else if (growth.lines.length > 0) yield { kind: 'lines', lines: growth.lines };
      else await setImmediate();
      hasNews ||= growth.kind === 'rewritten' || growth.lines.length > 0;
    }
    return hasNews;
  }

  #leave(): void {
    this.#file?.close();
    this.#file = undefined;
  }
}

/** It may be gone again by now. */
function openIfThere(path: string, options: FollowOptions): GrowingFile | undefined {
  try {
    return new GrowingFile(path, options);
  } catch (error) {
    if (error instanceof TapeError && error.code === 'notFound') return undefined;
    throw error;
  }
}

/** Follows a plain file, which need not exist yet. Throws `TapeError` (`notGrowing`) for a compressed one. */
export function followLines(path: string, options: FollowOptions = {}): FollowedTape {
  return new FollowedTape(path, options);
}
