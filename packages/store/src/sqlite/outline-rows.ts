import type { Buffer } from 'node:buffer';
import type { Statement } from 'better-sqlite3';
import type { PlayStart, StartQuery } from '../rows/play-start.js';
import type { OutlineBlock } from '../rows/outline.js';
import type { HistoryId } from '../thread-store.js';
import type { Sqlite } from './database.js';
import { inflated } from './deflated.js';
import { rangeOf } from './row-queries.js';
import { positionOf, rowIdOf } from './schema.js';

interface BlockRecord { readonly id: number; readonly facts: Buffer; readonly entries: Buffer }
interface StartRecord { readonly id: number; readonly segment: number; readonly byte: number; readonly player: Buffer | null }

const blockOf = ({ id, facts, entries }: BlockRecord): OutlineBlock => ({ from: positionOf(id), facts: inflated(facts), entries: inflated(entries) });
const startOf = ({ id, segment, byte, player }: StartRecord): PlayStart => ({ position: positionOf(id), segment, offset: byte, player: player && inflated(player) });

/** Outlines of histories, and the places that their tapes can be played from. */
export class OutlineRows {
  readonly #blocks: Statement<[number, number], BlockRecord>;
  readonly #last: Statement<[number, number], BlockRecord>;
  readonly #starts: Statement<[number, number], StartRecord>;
  readonly #startAt: Statement<[number, number], StartRecord>;

  constructor(db: Sqlite) {
    this.#blocks = db.prepare<[number, number], BlockRecord>('SELECT id, facts, entries FROM outline WHERE id >= ? AND id < ? ORDER BY id');
    this.#last = db.prepare<[number, number], BlockRecord>('SELECT id, facts, entries FROM outline WHERE id >= ? AND id < ? ORDER BY id DESC LIMIT 1');
    this.#starts = db.prepare<[number, number], StartRecord>('SELECT id, segment, byte, player FROM starts WHERE id >= ? AND id < ? ORDER BY id');
    this.#startAt = db.prepare<[number, number], StartRecord>('SELECT id, segment, byte, player FROM starts WHERE id > ? AND id <= ? ORDER BY id DESC LIMIT 1');
  }

  /** All blocks of a history, in order. */
  blocks(history: HistoryId): OutlineBlock[] {
    return this.#blocks.all(...rangeOf(history)).map(blockOf);
  }

  last(history: HistoryId): OutlineBlock | undefined {
    const record = this.#last.get(...rangeOf(history));
    return record && blockOf(record);
  }

  starts(history: HistoryId): PlayStart[] {
    return this.#starts.all(...rangeOf(history)).map(startOf);
  }

  /** The last one up to a position, if it lies behind another. */
  startAt(history: HistoryId, { behind, upTo }: StartQuery): PlayStart | undefined {
    const record = this.#startAt.get(rowIdOf(history, behind), rowIdOf(history, upTo));
    return record && startOf(record);
  }
}
