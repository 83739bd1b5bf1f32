import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { StoreError } from '../errors.js';
import type { LeaseHolder } from '../thread-store.js';
import type { Sqlite } from './database.js';
import { LEASE_BEAT_MS, LEASE_SILENCE_MS } from './limits.js';

interface LeaseRecord { readonly token: string; readonly pid: number; readonly host: string; readonly since_ms: number; readonly beat_ms: number }

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // No permission to signal it: it is there.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/**
 * The right of one process to write. A holder on this machine keeps it while it lives and gives signs; any holder loses it by silence. A holder that lost it
 * notices at its next commit, which is then refused as a whole.
 */
export class Lease {
  readonly #db: Sqlite;
  readonly #nowMs: () => number;
  readonly #token: string = randomUUID();
  #beatMs = 0;

  constructor(db: Sqlite, nowMs: () => number) {
    this.#db = db;
    this.#nowMs = nowMs;
  }

  /** Takes it; or answers who has it. */
  acquire(): LeaseHolder | undefined {
    return this.#db.transaction((): LeaseHolder | undefined => {
      const nowMs = this.#nowMs();
      const held = this.#held();
      if (held && held.token !== this.#token && this.#isKept(held, nowMs)) return { pid: held.pid, host: held.host, sinceMs: held.since_ms };
      this.#db.prepare('INSERT OR REPLACE INTO lease (id, token, pid, host, since_ms, beat_ms) VALUES (1, ?, ?, ?, ?, ?)').run(this.#token, process.pid, hostname(), nowMs, nowMs);
      this.#beatMs = nowMs;
      return undefined;
    }).immediate();
  }

  /** Who has it now. */
  holder(): LeaseHolder | undefined {
    const held = this.#held();
    return held && this.#isKept(held, this.#nowMs()) ? { pid: held.pid, host: held.host, sinceMs: held.since_ms } : undefined;
  }

  /** Inside a transaction that writes: throws `leaseLost` where another process took over, else gives a sign of life. */
  check(): void {
    if (this.#held()?.token !== this.#token) throw new StoreError('leaseLost');
    const nowMs = this.#nowMs();
    if (nowMs - this.#beatMs < LEASE_BEAT_MS) return;
    this.#db.prepare('UPDATE lease SET beat_ms = ?').run(nowMs);
    this.#beatMs = nowMs;
  }

  release(): void {
    this.#db.prepare('DELETE FROM lease WHERE token = ?').run(this.#token);
  }

  #held(): LeaseRecord | undefined {
    return this.#db.prepare<[], LeaseRecord>('SELECT token, pid, host, since_ms, beat_ms FROM lease').get();
  }

  #isKept({ pid, host, beat_ms: beatMs }: LeaseRecord, nowMs: number): boolean {
    const isSilent = nowMs - beatMs > LEASE_SILENCE_MS;
    return !isSilent && (host !== hostname() || isAlive(pid));
  }
}
