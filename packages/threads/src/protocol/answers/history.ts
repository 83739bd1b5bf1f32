import type { FactKey, PieceReader } from '@tapefold/facts';
import type { ItemRow, RealtimeRow } from '../../fold/row.js';
import type { ThreadHead } from '../../fold/thread-head.js';
import { itemObject } from '../../items/item-object.js';
import type { Thread } from '../../objects/thread.js';
import type { ThreadItem } from '../../objects/thread-item.js';
import type { ItemsView, Turn } from '../../objects/turn.js';
import type { RowView } from '../../rows/row-view.js';
import { withLeftovers } from '../../settle/leftovers.js';
import { type SettleOptions, runningTurn } from '../../settle/settle-thread.js';
import { type TurnPhase, turnObject } from '../../settle/turn-object.js';
import type { EndedTurn, HistoryItem, HistoryReader, HistoryTurn, PlacedRealtime, TurnRequest } from './history-reader.js';
import { type KeysetPage, type PageRequest, keysetPage } from './keyset.js';
import { newestWord } from '../../rows/turn-as-of.js';
import { type PlaceOf, type RecordMarks, type RecordPlace, comparePlaces } from './record-index.js';

/** The rows of a thread that the protocol shows beside its turns. */
export interface HistoryRows extends RowView {
  /** Effective items whose turn no row has. */
  orphans(): readonly ItemRow[];
  realtime(): readonly RealtimeRow[];
}

/** What answers about one thread's history are made from; a thread opened by a store is one. */
export interface HistorySource {
  readonly thread: Pick<Thread, 'id' | 'historyMode'>;
  readonly head: ThreadHead;
  readonly rows: HistoryRows;
  readonly placeOf: PlaceOf;
  readonly marks?: RecordMarks | undefined;
  readonly readPiece?: PieceReader | undefined;
  readonly running?: SettleOptions['running'];
}

const byPlace = (a: { place: RecordPlace }, b: { place: RecordPlace }): number => comparePlaces(a.place, b.place);
const isShown = (row: ItemRow): boolean => row.visibility === 'shown';

/**
 * The settled history of one thread, in the order in which pages go through it: turns by the record that began them, items by the
 * record whose place they take, whatever their turn. Rows become public objects only as they are asked for. Build it once per state of the rows.
 */
export class History implements HistoryReader {
  readonly threadId: string;
  readonly historyMode: Thread['historyMode'];
  /** Turns in order. */
  readonly turns: readonly HistoryTurn[];
  readonly placeOf: PlaceOf;
  readonly marks: RecordMarks | undefined;
  readonly #source: HistorySource;
  readonly #realtime: readonly PlacedRealtime[];
  #items: readonly HistoryItem[] | undefined;
  #turnsOfId: ReadonlyMap<string, readonly HistoryTurn[]> | undefined;

  constructor(source: HistorySource) {
    this.#source = source;
    this.threadId = source.thread.id;
    this.historyMode = source.thread.historyMode;
    this.placeOf = source.placeOf;
    this.marks = source.marks;
    this.turns = shownTurns(source);
    this.#realtime = source.rows.realtime().map((row) => ({ ...row, place: source.placeOf([row.position]) })).sort(byPlace);
  }

  /** Items in order. Sorted at the first call: O(n log n). */
  get items(): readonly HistoryItem[] {
    return (this.#items ??= this.#allItems());
  }

  turnPage(request: TurnRequest): Promise<KeysetPage<HistoryTurn>> {
    return Promise.resolve(keysetPage(this.turns, request));
  }

  itemPage(request: PageRequest, turnId?: string): Promise<KeysetPage<HistoryItem>> {
    return Promise.resolve(keysetPage(turnId === undefined ? this.items : this.items.filter((item) => item.turnId === turnId), request));
  }

  turnsOfId(id: string): Promise<readonly HistoryTurn[]> {
    this.#turnsOfId ??= grouped(this.turns);
    return Promise.resolve(this.#turnsOfId.get(id) ?? []);
  }

  async *eachTurn(): AsyncGenerator<HistoryTurn> {
    yield* this.turns;
  }

  async *eachItem(from?: RecordPlace): AsyncGenerator<HistoryItem> {
    for (const item of this.items) if (!from || comparePlaces(item.place, from) >= 0) yield item;
  }

  endedTurns(upTo: RecordPlace | undefined, limit: number): Promise<readonly EndedTurn[]> {
    const ended = this.turns.flatMap((turn) => {
      const end = newestWord(turn.rows.turn.ends);
      return end ? [{ turn, place: this.placeOf([end.position]) }] : [];
    });
    return Promise.resolve(ended.filter(({ place }) => !upTo || comparePlaces(place, upTo) <= 0).sort(byPlace).slice(-limit).reverse());
  }

  realtime(): Promise<readonly PlacedRealtime[]> {
    return Promise.resolve(this.#realtime);
  }

  turnObject({ rows, phase }: HistoryTurn, view: ItemsView): Turn {
    const turn = turnObject(this.#source.head, rows, { phase, view, readPiece: this.#source.readPiece });
    if (!turn) throw new Error('a turn that is shown has an object');
    return turn;
  }

  itemObject({ row, isTurnOver }: HistoryItem): ThreadItem {
    return itemObject(row, { isTurnOver, cwd: this.#source.head.details.cwd, readPiece: this.#source.readPiece });
  }

  #allItems(): HistoryItem[] {
    const { rows, placeOf } = this.#source;
    const inTurns = this.turns.flatMap(({ id, phase, rows: { items } }) => items.filter(isShown).map((row) => ({ turnId: id, row, place: placeOf(row.order), isTurnOver: phase === 'over' })));
    const orphans = rows.orphans().filter(isShown).map((row) => ({ turnId: row.turnId ?? '', row, place: placeOf(row.order), isTurnOver: true }));
    return [...inTurns, ...orphans].sort(byPlace);
  }
}

function shownTurns({ head, rows, placeOf, running }: HistorySource): HistoryTurn[] {
  const turns = rows.turns().map((turn) => ({ turn, items: rows.items(turn.key) }));
  const runs: FactKey | undefined = runningTurn(turns.map(({ turn }) => turn), running);
  return withLeftovers(turns, rows.leftovers(), runs).flatMap((each) => {
    const phase: TurnPhase = each.turn.key === runs ? 'running' : 'over';
    return turnObject(head, each, { phase, view: 'notLoaded' }) ? [{ id: each.turn.id, place: placeOf([each.turn.position]), rows: each, phase }] : [];
  });
}

function grouped(turns: readonly HistoryTurn[]): Map<string, HistoryTurn[]> {
  const groups = new Map<string, HistoryTurn[]>();
  for (const turn of turns) groups.set(turn.id, [...(groups.get(turn.id) ?? []), turn]);
  return groups;
}
