import { setImmediate } from 'node:timers/promises';
import type { PieceReader } from '@tapefold/facts';
import { StoreError } from '../errors.js';
import { stampedPieces } from '../search/row-texts.js';
import { deflatedBytes } from '../sqlite/deflated.js';
import type { SqliteStore } from '../sqlite/sqlite-store.js';
import { WrittenTurns } from '../sqlite/written-turns.js';
import type { HistoryId } from '../thread-store.js';
import { QUIET_MS, TEXT_BLOCK_BYTES, TEXT_SHARE, TURN_ITEMS } from './limits.js';
import { type TextPart, textParts } from './text-parts.js';

/** What writing texts asks between two transactions. `blockBytes`, `share`: other than the usual (`TEXT_BLOCK_BYTES`, `TEXT_SHARE`), for tests of small threads. */
export interface TurnTextHost {
  readonly nowMs: () => number;
  readonly isStopped: () => boolean;
  readonly blockBytes?: number | undefined;
  readonly share?: number | undefined;
}

/** What became of the texts of a history: all are there; it was stopped on the way; they are put off, or not made at all. */
type Outcome = 'written' | 'stopped' | 'later' | 'never';

/** Texts of one history, at most one transaction for each block; those that are there by now stay. Needs the lease. */
class TurnTextWriter {
  readonly #store: SqliteStore;
  readonly #host: TurnTextHost;
  readonly #id: HistoryId;

  constructor(store: SqliteStore, host: TurnTextHost, id: HistoryId) {
    this.#store = store;
    this.#host = host;
    this.#id = id;
  }

  async write(): Promise<Outcome> {
    const rows = this.#store.rowsOf(this.#id, String(this.#id));
    // Rows of another history may change without this one's being written.
    if (!rows || this.#store.shared.of(this.#id).length > 0 || rows.hasTurnOver(TURN_ITEMS)) return 'never';
    const { next, last, keptBytes } = this.#store.writing(() => this.#store.turnTexts.begin(this.#id));
    const { version, state } = rows;
    const pieces = new WholePieces(stampedPieces(state.segments));
    let [number, left] = [next, state.bytes * (this.#host.share ?? TEXT_SHARE) - keptBytes];
    for (const part of textParts(new WrittenTurns(rows, pieces.read), { after: last, leastBytes: this.#host.blockBytes ?? TEXT_BLOCK_BYTES })) {
      if (rows.version !== version) return 'stopped';
      if (pieces.isOneMissing) return 'later';
      if (!part) return 'never';
      left -= this.#add(number, part);
      if (left < 0) return 'never';
      number += 1;
      // However often it is stopped, a block was added.
      if (this.#host.isStopped()) return 'stopped';
      await setImmediate();
    }
    return this.#store.writing(() => this.#store.turnTexts.finish(this.#id, number)) ? 'written' : 'stopped';
  }

  /** Answers the bytes that it takes. */
  #add(number: number, { text, last }: TextPart): number {
    const packed = deflatedBytes(text);
    this.#store.writing(() => this.#store.turnTexts.add(this.#id, number, { last, bytes: text.length, text: packed }));
    return packed.length;
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

/** Rows that cannot be read are told of by whoever needs them: nothing else waits for these texts. The right to write, and the place for it, is the caller's matter. */
const endsAll = (error: unknown): boolean => error instanceof StoreError && error.code !== 'storeDamaged' && error.code !== 'rewritten';

async function outcomeOf(writer: TurnTextWriter): Promise<Outcome> {
  try {
    return await writer.write();
  } catch (error) {
    if (endsAll(error)) throw error;
    return 'never';
  }
}

/**
 * Writes the texts of the turns of large threads that nobody writes to: the whole of such a thread is answered from them in a fraction of the time. What was stopped is gone on with the next time. Needs the lease.
 * Answers how many histories have theirs now that had none. Throws `StoreError` (`leaseLost`); where there is no room for them, it just ends.
 */
export async function writeTurnTexts(store: SqliteStore, host: TurnTextHost): Promise<number> {
  let written = 0;
  try {
    store.writing(() => store.turnTexts.tidy());
    for (let id = nextOf(store, host); id !== undefined; id = nextOf(store, host)) {
      const outcome = await outcomeOf(new TurnTextWriter(store, host, id));
      if (outcome === 'stopped') return written;
      if (outcome === 'written') written += 1;
      else settle(store, id, { nowMs: host.nowMs(), isPutOff: outcome === 'later' });
    }
  } catch (error) {
    if (!(error instanceof StoreError) || error.code === 'leaseLost') throw error;
  }
  return written;
}

const nextOf = (store: SqliteStore, host: TurnTextHost): HistoryId | undefined => (host.isStopped() ? undefined : store.waitingTurns(host.nowMs()));

/** A history that has no texts now has none until it is written to, or for a while. */
function settle(store: SqliteStore, id: HistoryId, { nowMs, isPutOff }: { readonly nowMs: number; readonly isPutOff: boolean }): void {
  store.writing(() => (isPutOff ? store.turnTexts.postpone(id, nowMs + QUIET_MS) : store.turnTexts.cleared(id)));
}
