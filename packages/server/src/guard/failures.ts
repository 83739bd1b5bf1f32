import { WATCHED_ADDRESSES } from '../limits.js';

/** Wrong credentials in a row that are still answered one by one. */
const FAILURES = 10;
/** How long failures count, and how long an address that had too many is refused. */
const WINDOW_MS = 60_000;

interface Watched { readonly sinceMs: number; readonly failures: number }

/** IPv6 addresses of one network are one: whoever has one has all of them. */
function networkOf(address: string): string {
  const plain = address.replace(/^::ffff:/, '');
  return plain.includes(':') ? plain.split(':').slice(0, 4).join(':') : plain;
}

/** Counts wrong credentials by address: more than ten in a minute, and the address is refused for a minute. */
export class Failures {
  readonly #nowMs: () => number;
  readonly #watched = new Map<string, Watched>();

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  /** Whether an address had too many. */
  isBarred(address: string): boolean {
    const watched = this.#recent(networkOf(address));
    return watched !== undefined && watched.failures >= FAILURES;
  }

  /** Notes a wrong credential. The tenth begins the time in which the address is refused. */
  note(address: string): void {
    const key = networkOf(address);
    const watched = this.#recent(key);
    const failures = (watched?.failures ?? 0) + 1;
    this.#watched.delete(key);
    this.#watched.set(key, { failures, sinceMs: watched === undefined || failures === FAILURES ? this.#nowMs() : watched.sinceMs });
    const [oldest] = this.#watched.keys();
    if (this.#watched.size > WATCHED_ADDRESSES && oldest !== undefined) this.#watched.delete(oldest);
  }

  #recent(key: string): Watched | undefined {
    const watched = this.#watched.get(key);
    return watched && this.#nowMs() - watched.sinceMs < WINDOW_MS ? watched : undefined;
  }
}
