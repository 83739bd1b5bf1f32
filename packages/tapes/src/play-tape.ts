import { type Fact, type Ledger, type Player, type TapeLine, emptyLedger, enterLine } from '@tapefold/facts';
import type { TapeError } from './errors.js';
import { type OpenTapeOptions, openTapeLines } from './open-tape.js';

/** Options of a play, beside those of the reading. */
export interface PlayOptions extends OpenTapeOptions {
  /** The facts of each line that gave some, in order. */
  readonly onFacts?: ((facts: readonly Fact[], line: TapeLine) => void) | undefined;
  /** After each batch of about one chunk; awaited, so that a slow consumer slows the reading. */
  readonly onBatch?: (() => void | Promise<void>) | undefined;
}

/** What a play came to. */
export interface PlayedTape {
  readonly ledger: Ledger;
  /** Where to go on when the file grows: before a torn last line, else after the last line. */
  readonly endOffset: number;
  /** The content ends inside a line, a document or a compressed frame. */
  readonly isTorn: boolean;
  /** The rest of a compressed file that cannot be decoded: no line stands for it, so the ledger cannot. */
  readonly damage?: TapeError | undefined;
}

/**
 * Feeds every line of a tape to the player and enters its account. Memory is bounded by the longest line. Throws `TapeError` with path and
 * offset when the file cannot be opened or read on; what was played until then was handed to `onFacts`.
 */
export async function playTape(path: string, player: Player, options: PlayOptions = {}): Promise<PlayedTape> {
  const ledger = emptyLedger();
  const batches = openTapeLines(path, options);
  try {
    for (;;) {
      const next = await batches.next();
      if (next.done) return { ledger, ...next.value, endOffset: ledger.tornTail?.offset ?? next.value.endOffset };
      for (const line of next.value) playLine(line, { player, ledger, onFacts: options.onFacts });
      await options.onBatch?.();
    }
  } finally {
    // Closes the file also when the player's host threw.
    await batches.return(undefined as never);
  }
}

function playLine(line: TapeLine, { player, ledger, onFacts }: { player: Player; ledger: Ledger; onFacts: PlayOptions['onFacts'] }): void {
  const { facts, account } = player.play(line);
  enterLine(ledger, line, account);
  if (facts.length) onFacts?.(facts, line);
}
