import type { FactKey, PieceReader } from '@tapefold/facts';
import {
  type Anchor, type EndedTurn, type HistoryItem, type HistoryReader, type HistoryTurn, type ItemsView, type JsonChunk, type KeysetPage, type Order, type PageRequest, type PlacedRealtime, type RecordPlace, type Thread,
  type ThreadItem, type Turn, type TurnRequest, compareOrder, comparePlaces, itemObject, keysetPage, newestWord, turnObject,
} from '@tapefold/threads';
import type { HistoryOf } from '../thread-store.js';
import type { HistoryRowsReader } from './history-rows.js';
import { keptTurns } from './kept-turns.js';
import { BLOCK_BYTES } from './limits.js';
import { PackedBlock } from './packed-block.js';
import { inBatches } from './row-batches.js';
import { BEYOND, type Bound, type Span, take } from './span.js';
import { WrittenTurns } from './written-turns.js';

/** What a history from rows needs. */
export interface SqliteHistoryOptions extends HistoryOf {
  readonly rows: HistoryRowsReader;
}

/** The settled history of a thread from its rows in the database: each answer reads what its page holds, and little more. Nothing runs. */
export class SqliteHistory implements HistoryReader {
  readonly threadId: string;
  readonly historyMode: Thread['historyMode'];
  readonly #rows: HistoryRowsReader;
  readonly #readPiece: PieceReader;

  constructor({ thread, readPiece, rows }: SqliteHistoryOptions) {
    this.threadId = thread.id;
    this.historyMode = thread.historyMode;
    this.#rows = rows;
    this.#readPiece = readPiece;
  }

  get marks(): HistoryReader['marks'] {
    return this.#rows.records;
  }

  async turnPage(request: TurnRequest): Promise<KeysetPage<HistoryTurn>> {
    return this.#rows.snapshot(() => {
      const page = keysetPage(windowOf(request, edgeOf(this.#rows, request.anchor), (span) => this.#rows.turns(span)), request);
      return request.hasItems ? { ...page, rows: page.rows.map((turn) => this.#rows.withItems(turn)) } : page;
    });
  }

  async itemPage(request: PageRequest, turnId?: string): Promise<KeysetPage<HistoryItem>> {
    return this.#rows.snapshot(() => keysetPage(turnId === undefined ? windowOf(request, edgeOf(this.#rows, request.anchor), (span) => this.#rows.items(span)) : this.#rows.itemsOfId(turnId), request));
  }

  async turnsOfId(id: string): Promise<readonly HistoryTurn[]> {
    return this.#rows.snapshot(() => this.#rows.turnsOfId(id));
  }

  async *eachTurn(): AsyncGenerator<HistoryTurn> {
    yield* this.#each((span) => this.#rows.turns(span), (turn) => this.#rows.withItems(turn));
  }

  async *eachItem(from?: RecordPlace): AsyncGenerator<HistoryItem> {
    const edge = from && this.#rows.snapshot(() => edgeOf(this.#rows, { ...from, includeAnchor: true }));
    yield* this.#each((span) => this.#rows.items(span), (item) => item, edge && { order: edge.order, isIncluded: true });
  }

  async *#each<R extends HistoryTurn | HistoryItem>(read: (span: Span) => Iterable<R>, finish: (row: R) => R, start?: Bound): AsyncGenerator<R> {
    for (const rows of inBatches(this.#rows, read, { finish: (some) => some.map(finish), start })) yield* rows;
  }

  async *turnChunks(running?: FactKey): AsyncGenerator<JsonChunk> {
    let last: Order | undefined;
    // What is kept is of turns that are over.
    for await (const kept of running === undefined ? keptTurns(this.#rows) : []) {
      if (last) yield ',';
      yield kept.text;
      ({ last } = kept);
    }
    yield* this.#chunksBehind(last, running);
  }

  *#chunksBehind(last: Order | undefined, running: FactKey | undefined): Generator<JsonChunk> {
    const block = new PackedBlock(BLOCK_BYTES);
    const turns = new WrittenTurns(this.#rows, this.#readPiece);
    let isFirst = last === undefined;
    for (const turn of turns.each(last && { order: last, isIncluded: false })) {
      if (!isFirst && !block.take(',')) yield* block.add(',');
      isFirst = false;
      yield* turns.text(turn, { running, block });
    }
    yield* block.rest();
  }

  async saying(searchTerm: string): Promise<readonly HistoryItem[] | undefined> {
    return this.#rows.snapshot(() => this.#rows.saying(searchTerm)?.flatMap((position) => this.#rows.shownAt(position) ?? []).sort((a, b) => compareOrder(a.row.order, b.row.order)));
  }

  async endedTurns(upTo: RecordPlace | undefined, limit: number): Promise<readonly EndedTurn[]> {
    return this.#rows.snapshot(() => {
      const edge = upTo && edgeOf(this.#rows, { ...upTo, includeAnchor: true });
      const position = edge && (edge.isRecord ? edge.next - 1 : edge.order[0]);
      return this.#rows.endedTurns(position, limit).map((turn) => ({ turn, place: this.#rows.records.placeOf([newestWord(turn.rows.turn.ends)?.position ?? 0]) }));
    });
  }

  async realtime(): Promise<readonly PlacedRealtime[]> {
    return this.#rows.snapshot(() => this.#rows.realtime().map((row) => ({ ...row, place: this.#rows.records.placeOf([row.position]) })).sort((a, b) => comparePlaces(a.place, b.place)));
  }

  turnObject({ rows, phase }: HistoryTurn, view: ItemsView): Turn {
    const turn = turnObject(this.#rows.head, rows, { phase, view, readPiece: this.#readPiece });
    // Shown for an item that a view without items does not come with.
    if (!turn) throw new Error('a turn that is shown has an object');
    return turn;
  }

  itemObject({ row, isTurnOver }: HistoryItem): ThreadItem {
    return itemObject(row, { isTurnOver, cwd: this.#rows.head.details.cwd, readPiece: this.#readPiece });
  }
}

/** Where an anchor stands among the rows: `order` begins its record (or is the row's own, where the anchor names one), `next` the one behind. */
interface Edge {
  readonly order: Order;
  readonly next: number;
  readonly isRecord: boolean;
  readonly isIncluded: boolean;
}

/** An anchor names records; rows stand by positions. */
function edgeOf(rows: HistoryRowsReader, anchor: Anchor | undefined): Edge | undefined {
  if (!anchor) return undefined;
  const start = rows.records.startOf(anchor.ordinal) ?? BEYOND;
  const next = rows.records.startOf(anchor.ordinal + 1) ?? BEYOND;
  if (anchor.part === undefined || start === next) return { order: [start], next, isRecord: true, isIncluded: anchor.includeAnchor };
  const [first = 0, ...more] = anchor.part;
  return { order: [start + first, ...more], next, isRecord: false, isIncluded: anchor.includeAnchor };
}

/**
 * The rows around an anchor that a page and its cursors need, ascending: those of the page and one more, and one on the other side. A page over them is the page
 * over all.
 */
function windowOf<R extends HistoryTurn | HistoryItem>(request: PageRequest, edge: Edge | undefined, read: (span: Span) => Iterable<R>): R[] {
  const isAsc = request.direction === 'asc';
  const [ahead, behind] = spansOf(edge, isAsc);
  const wanted = request.limit + 1;
  const inside = take(read({ ...ahead, wanted }), wanted);
  const outside = behind ? take(read({ ...behind, wanted: 1 }), 1) : [];
  return isAsc ? [...outside, ...inside] : [...inside.reverse(), ...outside];
}

/** The span of the page, and the one on the other side of its anchor. */
function spansOf(edge: Edge | undefined, isAsc: boolean): [ahead: Span, behind: Span | undefined] {
  const [direction, other] = isAsc ? (['asc', 'desc'] as const) : (['desc', 'asc'] as const);
  if (!edge) return [{ direction, bound: undefined }, undefined];
  // A whole record is all orders from its first position on to before the next one's.
  const order = !edge.isRecord || isAsc === edge.isIncluded ? edge.order : [edge.next];
  const isIncluded = edge.isRecord ? isAsc : edge.isIncluded;
  return [{ direction, bound: { order, isIncluded } }, { direction: other, bound: { order, isIncluded: !isIncluded } }];
}
