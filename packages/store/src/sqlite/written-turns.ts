import type { FactKey, PieceReader } from '@tapefold/facts';
import { type JsonChunk, type Order, type TurnRow, textAroundItems } from '@tapefold/threads';
import { packedForm, packedText } from '../rows/packed-text.js';
import type { HistoryRowsReader } from './history-rows.js';
import type { PackedBlock } from './packed-block.js';
import { inBatches } from './row-batches.js';
import { type ShownItem, type WriteOptions, shownText } from './shown-items.js';
import { type Bound, orderOf } from './span.js';

/** A turn with the items that it is shown with. */
export interface TurnToWrite {
  readonly order: Order;
  readonly turn: TurnRow;
  readonly items: readonly ShownItem[];
}

/** Turns of a history as the text that `JSON.stringify` writes of their objects. */
export class WrittenTurns {
  readonly #rows: HistoryRowsReader;
  readonly #readPiece: PieceReader;

  constructor(rows: HistoryRowsReader, readPiece: PieceReader) {
    this.#rows = rows;
    this.#readPiece = readPiece;
  }

  /** Every turn from a bound on, some of them with a few look-ups. */
  *each(from: Bound | undefined): Generator<TurnToWrite> {
    for (const { turns, items } of inBatches(this.#rows, (span) => this.#rows.turnsAnywhere(span), { finish: (some) => ({ turns: some, items: this.#rows.shownItems(some) }), start: from })) {
      for (const each of turns) yield { order: orderOf(each), turn: each.rows.turn, items: items.get(each.rows.turn.key) ?? [] };
    }
  }

  /** The text of a turn behind what a block holds: gives what the block has no room for, each chunk to be used before the next. */
  *text({ turn, items }: TurnToWrite, { running, block }: { readonly running?: FactKey | undefined; readonly block: PackedBlock }): Generator<JsonChunk> {
    const { head } = this.#rows;
    const phase = turn.key === running ? 'running' : 'over';
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
}

/** A text behind what is left in a block. */
function* afterAll(block: PackedBlock, text: string): Generator<JsonChunk> {
  yield* block.rest();
  yield text;
}
