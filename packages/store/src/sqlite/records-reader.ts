import type { Statement } from 'better-sqlite3';
import { type PlaceOf, RecordIndex, type RecordList, type RecordMark, type RecordMarks, type RecordPlace } from '@tapefold/threads';
import type { Positions } from '../rows/positions.js';
import { decodeRecords } from '../rows/record-blocks.js';
import type { Sqlite } from './database.js';
import { BLOCKS_KEPT } from './limits.js';
import { rangeOf, rowIdOf } from './schema.js';
import { type Find, type SharedView, downwards } from './shared-view.js';

interface BlockRecord { readonly id: number; readonly list: string }

/** One block with its look-ups. */
interface Block {
  readonly list: RecordList;
  readonly index: RecordIndex;
}

const blockOf = (list: RecordList): Block => ({ list, index: RecordIndex.restore(list) });

/** Look-ups of blocks. The last parameter of each: how many, of which the first is wanted. */
export interface RecordFinds {
  /** The last block that begins at or before a row id, not before another. */
  readonly before: Find<[number, number, number], BlockRecord>;
  readonly after: Find<[number, number, number], BlockRecord>;
  /** The last block of a range whose first record's number is at most the given. */
  readonly upTo: Find<[number, number, number, number], BlockRecord>;
}

/** Prepared look-ups of blocks, shared by the readers of a database. */
export class RecordQueries implements RecordFinds {
  readonly before: Statement<[number, number, number], BlockRecord>;
  readonly after: Statement<[number, number, number], BlockRecord>;
  readonly upTo: Statement<[number, number, number, number], BlockRecord>;

  constructor(db: Sqlite) {
    this.before = db.prepare<[number, number, number], BlockRecord>('SELECT id, list FROM records WHERE id <= ? AND id >= ? ORDER BY id DESC LIMIT ?');
    this.after = db.prepare<[number, number, number], BlockRecord>('SELECT id, list FROM records WHERE id > ? AND id < ? ORDER BY id LIMIT ?');
    this.upTo = db.prepare<[number, number, number, number], BlockRecord>('SELECT id, list FROM records WHERE id >= ? AND id < ? AND ordinal <= ? ORDER BY id DESC LIMIT ?');
  }
}

/** The same look-ups of a history that shares rows. */
export function sharedRecords(records: RecordFinds, view: SharedView | undefined): RecordFinds {
  if (!view) return records;
  return {
    before: view.many('records', records.before, { params: ['upTo', 'from', 'limit'], order: downwards }), after: view.many('records', records.after, { params: ['behind', 'to', 'limit'] }),
    upTo: view.many('records', records.upTo, { params: ['from', 'to', 'value', 'limit'], order: downwards }),
  };
}

/** The record numbers of a history: blocks from the database as they are needed, and the newest ones that stand with its state. */
export class RecordsReader implements RecordMarks {
  readonly #queries: RecordFinds;
  readonly #history: number;
  readonly #positions: Positions;
  readonly #tail: Block;
  readonly #blocks = new Map<number, Block>();
  /** The block that was looked into last: what comes next is mostly beside it. */
  #last: Block | undefined;

  constructor(queries: RecordFinds, history: number, state: { readonly records: RecordList; readonly positions: Positions }) {
    this.#queries = queries;
    this.#history = history;
    this.#positions = state.positions;
    this.#tail = blockOf(state.records);
  }

  #kept({ id, list }: BlockRecord): Block {
    const known = this.#blocks.get(id);
    if (known) return known;
    if (this.#blocks.size >= BLOCKS_KEPT) this.#blocks.delete(this.#blocks.keys().next().value as number);
    const block = blockOf(decodeRecords(list));
    this.#blocks.set(id, block);
    return block;
  }

  /** The block that a position is in. */
  #at(position: number): Block {
    if (position >= (this.#tail.list.starts[0] ?? 0)) return this.#tail;
    if (this.#last && isAmong(this.#last.list, position)) return this.#last;
    const [from] = rangeOf(this.#history);
    const found = this.#queries.before.get(rowIdOf(this.#history, position), from, 1);
    this.#last = found && this.#kept(found);
    return this.#last ?? this.#tail;
  }

  /** The block behind one. */
  #next({ list }: Block): Block | undefined {
    if (list === this.#tail.list) return undefined;
    const found = this.#queries.after.get(rowIdOf(this.#history, list.starts[0] ?? 0), rangeOf(this.#history)[1], 1);
    return found ? this.#kept(found) : this.#tail;
  }

  readonly placeOf: PlaceOf = (order): RecordPlace => this.#at(order[0] ?? 0).index.placeOf(order);

  markOf(position: number): RecordMark | undefined {
    return this.#at(position).index.markOf(position);
  }

  /** The position of the first fact of the first record whose number is at least `ordinal`; undefined behind the last. */
  startOf(ordinal: number): number | undefined {
    if (ordinal >= (this.#tail.list.ordinals[0] ?? 0)) return this.#tail.index.startOf(ordinal);
    const found = this.#queries.upTo.get(...rangeOf(this.#history), ordinal, 1);
    const block = found ? this.#kept(found) : this.#first();
    return block?.index.startOf(ordinal) ?? (block && this.#next(block)?.list.starts[0]);
  }

  #first(): Block | undefined {
    const [from, to] = rangeOf(this.#history);
    const found = this.#queries.after.get(from - 1, to, 1);
    return found ? this.#kept(found) : this.#tail;
  }

  ordinalAt(mark: RecordMark): number | undefined {
    const start = this.#positions.ofOrdinal(mark.tape, 0);
    if (start === undefined) return undefined;
    // The blocks of a tape stand in a row, their bytes ascend: the first that reaches the mark has it.
    for (let block: Block | undefined = this.#at(start); block; block = this.#next(block)) {
      if (isBehind(block.list, mark)) continue;
      return block.index.ordinalAt(mark) ?? block.list.ordinals[0];
    }
    return this.#tail.list.last + 1;
  }
}

/** Whether a block ends before a mark on the mark's own tape. */
function isBehind({ tapes, offsets }: RecordList, { tape, offset }: RecordMark): boolean {
  const last = tapes.at(-1);
  return last?.tape === tape ? (offsets.at(-1) ?? 0) < offset : !tapes.some((each) => each.tape === tape);
}

/** Whether a position is surely one of a block's: behind its last record another block may begin. */
function isAmong({ starts }: RecordList, position: number): boolean {
  return position >= (starts[0] ?? Infinity) && position <= (starts.at(-1) ?? -1);
}
