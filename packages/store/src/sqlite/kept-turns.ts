import type { Buffer } from 'node:buffer';
import type { Order } from '@tapefold/threads';
import { StoreError } from '../errors.js';
import type { TextBlock } from '../turn-texts/turn-texts.js';
import { Inflater } from './deflated.js';
import type { HistoryRowsReader } from './history-rows.js';

/** Turns as text that were kept, and the order of the last of them. */
export interface KeptTurns {
  readonly text: Buffer;
  readonly last: Order;
}

/** Blocks of one version of a history, each on its way out of its deflated form as soon as it is taken. */
class KeptBlocks {
  readonly #rows: HistoryRowsReader;
  readonly #inflater = new Inflater();
  #version: number | undefined;

  constructor(rows: HistoryRowsReader) {
    this.#rows = rows;
  }

  /** Undefined where there are no more, or none any more. */
  at(number: number): { readonly text: Promise<Buffer>; readonly last: Order } | undefined {
    const kept = this.#rows.keptBlock(number);
    this.#version ??= kept?.version;
    if (kept?.version !== this.#version || !kept) return undefined;
    const text = this.#inflated(kept.block);
    // Nobody may come for it.
    text.catch(() => undefined);
    return { text, last: kept.block.last };
  }

  close(): void {
    this.#inflater.close();
  }

  async #inflated({ bytes, text }: TextBlock): Promise<Buffer> {
    try {
      const whole = await this.#inflater.inflated(text);
      if (whole.length !== bytes) throw new Error(`a text of ${bytes} bytes has ${whole.length}`);
      return whole;
    } catch (cause) {
      throw new StoreError('storeDamaged', { path: this.#rows.path, cause });
    }
  }
}

/**
 * The turns of a history as text, from the first on, as far as they are kept: the next block is made while one is used. Where rows have been written
 * since, it ends before. Throws `StoreError`: `storeDamaged`, `rewritten`.
 */
export async function* keptTurns(rows: HistoryRowsReader): AsyncGenerator<KeptTurns, void> {
  const blocks = new KeptBlocks(rows);
  try {
    let coming = blocks.at(0);
    for (let number = 1; coming; number++) {
      const { text, last } = coming;
      coming = blocks.at(number);
      yield { text: await text, last };
    }
  } finally {
    blocks.close();
  }
}
