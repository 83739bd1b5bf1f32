import type { LookTables } from '../files/kept-looks.js';
import { ROWS_VERSION } from '../thread-store.js';
import type { Sqlite } from './database.js';

/** Raised when looks are of another shape: those of another version are not read. */
const LOOKS_VERSION = 1;
/** What a look tells comes from players and folds, so it counts no longer than rows do. Kinds of before there were versions begin with a slash. */
const PREFIX = `${LOOKS_VERSION}.${ROWS_VERSION}/`;
/** From here on kinds are of other versions again: `0` follows `/`. */
const PREFIX_END = `${LOOKS_VERSION}.${ROWS_VERSION}0`;

/** A table of looks at files that outlives the process: read as it is asked for, written by `save`. */
class StoredMap extends Map<string, unknown> {
  readonly #read: (key: string) => string | undefined;
  readonly #fresh = new Set<string>();
  readonly #asked = new Set<string>();

  constructor(read: (key: string) => string | undefined) {
    super();
    this.#read = read;
  }

  override get(key: string): unknown {
    if (!super.has(key) && !this.#asked.has(key)) {
      const text = this.#read(key);
      if (text !== undefined) super.set(key, JSON.parse(text));
    }
    this.#asked.add(key);
    return super.get(key);
  }

  override set(key: string, value: unknown): this {
    this.#fresh?.add(key);
    return super.set(key, value);
  }

  /** What was set since the last call, and what was asked for. */
  drain(): { readonly fresh: [string, unknown][]; readonly asked: ReadonlySet<string> } {
    const fresh = [...this.#fresh].map((key): [string, unknown] => [key, super.get(key)]);
    const asked = new Set(this.#asked);
    this.#fresh.clear();
    this.#asked.clear();
    return { fresh, asked };
  }
}

/** Looks that a shelf keeps between calls (`Known`), as tables of the database. */
export class StoredLooks {
  readonly #db: Sqlite;
  readonly #maps = new Map<string, StoredMap>();

  constructor(db: Sqlite) {
    this.#db = db;
  }

  /** The same tables, each kept: every map in `known` is replaced. */
  over<K extends LookTables<K>>(known: K): K {
    return this.#replaced(known, '') as K;
  }

  #replaced(value: unknown, kind: string): unknown {
    if (value instanceof Map) return this.#map(`${PREFIX}${kind}`);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, this.#replaced(inner, kind === '' ? key : `${kind}/${key}`)]));
  }

  #map(kind: string): StoredMap {
    const read = this.#db.prepare<[string, string], { look: string }>('SELECT look FROM looks WHERE kind = ? AND key = ?');
    const map = new StoredMap((key) => read.get(kind, key)?.look);
    this.#maps.set(kind, map);
    return map;
  }

  /** Writes what is new, and drops what nobody asked for since the last time: its file is gone. Inside a transaction of the caller's. */
  save(): void {
    const insert = this.#db.prepare('INSERT OR REPLACE INTO looks (kind, key, look) VALUES (?, ?, ?)');
    const remove = this.#db.prepare('DELETE FROM looks WHERE kind = ? AND key = ?');
    this.#db.prepare('DELETE FROM looks WHERE kind < ? OR kind >= ?').run(PREFIX, PREFIX_END);
    for (const [kind, map] of this.#maps) {
      const { fresh, asked } = map.drain();
      for (const [key, look] of fresh) insert.run(kind, key, JSON.stringify(look));
      for (const { key } of this.#db.prepare<[string], { key: string }>('SELECT key FROM looks WHERE kind = ?').all(kind)) {
        if (asked.has(key)) continue;
        remove.run(kind, key);
        map.delete(key);
      }
    }
  }
}
