import Database from 'better-sqlite3';
import { chmodSync, existsSync, mkdirSync, openSync, closeSync } from 'node:fs';
import { dirname } from 'node:path';
import { StoreError } from '../errors.js';
import { BUSY_MS, CACHE_KIB, WAL_PAGES } from './limits.js';
import { OLDEST_UPGRADABLE, ROLLBACK_FLOOR, SCHEMA_VERSION, rowTables, upgrades } from './schema.js';

/** An open database of this schema. */
export type Sqlite = Database.Database;

/** What SQLite's own errors mean for whoever asked. */
export function storeErrorOf(cause: unknown, path: string): unknown {
  if (!(cause instanceof Database.SqliteError)) return cause;
  const { code } = cause;
  if (code.startsWith('SQLITE_FULL')) return new StoreError('storeFull', { path, cause });
  if (code.startsWith('SQLITE_CORRUPT') || code.startsWith('SQLITE_NOTADB')) return new StoreError('storeDamaged', { path, cause });
  if (code.startsWith('SQLITE_BUSY') || code.startsWith('SQLITE_LOCKED')) return new StoreError('storeBusy', { path, cause });
  if (code.startsWith('SQLITE_IOERR') || code.startsWith('SQLITE_CANTOPEN') || code.startsWith('SQLITE_READONLY')) return new StoreError('storeUnusable', { path, cause });
  return cause;
}

/** Runs something over the database; its errors are `StoreError`s. */
export function guarded<T>(path: string, run: () => T): T {
  try {
    return run();
  } catch (cause) {
    throw storeErrorOf(cause, path);
  }
}

function privateFile(path: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  // SQLite gives its side files (-wal, -shm) the mode of the main one, so that comes first.
  if (!existsSync(path)) closeSync(openSync(path, 'a', 0o600));
  chmodSync(path, 0o600);
}

const versionOf = (db: Sqlite): number => db.pragma('user_version', { simple: true }) as number;

/** A schema and the way to it: `upgrades[n]` leads from version n to n + 1. */
export interface DatabaseSchema {
  readonly version: number;
  /** An older database cannot be upgraded and is made anew. */
  readonly oldestUpgradable: number;
  /** The oldest version whose programs can go on with a database of this one. */
  readonly rollbackFloor: number;
  readonly upgrades: readonly string[];
}

const rowSchema: DatabaseSchema = { version: SCHEMA_VERSION, oldestUpgradable: OLDEST_UPGRADABLE, rollbackFloor: ROLLBACK_FLOOR, upgrades };

const hasFloor = (db: Sqlite): boolean => db.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'rollback_floor'").get() !== undefined;

/** Whether a newer program said that ones of this schema can go on with what it made. */
function canGoOn(db: Sqlite, { version }: DatabaseSchema): boolean {
  return hasFloor(db) && (db.prepare<[], number>('SELECT floor FROM rollback_floor').pluck().get() ?? Infinity) <= version;
}

function setFloor(db: Sqlite, floor: number): void {
  db.exec('CREATE TABLE IF NOT EXISTS rollback_floor (id INTEGER PRIMARY KEY CHECK (id = 1), floor INTEGER NOT NULL)');
  db.prepare('INSERT OR REPLACE INTO rollback_floor (id, floor) VALUES (1, ?)').run(floor);
}

function upgrade(db: Sqlite, path: string, schema: DatabaseSchema): void {
  db.transaction(() => {
    const from = versionOf(db);
    if (from === schema.version || (from > schema.version && canGoOn(db, schema))) return;
    if (from > schema.version) throw new StoreError('storeTooNew', { path });
    if (from !== 0 && from < schema.oldestUpgradable) throw new StoreError('storeDamaged', { path, cause: new Error(`its schema ${from} is older than any that can be upgraded`) });
    for (const step of schema.upgrades.slice(from)) db.exec(step);
    setFloor(db, schema.rollbackFloor);
    db.pragma(`user_version = ${schema.version}`);
  }).immediate();
}

/** How a database is opened. `maxPages`: refuse to grow beyond (for tests of a full disk). */
export interface OpenOptions {
  readonly maxPages?: number | undefined;
  /** What the database holds; absent: rows. */
  readonly schema?: DatabaseSchema | undefined;
  /** Every commit is on the disk when it returns. */
  readonly isDurable?: boolean | undefined;
}

/**
 * Opens the database of a store, made or upgraded where it has to be. Throws `StoreError`: `storeTooNew`, `storeDamaged` (no database, or a broken one),
 * `storeFull`, `storeUnusable`.
 */
export function openDatabase(path: string, { maxPages, schema = rowSchema, isDurable = false }: OpenOptions = {}): Sqlite {
  return guarded(path, () => {
    try { privateFile(path); } catch (cause) { throw new StoreError('storeUnusable', { path, cause }); }
    const db = new Database(path, { timeout: BUSY_MS });
    try {
      db.pragma('journal_mode = WAL');
      // Rows are a cache: after a power cut a database without the last commits is as good. WAL keeps it whole all the same.
      db.pragma(`synchronous = ${isDurable ? 'FULL' : 'NORMAL'}`);
      db.pragma(`cache_size = -${CACHE_KIB}`);
      db.pragma(`wal_autocheckpoint = ${WAL_PAGES}`);
      db.pragma('temp_store = MEMORY');
      if (maxPages !== undefined) db.pragma(`max_page_count = ${maxPages}`);
      upgrade(db, path, schema);
      return db;
    } catch (cause) {
      db.close();
      throw cause;
    }
  });
}

/** Ids of histories begin again with an empty store once so many were given: row ids have room for about twice as many. */
const IDS_GIVEN = 500_000;

/** Removes every row. */
export function clearRows(db: Sqlite): void {
  db.prepare("DELETE FROM sqlite_sequence WHERE name = 'histories' AND seq > ?").run(IDS_GIVEN);
  for (const table of [...rowTables, 'shared', 'hidden', 'histories', 'threads', 'looks', 'maps', 'map_turns', 'turn_texts', 'turn_text_blocks']) db.exec(`DELETE FROM ${table}`);
}
