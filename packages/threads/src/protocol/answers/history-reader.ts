import type { FactKey } from '@tapefold/facts';
import type { ThreadItem } from '../../objects/thread-item.js';
import type { Thread } from '../../objects/thread.js';
import type { ItemsView, Turn } from '../../objects/turn.js';
import type { ItemRow, RealtimeRow } from '../../fold/row.js';
import type { TurnPhase, TurnRows } from '../../settle/turn-object.js';
import type { KeysetPage, PageRequest } from './keyset.js';
import type { RecordMarks, RecordPlace } from './record-index.js';

/** A piece of JSON: text, or UTF-8, whose memory is used anew for the next piece. */
export type JsonChunk = string | Uint8Array;

/** A turn that is shown. */
export interface HistoryTurn {
  readonly id: string;
  readonly place: RecordPlace;
  readonly rows: TurnRows;
  readonly phase: TurnPhase;
}

/** An item that is shown, under the id of its turn; an orphan under the id that it names. */
export interface HistoryItem {
  readonly turnId: string;
  readonly place: RecordPlace;
  readonly row: ItemRow;
  readonly isTurnOver: boolean;
}

/** Which turns a page holds; without `hasItems` their rows may come without items. */
export interface TurnRequest extends PageRequest {
  readonly hasItems: boolean;
}

/**
 * The settled history of one thread as answers go through it: in pages or as a stream, from memory (`History`) or from a store's rows. Each answer is made of one
 * state of the rows; a store that meets a rewritten thread on the way refuses with its own error.
 */
export interface HistoryReader {
  readonly threadId: string;
  readonly historyMode: Thread['historyMode'];
  /** Finds records by their bytes, for chains of pages that began before there was an index. */
  readonly marks: Pick<RecordMarks, 'ordinalAt'> | undefined;
  turnPage(request: TurnRequest): Promise<KeysetPage<HistoryTurn>>;
  /** `turnId`: only items of turns with this id, and those that name it and stand in no turn. */
  itemPage(request: PageRequest, turnId?: string): Promise<KeysetPage<HistoryItem>>;
  /** Turns that carry an id, in order, maybe without items; ids of legacy threads can repeat. */
  turnsOfId(id: string): Promise<readonly HistoryTurn[]>;
  /** All turns with their items, in order. */
  eachTurn(): AsyncIterable<HistoryTurn>;
  /**
   * What `JSON.stringify` writes of the objects of all turns with their items, in order, a comma between two. Absent where there is nothing quicker than to make the objects. `running`: the key of a turn
   * that runs.
   */
  turnChunks?(running?: FactKey): AsyncIterable<JsonChunk>;
  /** Items in order, from a place on. */
  eachItem(from?: RecordPlace): AsyncIterable<HistoryItem>;
  /** Shown items that may hold a term in what was said, in order: none that is left out holds it, in any case. Undefined, and absent, where only a look at all items tells. */
  saying?(searchTerm: string): Promise<readonly HistoryItem[] | undefined>;
  /** Turns by where a record ended them, newest first, those that ended up to a place; without items. */
  endedTurns(upTo: RecordPlace | undefined, limit: number): Promise<readonly EndedTurn[]>;
  /** Spoken words in order. */
  realtime(): Promise<readonly PlacedRealtime[]>;
  turnObject(turn: HistoryTurn, view: ItemsView): Turn;
  itemObject(item: HistoryItem): ThreadItem;
}

/** A turn, and where the record stands that ended it. */
export interface EndedTurn {
  readonly turn: HistoryTurn;
  readonly place: RecordPlace;
}

/** A spoken record with its place. */
export type PlacedRealtime = RealtimeRow & { readonly place: RecordPlace };
