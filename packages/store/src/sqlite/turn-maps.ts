import type { Statement } from 'better-sqlite3';
import { StoreError } from '../errors.js';
import { ROWS_VERSION } from '../thread-store.js';
import type { MapInUse, StoredTurnMap, Stretch, TurnMap, TurnMapState } from '../turn-map/turn-map.js';
import type { Sqlite } from './database.js';

interface MapRecord { readonly id: number; readonly rows_version: number; readonly state: string }
interface MarkRecord { readonly ordinal: number; readonly byte: number }

const MARK = 'SELECT ordinal, byte FROM map_turns WHERE map = ?';

function prepared(db: Sqlite) {
  const mark = (where: string): Statement<[number, number], MarkRecord> => db.prepare<[number, number], MarkRecord>(`${MARK} AND ${where} LIMIT 1`);
  return {
    map: db.prepare<[string], MapRecord>('SELECT id, rows_version, state FROM maps WHERE name = ?'), ofId: db.prepare<[number, string], MarkRecord>(`${MARK} AND turn_id = ? ORDER BY ordinal`), first: db.prepare<[number], MarkRecord>(`${MARK} ORDER BY ordinal LIMIT 1`),
    upTo: mark('is_start = 1 AND ordinal <= ? ORDER BY ordinal DESC'), behind: mark('is_start = 1 AND ordinal > ? ORDER BY ordinal'), before: mark('is_start = 1 AND ordinal < ? ORDER BY ordinal DESC'),
    fromByte: mark('byte >= ? ORDER BY ordinal'),
  };
}

/** One map: each look is a query. */
class SqliteTurnMap implements StoredTurnMap {
  readonly stamp: string;
  readonly rowsVersion: number;
  readonly state: TurnMapState;
  readonly #id: number;
  readonly #find: ReturnType<typeof prepared>;

  constructor({ id, rows_version: rowsVersion, state }: MapRecord, find: ReturnType<typeof prepared>) {
    this.stamp = `map ${id}`;
    this.rowsVersion = rowsVersion;
    this.state = JSON.parse(state) as TurnMapState;
    this.#id = id;
    this.#find = find;
  }

  /** The first stretch of a file begins with it, and its last one ends with it. */
  #stretch({ ordinal, byte }: MarkRecord): Stretch {
    const { files } = this.state;
    const file = files.filter(({ from }) => from <= byte).length - 1;
    const { from: base = 0, to: end = 0, firstOrdinal } = files[file] ?? {};
    const next = this.#find.behind.get(this.#id, ordinal)?.byte;
    // The map may have gone between two looks.
    if (next === undefined && ordinal !== this.state.ordinals[1]) throw new StoreError('rewritten');
    const position = ordinal === firstOrdinal ? base : byte;
    return { ordinal, file, from: position - base, to: Math.min(next ?? end, end) - base, position };
  }

  #first(): MarkRecord {
    const first = this.#find.first.get(this.#id);
    if (!first) throw new StoreError('rewritten');
    return first;
  }

  stretchAt(ordinal: number): Stretch {
    return this.#stretch(this.#find.upTo.get(this.#id, ordinal) ?? this.#first());
  }

  nextTo(stretch: Stretch, side: 'behind' | 'before'): Stretch | undefined {
    const [first, last] = this.state.ordinals;
    if (stretch.ordinal === (side === 'behind' ? last : first)) return undefined;
    const next = this.#find[side].get(this.#id, stretch.ordinal);
    if (!next) throw new StoreError('rewritten');
    return this.#stretch(next);
  }

  stretchesOf(turnId: string): Stretch[] {
    const stretches = this.#find.ofId.all(this.#id, turnId).map(({ ordinal }) => this.stretchAt(ordinal));
    this.#first();
    return stretches.filter(({ position }, i) => position !== stretches[i - 1]?.position);
  }

  ordinalFrom(offset: number): number | undefined {
    return this.#find.fromByte.get(this.#id, offset)?.ordinal;
  }
}

/** Maps of large session files. */
export class TurnMaps {
  readonly #db: Sqlite;
  readonly #find: ReturnType<typeof prepared>;

  constructor(db: Sqlite) {
    this.#db = db;
    this.#find = prepared(db);
  }

  named(name: string): StoredTurnMap | undefined {
    const record = this.#find.map.get(name);
    return record && new SqliteTurnMap(record, this.#find);
  }

  all(): MapInUse[] {
    return this.#db.prepare<[], { name: string; idle_since_ms: number | null }>('SELECT name, idle_since_ms FROM maps').all().map(({ name, idle_since_ms: idleSinceMs }) => ({ name, idleSinceMs }));
  }

  /** Notes since when a map is not needed; null: it is. Inside a transaction of the caller's. */
  setIdle(name: string, sinceMs: number | null): void {
    this.#db.prepare('UPDATE maps SET idle_since_ms = ? WHERE name = ?').run(sinceMs, name);
  }

  /** Removes a map, and puts another one in its place where one is given. Inside a transaction of the caller's. */
  replace(name: string, map: TurnMap | undefined): void {
    this.#db.prepare('DELETE FROM map_turns WHERE map IN (SELECT id FROM maps WHERE name = ?)').run(name);
    this.#db.prepare('DELETE FROM maps WHERE name = ?').run(name);
    if (!map) return;
    const id = this.#db.prepare('INSERT INTO maps (name, rows_version, state) VALUES (?, ?, ?)').run(name, ROWS_VERSION, JSON.stringify(map.state)).lastInsertRowid;
    const insert = this.#db.prepare('INSERT INTO map_turns (map, ordinal, byte, is_start, turn_id) VALUES (?, ?, ?, ?, ?)');
    for (const mark of map.marks) insert.run(id, mark.ordinal, mark.offset, Number(mark.isStart), mark.id);
  }
}
