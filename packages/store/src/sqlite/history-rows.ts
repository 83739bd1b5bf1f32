import { Buffer } from 'node:buffer';
import type { Statement } from 'better-sqlite3';
import type { FactKey } from '@tapefold/facts';
import { type HistoryItem, type HistoryTurn, type ItemRow, type RealtimeRow, type ThreadHead, type TurnRow, compareOrder, isOpenTurn, newestWord } from '@tapefold/threads';
import { StoreError } from '../errors.js';
import { Positions } from '../rows/positions.js';
import { ITEM_PLACE, faceOf } from '../rows/row-codec.js';
import type { HistoryState } from '../thread-store.js';
import { saidPositions } from '../search/said.js';
import { type Sqlite, guarded } from './database.js';
import { type EndedRecord, type HistoryFinds, type RowScans, sharedFinds } from './history-finds.js';
import { Leftovers } from './leftovers.js';
import { SCAN_FIRST_ROWS, SCAN_ROWS } from './limits.js';
import { orderKey, orderOfDigits } from './order-key.js';
import type { PackedItem } from './packed-items.js';
import { RecordsReader } from './records-reader.js';
import type { ItemRecord } from './item-record.js';
import { ITEM_COLUMNS, TURN_COLUMNS, type TurnRecord, itemOf, realtimeOf, turnOf } from './row-queries.js';
import { positionOf, rangeOf, rowIdOf } from './schema.js';
import { type Find, sharedView } from './shared-view.js';
import { type ShownItem, inOrder, shownRow } from './shown-items.js';
import type { SharedSpans } from './shared-spans.js';
import { type Span, isWithin, merged } from './span.js';

/** Prepared scans, and what is asked before. */
interface Scans extends RowScans {
  readonly version: Statement<[number], { generation: number; version: number }>;
  readonly state: Statement<[number], { state: string }>;
}

/** Prepared scans for readers. */
export function createScans(db: Sqlite): Scans {
  const turns = `SELECT ${TURN_COLUMNS} FROM turns WHERE id >= ? AND id < ? AND live = 1`;
  const items = `SELECT ${ITEM_COLUMNS} FROM items WHERE id >= ? AND id < ? AND place = ${ITEM_PLACE.shown} AND ord IS NULL`;
  const moved = `SELECT ${ITEM_COLUMNS} FROM items WHERE ord >= ? AND ord < ? AND place = ${ITEM_PLACE.shown}`;
  return {
    turnsUp: db.prepare<[number, number, number], TurnRecord>(`${turns} ORDER BY id LIMIT ?`),
    turnsDown: db.prepare<[number, number, number], TurnRecord>(`${turns} ORDER BY id DESC LIMIT ?`),
    endedDown: db.prepare<[number, number, number], EndedRecord>(`SELECT ${TURN_COLUMNS}, ended FROM turns WHERE ended >= ? AND ended < ? AND live = 1 ORDER BY ended DESC LIMIT ?`),
    itemsUp: db.prepare<[number, number, number], ItemRecord>(`${items} ORDER BY id LIMIT ?`),
    itemsDown: db.prepare<[number, number, number], ItemRecord>(`${items} ORDER BY id DESC LIMIT ?`),
    movedUp: db.prepare<[Buffer, Buffer, number], ItemRecord>(`${moved} ORDER BY ord LIMIT ?`),
    movedDown: db.prepare<[Buffer, Buffer, number], ItemRecord>(`${moved} ORDER BY ord DESC LIMIT ?`),
    waiting: db.prepare<[number, number], ItemRecord>(`SELECT ${ITEM_COLUMNS} FROM items WHERE id >= ? AND id < ? AND place = ${ITEM_PLACE.waiting}`),
    version: db.prepare<[number], { generation: number; version: number }>('SELECT generation, version FROM histories WHERE id = ?'),
    state: db.prepare<[number], { state: string }>('SELECT state FROM histories WHERE id = ?'),
  };
}

/** The highest position there is. */
const MAX_POSITION = 2 ** 33 - 2;

/** How many rows are fetched behind so many. */
const nextCount = (count: number): number => Math.min(Math.max(count * 2, SCAN_FIRST_ROWS), SCAN_ROWS);

/** The first key behind one: its prefix is the key, so that what nests below the key comes later still. */
const justBehind = (key: Buffer): Buffer => Buffer.concat([key, Buffer.from([0])]);

/** The statements that readers of one database share. */
export interface ReadQueries extends HistoryFinds {
  readonly db: Sqlite;
  readonly path: string;
  readonly scans: Scans;
  readonly shared: SharedSpans;
}

/** A turn, wherever it stands among the records: to find that out takes a look-up. */
export type TurnAnywhere = Omit<HistoryTurn, 'place'>;

const turnAt = (turn: TurnRow): TurnAnywhere => ({ id: turn.id, rows: { turn, items: [] }, phase: 'over' });

/** What was read of one state of a history, and holds until the next commit. */
interface Seen {
  readonly version: number;
  readonly state: HistoryState;
  readonly positions: Positions;
  readonly records: RecordsReader;
  readonly finds: HistoryFinds;
  leftovers?: Leftovers;
  turns: Map<number, TurnRow | null>;
  steps: Map<number, boolean>;
}

/**
 * The rows of one history as answers go through them: effective ones, in order, from any place on. Inside `snapshot` all of them are of one state. A history
 * that was rebuilt since is another one: `StoreError` (`rewritten`).
 */
export class HistoryRowsReader {
  readonly #queries: ReadQueries;
  readonly #id: number;
  readonly #generation: number;
  readonly #threadId: string;
  #seen: Seen | undefined;

  constructor(queries: ReadQueries, of: { readonly id: number; readonly generation: number; readonly threadId: string }) {
    this.#queries = queries;
    this.#id = of.id;
    this.#generation = of.generation;
    this.#threadId = of.threadId;
  }

  /** Runs something over one state of the rows. */
  snapshot<T>(run: () => T): T {
    return guarded(this.#queries.path, () => this.#queries.db.transaction(() => {
      this.#refresh();
      return run();
    })());
  }

  #refresh(): void {
    const now = this.#queries.scans.version.get(this.#id);
    if (now?.generation !== this.#generation) throw new StoreError('rewritten', { id: this.#threadId });
    if (this.#seen?.version === now.version) return;
    const state = JSON.parse(this.#queries.scans.state.get(this.#id)?.state ?? '') as HistoryState;
    const positions = new Positions(state.head.offsets);
    const finds = sharedFinds(this.#queries, sharedView(this.#queries.shared, this.#id));
    this.#seen = { version: now.version, state, positions, finds, records: new RecordsReader(finds.records, this.#id, { records: state.records, positions }), turns: new Map(), steps: new Map() };
  }

  #now(): Seen {
    if (!this.#seen) this.snapshot(() => undefined);
    return this.#seen as Seen;
  }

  get state(): HistoryState { return this.#now().state; }
  get head(): ThreadHead { return this.#now().state.head; }
  get records(): RecordsReader { return this.#now().records; }
  get #finds(): HistoryFinds { return this.#now().finds; }

  /** Effective turns that are shown, without items. */
  *turns(span: Span): Generator<HistoryTurn> {
    for (const turn of this.turnsAnywhere(span)) yield this.#placed(turn);
  }

  /** The same for who does not ask where they stand. */
  turnsAnywhere(span: Span): Iterable<TurnAnywhere> {
    const own = this.#leftovers().own.map(({ turn }) => this.withItems(turnAt(turn))).filter((turn) => isWithin([turn.rows.turn.position], span));
    return merged([this.#storedTurns(span), span.direction === 'asc' ? own : own.reverse()], span.direction);
  }

  *#storedTurns(span: Span): Generator<TurnAnywhere> {
    for (const row of this.#turnRows(span)) {
      const turn = this.#shownTurn(row);
      if (turn) yield turn;
    }
  }

  *#turnRows(span: Span): Generator<TurnRow> {
    const statement = span.direction === 'asc' ? this.#finds.scans.turnsUp : this.#finds.scans.turnsDown;
    for (const record of this.#scan(span, statement)) yield turnOf(record, this.#now().positions);
  }

  /** Effective turns that a record ended, the one that was ended last first, up to a position; without items. */
  endedTurns(upTo: number | undefined, limit: number): HistoryTurn[] {
    const [from, to] = rangeOf(this.#id);
    const end = upTo === undefined ? to : rowIdOf(this.#id, Math.min(upTo, MAX_POSITION)) + 1;
    return this.#finds.scans.endedDown.all(from, end, limit).map((record) => this.#placed(turnAt(turnOf(record, this.#now().positions))));
  }

  /** Row by row in a direction, a few fetched at a time. */
  *#scan<R extends { readonly id: number }>({ direction, bound, wanted }: Span, statement: Find<[number, number, number], R>): Generator<R> {
    let [from, to] = rangeOf(this.#id);
    if (bound) {
      const [first = 0, ...more] = bound.order;
      const at = rowIdOf(this.#id, Math.min(first, MAX_POSITION));
      // Rows of a scan stand at their positions: one that equals the bound's first number stands before what the bound nests below it.
      if (direction === 'asc') from = more.length === 0 && bound.isIncluded ? at : at + 1;
      else to = more.length > 0 || bound.isIncluded ? at + 1 : at;
    }
    for (let count = wanted ?? SCAN_FIRST_ROWS; ; count = nextCount(count)) {
      const batch = statement.all(from, to, count);
      yield* batch;
      const last = batch.at(-1);
      if (!last || batch.length < count) return;
      if (direction === 'asc') from = last.id + 1;
      else to = last.id;
    }
  }

  /** A turn that no record opened is there for what is in it: it comes with its items. */
  #shownTurn(row: TurnRow): TurnAnywhere | undefined {
    if (!row.isImplicit || newestWord(row.ends) !== undefined || newestWord(row.compactions) !== undefined) return turnAt(row);
    const turn = this.withItems(turnAt(row));
    return turn.rows.items.some(({ visibility }) => visibility === 'shown') ? turn : undefined;
  }

  #placed({ id, rows, phase }: TurnAnywhere): HistoryTurn {
    return { id, place: this.records.placeOf([rows.turn.position]), rows, phase };
  }

  /** A turn with its effective items, in order. */
  withItems<T extends TurnAnywhere>(turn: T): T {
    return { ...turn, rows: { turn: turn.rows.turn, items: this.#itemsOf(turn.rows.turn) } };
  }

  #itemsOf(turn: TurnRow): ItemRow[] {
    const { positions } = this.#now();
    const leftovers = this.#leftovers();
    const own = leftovers.own.find((each) => each.turn === turn);
    if (own) return [...own.items];
    const stored = this.#finds.rows.itemsOfTurn.all(rowIdOf(this.#id, turn.position)).map((record) => itemOf(record, positions)).filter((row) => this.#isEffective(row));
    return [...stored, ...(leftovers.joined.get(turn.key) ?? [])].sort((a, b) => compareOrder(a.order, b.order));
  }

  /** The items that turns are shown with, in order, of each turn by its key. Inside `snapshot`; what is made of them later needs none. */
  shownItems(turns: readonly TurnAnywhere[]): ReadonlyMap<FactKey, readonly ShownItem[]> {
    const groups = new Map(turns.map(({ rows: { turn } }): [number, ShownItem[]] => [rowIdOf(this.#id, turn.position), []]));
    const leftovers = this.#leftovers();
    for (const packed of this.#finds.rows.itemsOfTurns(JSON.stringify([...groups.keys()]))) {
      const item = this.#shownPacked(packed);
      if (item) groups.get(packed.turn)?.push(item);
    }
    return new Map(turns.map(({ rows: { turn } }) => {
      const own = leftovers.own.find((each) => each.turn === turn)?.items;
      const rows = (own ?? leftovers.joined.get(turn.key) ?? []).filter(({ visibility }) => visibility === 'shown').map(shownRow);
      return [turn.key, inOrder(own ? rows : [...(groups.get(rowIdOf(this.#id, turn.position)) ?? []), ...rows])];
    }));
  }

  /** An item in pages is shown unless its step left the history; what the others are, their rows tell. Whole texts that stand elsewhere take the row, too. */
  #shownPacked({ id, place, step, order, itemId, state, body }: PackedItem): ShownItem | undefined {
    const face = faceOf(state);
    if (face.visibility !== 'shown') return undefined;
    if (place !== ITEM_PLACE.shown || face.hasLarge) {
      const record = this.#finds.rows.item.get(id);
      const row = record && itemOf(record, this.#now().positions);
      return row && this.#isEffective(row) ? shownRow(row) : undefined;
    }
    if (!this.#isStepLive(step === null ? null : positionOf(step))) return undefined;
    return { order: order === '' ? [positionOf(id)] : orderOfDigits(order), of: { id: itemId, body, isOpen: face.isOpen, startedAtMs: face.startedAtMs, completedAtMs: face.completedAtMs } };
  }

  #isEffective(row: ItemRow): boolean {
    return row.effective.at(-1)?.[1] === null && this.#isStepLive(row.step === null ? null : (this.#now().positions.of(row.step) ?? null));
  }

  #isStepLive(position: number | null): boolean {
    if (position === null) return true;
    const { steps } = this.#now();
    const known = steps.get(position);
    if (known !== undefined) return known;
    const record = this.#finds.rows.step.get(rowIdOf(this.#id, position));
    const isLive = !record || (JSON.parse(record.state) as readonly (readonly [number, number | null])[]).at(-1)?.[1] === null;
    steps.set(position, isLive);
    return isLive;
  }

  /** Turns that carry an id, in order, without items. */
  turnsOfId(id: string): HistoryTurn[] {
    const stored = this.#finds.rows.turnsOfId.all(id, ...rangeOf(this.#id)).filter(({ live }) => live === 1).flatMap((record) => this.#shownTurn(turnOf(record, this.#now().positions)) ?? []).map((turn) => this.#placed(turn));
    const own = this.#leftovers().own.filter(({ turn }) => turn.id === id).map(({ turn }) => this.#placed(this.withItems(turnAt(turn))));
    return [...stored, ...own].sort((a, b) => a.rows.turn.position - b.rows.turn.position);
  }

  /** Items that are shown, whatever their turn, in order. */
  items(span: Span): Iterable<HistoryItem> {
    const sign = span.direction === 'asc' ? 1 : -1;
    const waiting = this.#leftovers().items().map((item) => this.#itemAt(item)).filter(({ row }) => isWithin(row.order, span)).sort((a, b) => sign * compareOrder(a.row.order, b.row.order));
    return merged([this.#storedItems(span), this.#movedItems(span), waiting], span.direction);
  }

  *#storedItems(span: Span): Generator<HistoryItem> {
    const statement = span.direction === 'asc' ? this.#finds.scans.itemsUp : this.#finds.scans.itemsDown;
    for (const record of this.#scan(span, statement)) {
      const item = this.#shownItem(record);
      if (item) yield item;
    }
  }

  /** Items that stand elsewhere than at their own position. */
  *#movedItems({ direction, bound, wanted }: Span): Generator<HistoryItem> {
    const isAsc = direction === 'asc';
    let [from, to] = [orderKey(this.#id, []), orderKey(this.#id + 1, [])];
    if (bound) {
      const [first = 0, ...more] = bound.order;
      const key = orderKey(this.#id, [Math.min(first, MAX_POSITION), ...more]);
      if (isAsc) from = bound.isIncluded ? key : justBehind(key);
      else to = bound.isIncluded ? justBehind(key) : key;
    }
    for (let count = wanted ?? SCAN_FIRST_ROWS; ; count = nextCount(count)) {
      const batch = (isAsc ? this.#finds.scans.movedUp : this.#finds.scans.movedDown).all(from, to, count);
      for (const record of batch) {
        const item = this.#shownItem(record);
        if (item) yield item;
      }
      const last = batch.at(-1)?.ord;
      if (!last || batch.length < count) return;
      if (isAsc) from = justBehind(last);
      else to = last;
    }
  }

  /** The item, unless its turn or its step left the history. */
  #shownItem(record: ItemRecord): HistoryItem | undefined {
    const turn = record.turn === null ? null : this.#turnOfRow(record.turn);
    if (turn && turn.effective.at(-1)?.[1] !== null) return undefined;
    const row = itemOf(record, this.#now().positions);
    return this.#isEffective(row) ? this.#itemAt({ row, turnId: turn ? turn.id : (row.turnId ?? '') }) : undefined;
  }

  /** An item that is shown, by its position. Inside `snapshot`. */
  shownAt(position: number): HistoryItem | undefined {
    const record = this.#finds.rows.item.get(rowIdOf(this.#id, position));
    if (record?.place === ITEM_PLACE.shown) return this.#shownItem(record);
    const waiting = record?.place === ITEM_PLACE.waiting ? this.waitingAt(position) : undefined;
    return waiting && this.#itemAt(waiting);
  }

  /** Positions of items that may hold a term in what was said (`saidPositions`). Inside `snapshot`. */
  saying(searchTerm: string): readonly number[] | undefined {
    return saidPositions(this.#queries, this.#id, searchTerm);
  }

  /** An input that no record placed, with the id of the turn that it is in; undefined where there is none at a position. Inside `snapshot`. */
  waitingAt(position: number): { readonly row: ItemRow; readonly turnId: string } | undefined {
    return this.#leftovers().items().find(({ row }) => row.position === position);
  }

  #itemAt({ row, turnId }: { readonly row: ItemRow; readonly turnId: string }): HistoryItem {
    return { turnId, place: this.records.placeOf(row.order), row, isTurnOver: true };
  }

  #turnOfRow(id: number): TurnRow | null {
    const { turns, positions } = this.#now();
    const known = turns.get(id);
    if (known !== undefined) return known;
    const record = this.#finds.rows.turn.get(id);
    const turn = record ? turnOf(record, positions) : null;
    if (turns.size >= SCAN_ROWS) turns.delete(turns.keys().next().value as number);
    turns.set(id, turn);
    return turn;
  }

  /** Items of turns with an id, and those that name it and stand in no turn, in order. */
  itemsOfId(turnId: string): HistoryItem[] {
    const inTurns = this.turnsOfId(turnId).flatMap(({ rows: { turn } }) => this.#itemsOf(turn)).filter(({ visibility }) => visibility === 'shown');
    const orphans = this.#finds.rows.itemsOfTurnId.all(turnId, ...rangeOf(this.#id)).filter(({ place }) => place === ITEM_PLACE.shown).map((record) => itemOf(record, this.#now().positions)).filter((row) => row.turnId === turnId && this.#isEffective(row));
    return [...inTurns, ...orphans].sort((a, b) => compareOrder(a.order, b.order)).map((row) => this.#itemAt({ row, turnId }));
  }

  realtime(): RealtimeRow[] {
    return this.#finds.rows.realtime.all(...rangeOf(this.#id)).map((record) => realtimeOf(record, this.#now().positions));
  }

  /** Whether nothing that counts ends the newest turn that was begun by a record. */
  hasOpenEnd(): boolean {
    for (const { rows } of this.turns({ direction: 'desc', bound: undefined })) return isOpenTurn(rows.turn);
    return false;
  }

  #leftovers(): Leftovers {
    const seen = this.#now();
    return (seen.leftovers ??= new Leftovers(
      this.#finds.scans.waiting.all(...rangeOf(this.#id)).map((record) => itemOf(record, seen.positions)).filter((row) => this.#isEffective(row)).sort((a, b) => a.position - b.position),
      (turn) => {
        const position = seen.positions.of(turn);
        const row = position === undefined ? null : this.#turnOfRow(rowIdOf(this.#id, position));
        return row && row.effective.at(-1)?.[1] === null ? row : undefined;
      },
    ));
  }
}
