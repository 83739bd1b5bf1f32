import { Buffer } from 'node:buffer';
import { setImmediate } from 'node:timers/promises';
import type { PieceReader } from '@tapefold/facts';
import type { Order } from '@tapefold/threads';
import { stampedPieces } from '../search/row-texts.js';
import { deflatedBytes } from '../sqlite/deflated.js';
import { BLOCK_BYTES } from '../sqlite/limits.js';
import { PackedBlock } from '../sqlite/packed-block.js';
import type { SqliteStore } from '../sqlite/sqlite-store.js';
import { WrittenTurns } from '../sqlite/written-turns.js';
import type { HistoryId } from '../thread-store.js';
import { TEXT_BLOCK_BYTES, TEXT_BLOCK_MOST_BYTES, TEXT_SHARE } from './limits.js';

/** What writing texts asks between two transactions. `blockBytes`, `share`: other than the usual (`TEXT_BLOCK_BYTES`, `TEXT_SHARE`), for tests of small threads. */
export interface TurnTextHost {
  readonly nowMs: () => number;
  readonly isStopped: () => boolean;
  readonly blockBytes?: number | undefined;
  readonly share?: number | undefined;
}

/** Turns that follow each other, as JSON. */
interface Part { readonly text: Buffer; readonly last: Order }

/** Turns in parts of so many bytes at least; it ends with undefined where one is too long. */
function* partsOf(turns: WrittenTurns, leastBytes: number): Generator<Part | undefined> {
  const block = new PackedBlock(BLOCK_BYTES);
  let chunks: Buffer[] = [];
  let bytes = 0;
  const take = (chunk: string | Uint8Array): void => {
    // The memory of a block is used again.
    const copy = Buffer.from(chunk);
    chunks.push(copy);
    bytes += copy.length;
  };
  const part = (last: Order): Part => {
    for (const chunk of block.rest()) take(chunk);
    const text = Buffer.concat(chunks);
    chunks = [];
    bytes = 0;
    return { text, last };
  };
  let open: Order | undefined;
  for (const each of turns.each(undefined)) {
    if (open) for (const chunk of block.add(',')) take(chunk);
    for (const chunk of turns.text(each, { block })) {
      take(chunk);
      if (bytes > TEXT_BLOCK_MOST_BYTES) return yield undefined;
    }
    open = each.order;
    if (bytes + block.usedBytes < leastBytes) continue;
    yield part(open);
    open = undefined;
  }
  if (open) yield part(open);
}

/** Texts of one history, at most one transaction for each block. Needs the lease. */
class TurnTextWriter {
  readonly #store: SqliteStore;
  readonly #host: TurnTextHost;
  readonly #id: HistoryId;

  constructor(store: SqliteStore, host: TurnTextHost, id: HistoryId) {
    this.#store = store;
    this.#host = host;
    this.#id = id;
  }

  /** Leaves the history with all of its texts, or with none: undefined where it was stopped before it came to that. */
  async write(): Promise<boolean | undefined> {
    const rows = this.#store.rowsOf(this.#id, String(this.#id));
    // Rows of another history may change without this one's being written.
    if (!rows || this.#store.shared.of(this.#id).length > 0) return this.#leave();
    this.#store.writing(() => this.#store.turnTexts.begin(this.#id));
    const { version, state } = rows;
    const pieces = new WholePieces(stampedPieces(state.segments));
    let [number, left] = [0, state.bytes * (this.#host.share ?? TEXT_SHARE)];
    for (const part of partsOf(new WrittenTurns(rows, pieces.read), this.#host.blockBytes ?? TEXT_BLOCK_BYTES)) {
      if (this.#host.isStopped() || rows.version !== version) return undefined;
      const text = part && deflatedBytes(part.text);
      left -= text?.length ?? 0;
      if (!part || !text || left < 0 || pieces.isOneMissing) return this.#leave();
      this.#store.writing(() => this.#store.turnTexts.add(this.#id, number, { last: part.last, bytes: part.text.length, text }));
      number += 1;
      await setImmediate();
    }
    if (pieces.isOneMissing) return this.#leave();
    this.#store.writing(() => { if (rows.version === version) this.#store.turnTexts.finish(this.#id, number); });
    return true;
  }

  #leave(): boolean {
    this.#store.writing(() => this.#store.turnTexts.cleared(this.#id));
    return false;
  }
}

/** Reads pieces of large texts, and notes where one could not be read: what is shown in its place is not kept. */
class WholePieces {
  readonly #read: PieceReader;
  isOneMissing = false;

  constructor(read: PieceReader) {
    this.#read = read;
  }

  readonly read: PieceReader = (piece) => {
    const text = this.#read(piece);
    this.isOneMissing ||= text === undefined;
    return text;
  };
}

/**
 * Writes the texts of the turns of large threads that nobody writes to: the whole of such a thread is answered from them in a fraction of the time. Needs the lease. Answers how many histories have theirs now that had none.
 * Throws `StoreError`.
 */
export async function writeTurnTexts(store: SqliteStore, host: TurnTextHost): Promise<number> {
  let written = 0;
  for (;;) {
    const id = host.isStopped() ? undefined : store.waitingTurns(host.nowMs());
    if (id === undefined) return written;
    const isWritten = await new TurnTextWriter(store, host, id).write();
    if (isWritten === undefined) return written;
    written += Number(isWritten);
  }
}
