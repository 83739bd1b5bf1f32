import type { Statement } from 'better-sqlite3';
import type { Sqlite } from '../sqlite/database.js';
import { foldText } from './fold-text.js';
import type { SearchText } from './item-texts.js';
import type { TextTable } from './tables.js';
import { gramExpression, gramsFrom, indexed, isShort, matchExpression } from './trigrams.js';

/** Row ids of items, and whether they are all that the index has. */
export interface Named {
  readonly ids: readonly number[];
  readonly isAll: boolean;
}

/** Row ids from, and to before. */
export type IdRange = readonly [from: number, to: number];

/** Trigrams fetched at a time. */
const GRAMS_STEP = 64;

/** One full text: which items may hold terms. What it names is to be looked at; what it does not name holds them not. */
export class TextIndex {
  readonly #all: Statement<[string, number], number>;
  readonly #within: Statement<[string, bigint, bigint, number], number>;
  readonly #grams: Statement<[string, string, number], string>;
  readonly #write: Statement<[number, string]>;
  readonly #remove: Statement<[number]>;

  constructor(db: Sqlite, table: TextTable) {
    this.#all = db.prepare<[string, number], number>(`SELECT rowid FROM ${table} WHERE ${table} MATCH ? LIMIT ?`).pluck();
    // From the front, then sorted (hence the plus): to begin at a row id FTS5 skips pages of postings on its way forward, and hardly any on its way back.
    this.#within = db.prepare<[string, bigint, bigint, number], number>(`SELECT rowid FROM ${table} WHERE ${table} MATCH ? AND rowid >= ? AND rowid < ? ORDER BY +rowid DESC LIMIT ?`).pluck();
    this.#grams = db.prepare<[string, string, number], string>(`SELECT term FROM ${table}_grams WHERE term >= ? AND term < ? LIMIT ?`).pluck();
    this.#write = db.prepare<[number, string]>(`INSERT OR REPLACE INTO ${table} (rowid, text) VALUES (?, ?)`);
    this.#remove = db.prepare<[number]>(`DELETE FROM ${table} WHERE rowid = ?`);
  }

  /** Items that may hold all terms, the oldest row id first. */
  named(terms: readonly string[], limit: number): Named {
    const expression = matchExpression(terms);
    if (expression === undefined) return this.#short(terms, limit);
    const ids = this.#all.all(expression, limit + 1);
    return { ids: ids.slice(0, limit), isAll: ids.length <= limit };
  }

  /** Those within a range, the newest row id first; undefined where all terms are too short to ask so. */
  namedWithin(terms: readonly string[], [from, to]: IdRange, limit: number): Named | undefined {
    const expression = matchExpression(terms);
    if (expression === undefined) return undefined;
    // FTS5 goes by bounds that are integers alone, and a number is bound as a real one: all postings would be read for every range.
    const ids = this.#within.all(expression, BigInt(from), BigInt(to), limit + 1);
    return { ids: ids.slice(0, limit), isAll: ids.length <= limit };
  }

  /** By the trigrams that begin with a term; of several, the one that is rarest as a rule. */
  #short(terms: readonly string[], limit: number): Named {
    const bytes = (term: string): number => new TextEncoder().encode(term).length;
    const term = terms.filter(isShort).reduce((best, each) => (bytes(each) > bytes(best) ? each : best), '');
    const ids = new Set<number>();
    const [start, to] = gramsFrom(term);
    for (let from = start; ;) {
      const grams = this.#grams.all(from, to, GRAMS_STEP);
      for (const gram of grams) {
        for (const id of this.#all.all(gramExpression(gram), limit + 1)) ids.add(id);
        if (ids.size > limit) return { ids: [], isAll: false };
      }
      if (grams.length < GRAMS_STEP) return { ids: [...ids], isAll: true };
      from = `${grams.at(-1) ?? ''}\0`;
    }
  }

  /** Sets the texts of an item; none: the item is no longer in it. */
  write(id: number, texts: readonly Pick<SearchText, 'text'>[]): void {
    if (texts.length === 0) this.#remove.run(id);
    else this.#write.run(id, indexed(texts.map(({ text }) => foldText(text)).join(' ')));
  }
}
