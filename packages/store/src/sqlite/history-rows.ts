import type { FactKey } from '@tapefold/facts';
import { type HistoryItem, type HistoryTurn, type ItemRow, type RealtimeRow, type ThreadHead, type TurnRow, compareOrder, isOpenTurn, newestWord } from '@tapefold/threads';
import { StoreError } from '../errors.js';
import { ITEM_PLACE, faceOf } from '../rows/row-codec.js';
import { saidPositions } from '../search/said.js';
import type { HistoryState } from '../thread-store.js';
import { type Sqlite, guarded } from './database.js';
import type { HistoryFinds } from './history-finds.js';
import type { ItemRecord } from './item-record.js';
import { orderOfDigits } from './order-key.js';
import type { PackedItem } from './packed-items.js';
import type { RecordsReader } from './records-reader.js';
import { itemOf, realtimeOf, turnOf } from './row-queries.js';
import { MAX_POSITION, movedOfSpan, rowsOfSpan } from './row-scans.js';
import { positionOf, rangeOf, rowIdOf } from './schema.js';
import { type SeenQueries, SeenRows } from './seen-rows.js';
import { type ShownItem, inOrder, shownRow } from './shown-items.js';
import { type Span, isWithin, merged } from './span.js';
import type { TextBlock, TurnTexts } from '../turn-texts/turn-texts.js';

/** The statements that readers of one database share. */
export interface ReadQueries extends SeenQueries {
  readonly db: Sqlite;
  readonly path: string;
  readonly turnTexts: TurnTexts;
}

/** A turn, wherever it stands among the records: to find that out takes a look-up. */
export type TurnAnywhere = Omit<HistoryTurn, 'place'>;

const turnAt = (turn: TurnRow): TurnAnywhere => ({ id: turn.id, rows: { turn, items: [] }, phase: 'over' });

/**
 * The rows of one history as answers go through them: effective ones, in order, from any place on. Inside `snapshot` all of them are of one state. A history
 * that was rebuilt since is another one: `StoreError` (`rewritten`).
 */
export class HistoryRowsReader {
  readonly #queries: ReadQueries;
  readonly #id: number;
  readonly #generation: number;
  readonly #threadId: string;
  #seen: SeenRows | undefined;

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
    this.#seen = new SeenRows(this.#queries, { id: this.#id, version: now.version });
  }

  #now(): SeenRows {
    if (!this.#seen) this.snapshot(() => undefined);
    return this.#seen as SeenRows;
  }

  /** Of the database. */
  get path(): string { return this.#queries.path; }

  /** How often the history was written, now. */
  get version(): number { return this.snapshot(() => this.#now().version); }

  /** A block of the texts of its turns; undefined behind the last, and where they are not kept. Throws `StoreError` (`storeDamaged`). */
  keptBlock(number: number): { readonly version: number; readonly block: TextBlock } | undefined {
    return this.snapshot(() => (number < (this.#queries.turnTexts.count(this.#id) ?? 0) ? { version: this.#now().version, block: this.#blockAt(number) } : undefined));
  }

  #blockAt(number: number): TextBlock {
    try {
      const block = this.#queries.turnTexts.block(this.#id, number);
      if (!block) throw new Error(`block ${number} of the texts of ${this.#threadId} is missing`);
      return block;
    } catch (cause) {
      throw new StoreError('storeDamaged', { path: this.path, cause });
    }
  }

  /** Whether a turn has more items than that. */
  hasTurnOver(items: number): boolean {
    return this.snapshot(() => this.#queries.scans.longTurn.get(...rangeOf(this.#id), items) !== undefined);
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
    const own = this.#now().leftovers().own.map(({ turn }) => this.withItems(turnAt(turn))).filter((turn) => isWithin([turn.rows.turn.position], span));
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
    for (const record of rowsOfSpan(this.#id, span, statement)) yield turnOf(record, this.#now().positions);
  }

  /** Effective turns that a record ended, the one that was ended last first, up to a position; without items. */
  endedTurns(upTo: number | undefined, limit: number): HistoryTurn[] {
    const [from, to] = rangeOf(this.#id);
    const end = upTo === undefined ? to : rowIdOf(this.#id, Math.min(upTo, MAX_POSITION)) + 1;
    return this.#finds.scans.endedDown.all(from, end, limit).map((record) => this.#placed(turnAt(turnOf(record, this.#now().positions))));
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
    const leftovers = this.#now().leftovers();
    const own = leftovers.own.find((each) => each.turn === turn);
    if (own) return [...own.items];
    const stored = this.#finds.rows.itemsOfTurn.all(rowIdOf(this.#id, turn.position)).map((record) => itemOf(record, positions)).filter((row) => this.#now().isEffective(row));
    return [...stored, ...(leftovers.joined.get(turn.key) ?? [])].sort((a, b) => compareOrder(a.order, b.order));
  }

  /** The items that turns are shown with, in order, of each turn by its key. Inside `snapshot`; what is made of them later needs none. */
  shownItems(turns: readonly TurnAnywhere[]): ReadonlyMap<FactKey, readonly ShownItem[]> {
    const groups = new Map(turns.map(({ rows: { turn } }): [number, ShownItem[]] => [rowIdOf(this.#id, turn.position), []]));
    const leftovers = this.#now().leftovers();
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
      return row && this.#now().isEffective(row) ? shownRow(row) : undefined;
    }
    if (!this.#now().isStepLive(step === null ? null : positionOf(step))) return undefined;
    return { order: order === '' ? [positionOf(id)] : orderOfDigits(order), of: { id: itemId, body, isOpen: face.isOpen, startedAtMs: face.startedAtMs, completedAtMs: face.completedAtMs } };
  }

  /** Turns that carry an id, in order, without items. */
  turnsOfId(id: string): HistoryTurn[] {
    const stored = this.#finds.rows.turnsOfId.all(id, ...rangeOf(this.#id)).filter(({ live }) => live === 1).flatMap((record) => this.#shownTurn(turnOf(record, this.#now().positions)) ?? []).map((turn) => this.#placed(turn));
    const own = this.#now().leftovers().own.filter(({ turn }) => turn.id === id).map(({ turn }) => this.#placed(this.withItems(turnAt(turn))));
    return [...stored, ...own].sort((a, b) => a.rows.turn.position - b.rows.turn.position);
  }

  /** Items that are shown, whatever their turn, in order. */
  items(span: Span): Iterable<HistoryItem> {
    const sign = span.direction === 'asc' ? 1 : -1;
    const waiting = this.#now().leftovers().items().map((item) => this.#itemAt(item)).filter(({ row }) => isWithin(row.order, span)).sort((a, b) => sign * compareOrder(a.row.order, b.row.order));
    return merged([this.#storedItems(span), this.#shownOf(movedOfSpan(this.#id, span, this.#finds.scans)), waiting], span.direction);
  }

  *#storedItems(span: Span): Generator<HistoryItem> {
    const { scans } = this.#finds;
    yield* this.#shownOf(rowsOfSpan(this.#id, span, span.direction === 'asc' ? scans.itemsUp : scans.itemsDown));
  }

  *#shownOf(records: Iterable<ItemRecord>): Generator<HistoryItem> {
    for (const record of records) {
      const item = this.#shownItem(record);
      if (item) yield item;
    }
  }

  /** The item, unless its turn or its step left the history. */
  #shownItem(record: ItemRecord): HistoryItem | undefined {
    const turn = record.turn === null ? null : this.#now().turnOfRow(record.turn);
    if (turn && turn.effective.at(-1)?.[1] !== null) return undefined;
    const row = itemOf(record, this.#now().positions);
    return this.#now().isEffective(row) ? this.#itemAt({ row, turnId: turn ? turn.id : (row.turnId ?? '') }) : undefined;
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
    return this.#now().leftovers().items().find(({ row }) => row.position === position);
  }

  #itemAt({ row, turnId }: { readonly row: ItemRow; readonly turnId: string }): HistoryItem {
    return { turnId, place: this.records.placeOf(row.order), row, isTurnOver: true };
  }

  /** Items of turns with an id, and those that name it and stand in no turn, in order. */
  itemsOfId(turnId: string): HistoryItem[] {
    const inTurns = this.turnsOfId(turnId).flatMap(({ rows: { turn } }) => this.#itemsOf(turn)).filter(({ visibility }) => visibility === 'shown');
    const orphans = this.#finds.rows.itemsOfTurnId.all(turnId, ...rangeOf(this.#id)).filter(({ place }) => place === ITEM_PLACE.shown).map((record) => itemOf(record, this.#now().positions)).filter((row) => row.turnId === turnId && this.#now().isEffective(row));
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
}
