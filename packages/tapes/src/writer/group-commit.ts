/**
 * Lets many callers share one sync: those that ask while none runs share the next one, those that ask while one runs wait for the one after it, since
 * theirs may have been written too late for it. A sync that fails fails all that wait, now and later: nobody knows what the disk holds then.
 */
export class GroupCommit {
  readonly #sync: () => Promise<void>;
  #isRunning = false;
  #next: { readonly promise: Promise<void>; readonly resolve: () => void; readonly reject: (error: unknown) => void } | undefined;
  /** Syncs that were made: what tests count. */
  syncs = 0;

  constructor(sync: () => Promise<void>) {
    this.#sync = sync;
  }

  /** Resolves when a sync that began after this call is through. */
  commit(): Promise<void> {
    if (!this.#next) {
      this.#next = deferred();
      if (!this.#isRunning) this.#soon();
    }
    return this.#next.promise;
  }

  /** Not at once: whoever writes in the same turn of the event loop joins. */
  #soon(): void {
    setImmediate(() => void this.#run());
  }

  async #run(): Promise<void> {
    const group = this.#next;
    if (!group) return;
    this.#next = undefined;
    this.#isRunning = true;
    this.syncs += 1;
    try {
      await this.#sync();
      group.resolve();
    } catch (error) {
      group.reject(error);
    }
    this.#isRunning = false;
    if (this.#next) this.#soon();
  }
}

function deferred(): { promise: Promise<void>; resolve: () => void; reject: (error: unknown) => void } {
  let resolve: () => void = () => undefined;
  let reject: (error: unknown) => void = () => undefined;
  const promise = new Promise<void>((done, failed) => {
    resolve = done;
    reject = failed;
  });
  return { promise, resolve, reject };
}
