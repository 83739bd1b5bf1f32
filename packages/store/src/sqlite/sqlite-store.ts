import type { KeptRows, Thread } from '@tapefold/threads';
import type { HistoryCheckpoint, HistoryDump, HistoryEntry, HistoryId, HistoryOf, HistoryState, HistoryWrite, LeaseHolder, ListedThread, StoredThread, ThreadEntry, ThreadStore } from '../thread-store.js';
import type { PlayStart, StartQuery } from '../rows/play-start.js';
import type { OutlineBlock } from '../rows/outline.js';
import { Positions } from '../rows/positions.js';
import { decodeRecords } from '../rows/record-blocks.js';
import { ROWS_VERSION } from '../thread-store.js';
import { type OpenOptions, type Sqlite, clearRows, guarded, openDatabase } from './database.js';
import { HistoryRowsReader, type ReadQueries } from './history-rows.js';
import { READERS_KEPT } from './limits.js';
import { Lease } from './lease.js';
import { loadRows } from './load-rows.js';
import type { ItemRecord } from './item-record.js';
import { ITEM_COLUMNS, ITEM_COLUMNS_WITH_PAST, type PlainRecord, type RowFinds, TURN_COLUMNS, type TurnRecord, createRowQueries, itemOf, noticeOf, realtimeOf, sharedRows, stepOf, turnOf } from './row-queries.js';
import { SearchCompanion } from '../search/search-companion.js';
import { differentTexts } from '../search/verify-texts.js';
import { differentColumns } from './different-columns.js';
import { OutlineRows } from './outline-rows.js';
import { RecordQueries } from './records-reader.js';
import { SqliteHistory } from './sqlite-history.js';
import type { StoredLooks } from './stored-looks.js';
import { ThreadList } from './thread-list.js';
import { TurnMaps } from './turn-maps.js';
import { TurnTexts } from '../turn-texts/turn-texts.js';
import type { MapInUse, StoredTurnMap, TurnMap } from '../turn-map/turn-map.js';
import type { RowCompanion } from './row-companion.js';
import { createScans } from './row-scans.js';
import type { RowTable } from './schema.js';
import { SharedSpans } from './shared-spans.js';
import { allRows, sharedView } from './shared-view.js';
import { RowWriter } from './write-rows.js';

/** How a store is opened. */
export interface SqliteStoreOptions extends OpenOptions {
  readonly nowMs: () => number;
  readonly companions?: ((db: Sqlite) => readonly RowCompanion[]) | undefined;
}

interface HistoryRecord { readonly id: number; readonly name: string; readonly generation: number; readonly version: number; readonly rows_version: number; readonly state: string; readonly player: string | null }

const ENTRY_COLUMNS = 'id, name, generation, version, rows_version, state';

function entryOf({ id, name, generation, version, rows_version: rowsVersion, state }: Omit<HistoryRecord, 'player'>, spans: SharedSpans): HistoryEntry {
  return { id, name, generation, version, rowsVersion, state: JSON.parse(state) as HistoryState, shared: spans.of(id) };
}

/** Every statement that a store needs: preparing them is the first look at a database that may be broken. */
function prepared(db: Sqlite, { companions, nowMs }: SqliteStoreOptions) {
  const shared = new SharedSpans(db);
  const turnTexts = new TurnTexts(db, nowMs);
  return {
    rows: createRowQueries(db, ITEM_COLUMNS), loads: createRowQueries(db, ITEM_COLUMNS_WITH_PAST), writer: new RowWriter(db, shared), records: new RecordQueries(db), scans: createScans(db), list: new ThreadList(db), maps: new TurnMaps(db), outlines: new OutlineRows(db, shared), shared, turnTexts,
    named: db.prepare<[string], { readonly id: number; readonly generation: number; readonly version: number }>('SELECT id, generation, version FROM histories WHERE name = ?'), companions: [new SearchCompanion(db), turnTexts, ...(companions?.(db) ?? [])] satisfies readonly RowCompanion[],
  };
}

/** Rows in one SQLite file. All work is done when a promise is handed out: SQLite is synchronous. */
export class SqliteStore implements ThreadStore {
  readonly db: Sqlite;
  readonly path: string;
  readonly lease: Lease;
  /** Which rows of which histories stand with another one. */
  readonly shared: SharedSpans;
  /** Texts of the turns of large histories. */
  readonly turnTexts: TurnTexts;
  readonly #loads: RowFinds;
  readonly #read: ReadQueries;
  readonly #readers = new Map<string, HistoryRowsReader>();
  readonly #writer: RowWriter;
  readonly #companions: readonly RowCompanion[];
  readonly #list: ThreadList;
  readonly #maps: TurnMaps;
  readonly #outlines: OutlineRows;
  readonly #named: ReturnType<typeof prepared>['named'];

  constructor(path: string, options: SqliteStoreOptions) {
    this.path = path;
    this.db = openDatabase(path, options);
    this.lease = new Lease(this.db, options.nowMs);
    const { rows, loads, writer, records, scans, companions, list, maps, outlines, named, shared, turnTexts } = guarded(path, () => prepared(this.db, options));
    this.#loads = loads;
    this.#writer = writer;
    this.#read = { db: this.db, path, rows, records, scans, shared, turnTexts };
    this.shared = shared;
    this.turnTexts = turnTexts;
    this.#companions = companions;
    this.#list = list;
    this.#maps = maps;
    this.#outlines = outlines;
    this.#named = named;
  }

  /** One transaction of the holder of the lease. */
  #write<T>(run: () => T): T {
    return guarded(this.path, () => this.db.transaction(() => {
      this.lease.check();
      return run();
    }).immediate());
  }

  /** The same for what is made of the rows. Throws `StoreError`. */
  writing<T>(run: () => T): T {
    return this.#write(run);
  }

  async acquire(): Promise<LeaseHolder | undefined> {
    return guarded(this.path, () => this.lease.acquire());
  }

  async release(): Promise<void> {
    guarded(this.path, () => this.lease.release());
  }

  async histories(): Promise<readonly HistoryEntry[]> {
    return guarded(this.path, () => this.db.prepare<[], HistoryRecord>(`SELECT ${ENTRY_COLUMNS} FROM histories`).all().map((record) => entryOf(record, this.shared)));
  }

  async entry(name: string): Promise<HistoryEntry | undefined> {
    return guarded(this.path, () => this.#entry(name));
  }

  #entry(name: string): HistoryEntry | undefined {
    const record = this.db.prepare<[string], HistoryRecord>(`SELECT ${ENTRY_COLUMNS} FROM histories WHERE name = ?`).get(name);
    return record && entryOf(record, this.shared);
  }

  async outline(name: string): Promise<{ readonly entry: HistoryEntry; readonly blocks: readonly OutlineBlock[] } | undefined> {
    return guarded(this.path, () => this.db.transaction(() => {
      const entry = this.#entry(name);
      return entry && { entry, blocks: this.#outlines.blocks(entry.id) };
    })());
  }

  async lastOutline(id: HistoryId): Promise<OutlineBlock | undefined> {
    return guarded(this.path, () => this.#outlines.last(id));
  }

  async startAt(id: HistoryId, query: StartQuery): Promise<PlayStart | undefined> {
    return guarded(this.path, () => this.#outlines.startAt(id, query));
  }

  async checkpoint(name: string): Promise<HistoryCheckpoint | undefined> {
    return guarded(this.path, () => this.#checkpoint(name));
  }

  #checkpoint(name: string): HistoryCheckpoint | undefined {
    const record = this.db.prepare<[string], HistoryRecord>(`SELECT ${ENTRY_COLUMNS}, player FROM histories WHERE name = ?`).get(name);
    return record && { ...entryOf(record, this.shared), player: record.player };
  }

  async rows(id: HistoryId, wanted: Parameters<ThreadStore['rows']>[1]): Promise<KeptRows> {
    return guarded(this.path, () => loadRows(sharedRows(this.#loads, sharedView(this.shared, id)), id, wanted));
  }

  async dump(name: string): Promise<HistoryDump | undefined> {
    return guarded(this.path, () => this.db.transaction(() => {
      const checkpoint = this.#checkpoint(name);
      return checkpoint && { checkpoint, ...this.#rowsOf(checkpoint) };
    })());
  }

  #rowsOf({ id, state }: HistoryCheckpoint): Omit<HistoryDump, 'checkpoint'> {
    const positions = new Positions(state.head.offsets);
    const all = <R extends { readonly id: number }>(table: RowTable, columns: string): R[] => allRows<R>(this, id, { table, columns });
    return {
      turns: all<TurnRecord>('turns', TURN_COLUMNS).map((record) => turnOf(record, positions)), items: all<ItemRecord>('items', ITEM_COLUMNS_WITH_PAST).map((record) => itemOf(record, positions)),
      steps: all<PlainRecord>('steps', 'id, state').map((record) => stepOf(record, positions)), notices: all<PlainRecord>('notices', 'id, state').map((record) => noticeOf(record, positions)),
      realtime: all<PlainRecord>('realtime', 'id, state').map((record) => realtimeOf(record, positions)), records: all<{ id: number; list: string }>('records', 'id, list').map(({ list }) => decodeRecords(list)),
      outline: this.#outlines.blocks(id), starts: this.#outlines.starts(id),
    };
  }

  async commit(write: HistoryWrite): Promise<HistoryId> {
    return this.#write(() => {
      const id = this.#saveHistory(write);
      const items = this.#writer.write(id, write);
      for (const companion of this.#companions) companion.wrote(id, items, write.state);
      return id;
    });
  }

  #saveHistory({ name, isNew, state, player }: HistoryWrite): HistoryId {
    const known = this.db.prepare<[string], { id: number }>('SELECT id FROM histories WHERE name = ?').get(name);
    if (!known) {
      const made = this.db.prepare('INSERT INTO histories (name, generation, version, rows_version, state, player) VALUES (?, 0, 0, ?, ?, ?)').run(name, ROWS_VERSION, JSON.stringify(state), player);
      return Number(made.lastInsertRowid);
    }
    if (isNew) this.#clear(known.id);
    this.db.prepare('UPDATE histories SET generation = generation + ?, version = version + 1, rows_version = ?, state = ?, player = ? WHERE id = ?')
      .run(Number(isNew), ROWS_VERSION, JSON.stringify(state), player, known.id);
    return known.id;
  }

  /** Removes the rows of a history, and those of the histories that share them: these are to be built anew, and are other ones for whoever reads them. */
  #clear(id: HistoryId): void {
    for (const { fork } of this.shared.forksOf(id)) {
      this.#clear(fork);
      this.db.prepare('UPDATE histories SET generation = generation + 1, version = version + 1, rows_version = 0, player = NULL WHERE id = ?').run(fork);
    }
    for (const companion of this.#companions) companion.cleared(id);
    this.#writer.clear(id);
  }

  async drop(names: readonly string[]): Promise<void> {
    for (const name of names) {
      this.#write(() => {
        const known = this.db.prepare<[string], { id: number }>('SELECT id FROM histories WHERE name = ?').get(name);
        if (!known) return;
        this.#clear(known.id);
        this.db.prepare('DELETE FROM histories WHERE id = ?').run(known.id);
      });
    }
  }

  async turnMap(name: string): Promise<StoredTurnMap | undefined> {
    return guarded(this.path, () => this.#maps.named(name));
  }

  async mapped(): Promise<readonly MapInUse[]> {
    return guarded(this.path, () => this.#maps.all());
  }

  async setMapIdle(name: string, sinceMs: number | null): Promise<void> {
    this.#write(() => this.#maps.setIdle(name, sinceMs));
  }

  async setTurnMap(name: string, map: TurnMap | undefined): Promise<void> {
    this.#write(() => this.#maps.replace(name, map));
  }

  async threads(scope: string): Promise<readonly ListedThread[] | undefined> {
    return guarded(this.path, () => this.#list.all(scope));
  }

  async thread(scope: string, id: string): Promise<StoredThread | undefined> {
    return guarded(this.path, () => this.#list.one(scope, id));
  }

  async setThreads(scope: string, threads: readonly ThreadEntry[]): Promise<void> {
    this.#write(() => this.#list.replace(scope, threads));
  }

  async setObject(name: string, object: Thread): Promise<void> {
    this.#write(() => this.#list.setObject(name, object));
  }

  /** Keeps what the last looks at files told. */
  async saveLooks(looks: StoredLooks): Promise<void> {
    this.#write(() => looks.save());
  }

  async clear(): Promise<void> {
    this.#write(() => {
      for (const { id } of this.db.prepare<[], { id: number }>('SELECT id FROM histories').all()) for (const companion of this.#companions) companion.cleared(id);
      clearRows(this.db);
    });
  }

  async open(name: string, { thread, readPiece }: HistoryOf): Promise<{ readonly history: SqliteHistory; readonly stamp: string } | undefined> {
    const known = guarded(this.path, () => this.#named.get(name));
    return known && { stamp: `${known.id} ${known.generation} ${known.version}`, history: new SqliteHistory({ thread, readPiece, rows: this.#reader(known, thread.id) }) };
  }

  /** Rows are found by what they say, and texts in the search index are theirs. */
  async misfit(dump: HistoryDump): Promise<string | undefined> {
    const { checkpoint: { id, name, state, version }, items } = dump;
    return guarded(this.path, () => this.db.transaction(() => {
      if (this.#entry(name)?.version !== version) return undefined;
      return differentColumns(this, dump) ?? differentTexts(this, id, { items, segments: state.segments });
    })());
  }

  #reader({ id, generation }: { readonly id: number; readonly generation: number }, threadId: string): HistoryRowsReader {
    const key = `${id} ${generation}`;
    const rows = this.#readers.get(key) ?? new HistoryRowsReader(this.#read, { id, generation, threadId });
    this.#readers.delete(key);
    this.#readers.set(key, rows);
    if (this.#readers.size > READERS_KEPT) this.#readers.delete(this.#readers.keys().next().value as string);
    return rows;
  }

  /** A history whose turns are to be written as text by now. */
  waitingTurns(nowMs: number): HistoryId | undefined {
    return guarded(this.path, () => this.turnTexts.waiting(nowMs));
  }

  /** Whether SQLite finds nothing wrong with the file: reads all of it. */
  isSound(): boolean {
    try {
      return this.db.pragma('quick_check(1)', { simple: true }) === 'ok';
    } catch {
      return false;
    }
  }

  /** The rows of a history; undefined where it is gone. */
  rowsOf(id: HistoryId, threadId: string): HistoryRowsReader | undefined {
    const known = guarded(this.path, () => this.db.prepare<[number], { id: number; generation: number }>('SELECT id, generation FROM histories WHERE id = ?').get(id));
    return known && this.#reader(known, threadId);
  }

  async close(): Promise<void> {
    this.db.close();
  }
}
