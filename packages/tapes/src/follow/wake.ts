/** Says that something may have happened, however often it is said: whoever waits goes on once, and what was said before it waited is not lost. */
export class Wake {
  #isSet = false;
  #resolve: (() => void) | undefined;

  set(): void {
    this.#isSet = true;
    this.#resolve?.();
  }

  /** Forgets what was said so far: call it before looking, so that what happens during the look counts for the next wait. */
  clear(): void {
    this.#isSet = false;
  }

  /** Resolves when something was said since `clear`, or after `timeoutMs`. One waiter at a time. */
  async wait(timeoutMs?: number): Promise<void> {
    if (this.#isSet) return;
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      this.#resolve = resolve;
      if (timeoutMs !== undefined) timer = setTimeout(resolve, timeoutMs);
    });
    clearTimeout(timer);
    this.#resolve = undefined;
  }
}
