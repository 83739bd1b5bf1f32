import type { FactKey, PieceReader } from '@tapefold/facts';
import {
  type Anchor, type EndedTurn, type HistoryItem, type HistoryReader, type HistoryTurn, type ItemsView, type JsonChunk, type KeysetPage, type Order, type PageRequest, type PlacedRealtime, type RecordPlace, type Thread,
  type ThreadItem, type Turn, type TurnPhase, type TurnRequest, type TurnRow, compareOrder, comparePlaces, itemObject, keysetPage, newestWord, textAroundItems, turnObject,
} from '@tapefold/threads';
import { packedForm, packedText } from '../rows/packed-text.js';
import type { HistoryOf } from '../thread-store.js';
import type { HistoryRowsReader } from './history-rows.js';
import { BLOCK_BYTES, ROWS_AT_ONCE } from './limits.js';
import { PackedBlock } from './packed-block.js';
import { type ShownItem, type WriteOptions, shownText } from './shown-items.js';
import { BEYOND, type Bound, type Ordered, type Span, orderOf, take } from './span.js';

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
    for (const rows of this.#batches(read, (batch) => batch.map(finish), start)) yield* rows;
  }

  async *turnChunks(running?: FactKey): AsyncGenerator<JsonChunk> {
    const block = new PackedBlock(BLOCK_BYTES);
    let isFirst = true;
    for (const { turns, items } of this.#batches((span) => this.#rows.turnsAnywhere(span), (some) => ({ turns: some, items: this.#rows.shownItems(some) }))) {
      for (const { rows: { turn } } of turns) {
        if (!isFirst && !block.take(',')) yield* block.add(',');
        isFirst = false;
        yield* this.#written(turn, { items: items.get(turn.key) ?? [], phase: turn.key === running ? 'running' : 'over', block });
      }
    }
    yield* block.rest();
  }

  *#written(turn: TurnRow, { items, phase, block }: { readonly items: readonly ShownItem[]; readonly phase: TurnPhase; readonly block: PackedBlock }): Generator<JsonChunk> {
    const { head } = this.#rows;
    const options: WriteOptions = { isTurnOver: phase === 'over', cwd: head.details.cwd, readPiece: this.#readPiece, form: packedForm };
    const [before, behind] = textAroundItems(head, turn, phase);
    yield* block.add(packedText(before));
    for (const [i, item] of items.entries()) {
      if (i > 0 && !block.take(',')) yield* block.add(',');
      const text = shownText(item, options);
      if (typeof text !== 'string') yield* afterAll(block, text.text);
      // Nearly all do: to begin a generator for each item costs more than to copy it.
      else if (!block.take(text)) yield* block.add(text);
    }
    yield* block.add(packedText(behind));
  }

  /** All rows of a kind, a few at a time: each step sees one state of the database, and none is older than the one before. */
  *#batches<R extends Ordered, B>(read: (span: Span) => Iterable<R>, finish: (rows: R[]) => B, start?: Bound): Generator<B> {
    for (let bound = start; ;) {
      const [batch, last] = this.#rows.snapshot(() => {
        const rows = take(read({ direction: 'asc', bound, wanted: ROWS_AT_ONCE }), ROWS_AT_ONCE);
        return [finish(rows), rows.length < ROWS_AT_ONCE ? undefined : rows.at(-1)] as const;
      });
      yield batch;
      if (!last) return;
      bound = { order: orderOf(last), isIncluded: false };
    }
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

/** A text behind what is left in a block. */
function* afterAll(block: PackedBlock, text: string): Generator<JsonChunk> {
  yield* block.rest();
  yield text;
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
