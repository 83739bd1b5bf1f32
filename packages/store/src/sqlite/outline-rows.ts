import type { Buffer } from 'node:buffer';
import type { Statement } from 'better-sqlite3';
import type { PlayStart, StartQuery } from '../rows/play-start.js';
import type { OutlineBlock } from '../rows/outline.js';
import type { HistoryId } from '../thread-store.js';
import type { Sqlite } from './database.js';
import { inflated } from './deflated.js';
import { positionOf, rangeOf, rowIdOf } from './schema.js';
import type { SharedSpans } from './shared-spans.js';
import { downwards, sharedView } from './shared-view.js';

interface BlockRecord { readonly id: number; readonly facts: Buffer; readonly entries: Buffer }
interface StartRecord { readonly id: number; readonly segment: number; readonly byte: number; readonly player: Buffer | null }

const blockOf = ({ id, facts, entries }: BlockRecord): OutlineBlock => ({ from: positionOf(id), facts: inflated(facts), entries: inflated(entries) });
const startOf = ({ id, segment, byte, player }: StartRecord): PlayStart => ({ position: positionOf(id), segment, offset: byte, player: player && inflated(player) });

/** Outlines of histories, and the places that their tapes can be played from. */
export class OutlineRows {
  readonly #blocks: Statement<[number, number], BlockRecord>;
  readonly #last: Statement<[number, number, number], BlockRecord>;
  readonly #starts: Statement<[number, number], StartRecord>;
  readonly #startAt: Statement<[number, number, number], StartRecord>;
  readonly #shared: SharedSpans;

  constructor(db: Sqlite, shared: SharedSpans) {
    this.#shared = shared;
    this.#blocks = db.prepare<[number, number], BlockRecord>('SELECT id, facts, entries FROM outline WHERE id >= ? AND id < ? ORDER BY id');
    this.#last = db.prepare<[number, number, number], BlockRecord>('SELECT id, facts, entries FROM outline WHERE id >= ? AND id < ? ORDER BY id DESC LIMIT ?');
    this.#starts = db.prepare<[number, number], StartRecord>('SELECT id, segment, byte, player FROM starts WHERE id >= ? AND id < ? ORDER BY id');
    this.#startAt = db.prepare<[number, number, number], StartRecord>('SELECT id, segment, byte, player FROM starts WHERE id > ? AND id <= ? ORDER BY id DESC LIMIT ?');
  }

  /** All blocks of a history, in order. */
  blocks(history: HistoryId): OutlineBlock[] {
    const blocks = sharedView(this.#shared, history)?.many('outline', this.#blocks, { params: ['from', 'to'] }) ?? this.#blocks;
    return blocks.all(...rangeOf(history)).map(blockOf);
  }

  last(history: HistoryId): OutlineBlock | undefined {
    const last = sharedView(this.#shared, history)?.many('outline', this.#last, { params: ['from', 'to', 'limit'], order: downwards }) ?? this.#last;
    const record = last.get(...rangeOf(history), 1);
    return record && blockOf(record);
  }

  starts(history: HistoryId): PlayStart[] {
    const starts = sharedView(this.#shared, history)?.many('starts', this.#starts, { params: ['from', 'to'] }) ?? this.#starts;
    return starts.all(...rangeOf(history)).map(startOf);
  }

  /** The last one up to a position, if it lies behind another. */
  startAt(history: HistoryId, { behind, upTo }: StartQuery): PlayStart | undefined {
    const startAt = sharedView(this.#shared, history)?.many('starts', this.#startAt, { params: ['behind', 'upTo', 'limit'], order: downwards }) ?? this.#startAt;
    const record = startAt.get(rowIdOf(history, behind), rowIdOf(history, upTo), 1);
    return record && startOf(record);
  }
}
