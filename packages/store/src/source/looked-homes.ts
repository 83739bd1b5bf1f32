import { type Known, nothingKnown, readShelves } from '../files/shelves.js';
import { type IndexResult, type IndexRun, indexHomes } from '../indexing/indexer.js';
import type { SqliteStore } from '../sqlite/sqlite-store.js';
import { StoredLooks } from '../sqlite/stored-looks.js';

/** The homes as an indexer sees them: what it looked up in their files outlives it in the store, and is not looked up again while the files are the same. */
export class LookedHomes {
  readonly #store: SqliteStore;
  readonly #looks: StoredLooks;
  readonly #known: Known;
  #wereFound = false;

  constructor(store: SqliteStore) {
    this.#store = store;
    this.#looks = new StoredLooks(store.db);
    this.#known = this.#looks.over(nothingKnown());
  }

  /** One pass over the homes. A home that is not there is a `StoreError` of the first pass, and a problem of later ones. Needs the right to write. */
  async index(run: Omit<IndexRun, 'store' | 'shelves'>): Promise<IndexResult> {
    const shelves = await readShelves(run.homes, { known: this.#known, mayBeAway: this.#wereFound });
    this.#wereFound = true;
    const result = await indexHomes({ ...run, store: this.#store, shelves });
    await this.#store.saveLooks(this.#looks);
    return result;
  }
}
