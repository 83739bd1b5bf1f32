import { type NumberedBatch, type TranscriptOperation, TRANSCRIPT_OPS_JOURNAL_CAPACITY } from '@tapefold/transcript';
import type Database from 'better-sqlite3';
import { randomUUID } from 'node:crypto';
import { type OpenOptions, type Sqlite, guarded, openDatabase } from '../sqlite/database.js';
import type { LiveAgentRef, LiveEnd, LiveLog, LiveNumbers } from './live-log.js';
import { liveLogSchema } from './schema.js';

/** Batches that wait in memory to be written together, at most: a transaction each would make the disk the pace of every stream. */
const WAITING_BATCHES = 64;

interface NumberRow { readonly epoch: string; readonly reserved: number; readonly last: number | null; readonly state: string | null }
interface BatchRow { readonly seq: number; readonly ops: string | null }

/** Text that streams is not kept: the upserts of the finished state say it, and for who needs more the catch-up is incomplete. */
const isKept = ({ ops }: NumberedBatch): boolean => ops.every(({ op }) => op !== 'append');

/** The live log as a database of its own, at `path`. Throws what `openDatabase` throws. */
export function openLiveLog(path: string, options: Pick<OpenOptions, 'maxPages'> = {}): LiveLog {
  const db = openDatabase(path, { ...options, schema: liveLogSchema, isDurable: true });
  return guarded(path, () => new SqliteLiveLog(db, path));
}

class SqliteLiveLog implements LiveLog {
  readonly #db: Sqlite;
  readonly #path: string;
  readonly #waiting: { readonly agent: LiveAgentRef; readonly batch: NumberedBatch }[] = [];
  readonly #find: Database.Statement<[string, string], NumberRow>;
  readonly #set: Database.Statement<[string, string, string, number, number | null, string | null]>;
  readonly #add: Database.Statement<[string, string, number, string | null]>;
  readonly #trim: Database.Statement<[string, string, number]>;
  readonly #empty: Database.Statement<[string, string]>;
  readonly #newest: Database.Statement<[string, string], BatchRow>;

  constructor(db: Sqlite, path: string) {
    this.#db = db;
    this.#path = path;
    this.#find = db.prepare('SELECT epoch, reserved, last, state FROM numbers WHERE session = ? AND agent = ?');
    this.#set = db.prepare('INSERT INTO numbers (session, agent, epoch, reserved, last, state) VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET epoch = excluded.epoch, reserved = excluded.reserved, last = excluded.last, state = excluded.state');
    this.#add = db.prepare('INSERT OR REPLACE INTO batches (session, agent, seq, ops) VALUES (?, ?, ?, ?)');
    this.#trim = db.prepare('DELETE FROM batches WHERE session = ? AND agent = ? AND seq <= ?');
    this.#empty = db.prepare('DELETE FROM batches WHERE session = ? AND agent = ?');
    this.#newest = db.prepare('SELECT seq, ops FROM batches WHERE session = ? AND agent = ? ORDER BY seq DESC');
  }

  begin(agent: LiveAgentRef, { isNewEpoch = false }: { readonly isNewEpoch?: boolean | undefined } = {}): LiveNumbers {
    return this.#write(() => {
      const { sessionId, agentId } = agent;
      const row = this.#find.get(sessionId, agentId);
      const isClean = row !== undefined && row.last !== null && row.state !== null && !isNewEpoch;
      // Above every number that a reader may have: one that holds the last of them has none of what begins now.
      const after = row === undefined ? 0 : isClean ? row.last ?? 0 : row.reserved + 1;
      const epoch = isClean ? row.epoch : randomUUID();
      // Until the next clean stop nothing says which numbers were used.
      this.#set.run(sessionId, agentId, epoch, after, null, null);
      if (!isClean) this.#empty.run(sessionId, agentId);
      return isClean ? { epoch, after, kept: this.#kept(agent, after), state: row.state ?? undefined } : { epoch, after, kept: [] };
    });
  }

  reserve({ sessionId, agentId }: LiveAgentRef, seq: number): void {
    this.#write(() => {
      const row = this.#find.get(sessionId, agentId);
      if (row && row.reserved < seq) this.#set.run(sessionId, agentId, row.epoch, seq, null, null);
    });
  }

  keep(agent: LiveAgentRef, batch: NumberedBatch): void {
    this.#waiting.push({ agent, batch });
    if (this.#waiting.length >= WAITING_BATCHES) this.#flush();
  }

  end({ sessionId, agentId }: LiveAgentRef, { seq, state }: LiveEnd): void {
    this.#flush();
    this.#write(() => {
      const row = this.#find.get(sessionId, agentId);
      if (row) this.#set.run(sessionId, agentId, row.epoch, Math.max(row.reserved, seq), seq, state);
    });
  }

  forget(sessionId: string): void {
    this.#flush();
    this.#write(() => {
      this.#db.prepare('DELETE FROM numbers WHERE session = ?').run(sessionId);
      this.#db.prepare('DELETE FROM batches WHERE session = ?').run(sessionId);
    });
  }

  close(): void {
    this.#flush();
    this.#db.close();
  }

  /** From the newest back to the first that was not kept. */
  #kept({ sessionId, agentId }: LiveAgentRef, after: number): readonly NumberedBatch[] {
    const kept: NumberedBatch[] = [];
    for (const { seq, ops } of this.#newest.all(sessionId, agentId)) {
      if (ops === null || seq !== after - kept.length) break;
      // Written by `keep` and by nothing else.
      kept.push({ seq, ops: JSON.parse(ops) as readonly TranscriptOperation[] });
    }
    return kept.reverse();
  }

  /** Batches that cannot be written are given up: they only spare a reader a reset. */
  #flush(): void {
    const waiting = this.#waiting.splice(0);
    if (waiting.length === 0) return;
    this.#write(() => {
      for (const { agent: { sessionId, agentId }, batch } of waiting) {
        this.#add.run(sessionId, agentId, batch.seq, isKept(batch) ? JSON.stringify(batch.ops) : null);
        this.#trim.run(sessionId, agentId, batch.seq - TRANSCRIPT_OPS_JOURNAL_CAPACITY);
      }
    });
  }

  #write<T>(run: () => T): T {
    return guarded(this.#path, () => this.#db.transaction(run).immediate());
  }
}
