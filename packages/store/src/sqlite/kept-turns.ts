import { Buffer } from 'node:buffer';
import { promisify } from 'node:util';
import { inflateRaw } from 'node:zlib';
import type { Order } from '@tapefold/threads';
import { StoreError } from '../errors.js';
import { TEXT_BLOCK_MOST_BYTES } from '../turn-texts/limits.js';
import type { TextBlock } from '../turn-texts/turn-texts.js';
import type { HistoryRowsReader } from './history-rows.js';

const inflate = promisify(inflateRaw);

/** Turns as text that were kept, and the order of the last of them. */
export interface KeptTurns {
  readonly text: Buffer;
  readonly last: Order;
}

/** Blocks of one version of a history, each on its way out of its deflated form as soon as it is taken. */
class KeptBlocks {
  readonly #rows: HistoryRowsReader;
  #version: number | undefined;

  constructor(rows: HistoryRowsReader) {
    this.#rows = rows;
  }

  /** `end`: there were no more; undefined: they are gone, or were never there. */
  at(number: number): { readonly text: Promise<Buffer>; readonly last: Order } | 'end' | undefined {
    const kept = this.#rows.keptBlock(number);
    this.#version ??= kept?.version;
    if (kept?.version !== this.#version || !kept) return undefined;
    if (kept.block === 'end') return 'end';
    const text = this.#inflated(kept.block);
    // Nobody may come for it.
    text.catch(() => undefined);
    return { text, last: kept.block.last };
  }

  async #inflated({ bytes, text }: TextBlock): Promise<Buffer> {
    try {
      const whole = await inflate(text, { chunkSize: Math.min(Math.max(bytes, 64), 2 * TEXT_BLOCK_MOST_BYTES) });
      if (whole.length !== bytes) throw new Error(`a text of ${bytes} bytes has ${whole.length}`);
      return whole;
    } catch (cause) {
      throw new StoreError('storeDamaged', { path: this.#rows.path, cause });
    }
  }
}

/**
 * The turns of a history as text, from the first on, as far as they are kept: the next block is made while one is used. Answers whether those were all; where they
 * were not, rows have been written since, or there are none. Throws `StoreError`: `storeDamaged`, `rewritten`.
 */
export async function* keptTurns(rows: HistoryRowsReader): AsyncGenerator<KeptTurns, boolean> {
  const blocks = new KeptBlocks(rows);
  let coming = blocks.at(0);
  for (let number = 1; coming !== undefined && coming !== 'end'; number++) {
    const { text, last }: Exclude<typeof coming, 'end'> = coming;
    coming = blocks.at(number);
    yield { text: await text, last };
  }
  return coming === 'end';
}
