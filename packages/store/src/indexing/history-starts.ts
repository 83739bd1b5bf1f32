import type { Player } from '@tapefold/facts';
import type { PlayStart } from '../rows/play-start.js';
import { START_BYTES, START_STATE_RATIO } from './limits.js';

/** Chooses the places that a history's tapes can be played from. Memory: those between two commits. */
export class HistoryStarts {
  readonly #stepBytes: number | undefined;
  readonly #passed: PlayStart[] = [];
  #segment = 0;
  #offset = 0;
  #interval: number;

  /** `stepBytes`: another step than the usual; `last`: the last place that is stored. */
  constructor(stepBytes?: number, last?: PlayStart) {
    this.#stepBytes = stepBytes;
    this.#segment = last?.segment ?? 0;
    this.#offset = last?.offset ?? 0;
    this.#interval = this.#stepAfter(last?.player ?? null);
  }

  /** Bytes behind a place with this state of the player (as JSON) until the next one. */
  static stepAfter(player: string | null): number {
    return Math.max(START_BYTES, (player?.length ?? 0) * START_STATE_RATIO);
  }

  #stepAfter(player: string | null): number {
    return this.#stepBytes ?? HistoryStarts.stepAfter(player);
  }

  /** A segment begins: its tape is played from its beginning. */
  begin(segment: number, position: number): void {
    this.#segment = segment;
    this.#note({ position, segment, offset: 0, player: null });
  }

  /** Lines up to a byte were played. */
  pass({ position, offset }: Pick<PlayStart, 'position' | 'offset'>, player: Player): void {
    if (offset - this.#offset < this.#interval) return;
    this.#note({ position, segment: this.#segment, offset, player: JSON.stringify(player.checkpoint()) });
  }

  #note(start: PlayStart): void {
    this.#passed.push(start);
    this.#offset = start.offset;
    this.#interval = this.#stepAfter(start.player);
  }

  /** Places since the last commit. */
  passed(): readonly PlayStart[] {
    return [...this.#passed];
  }

  /** They were written. */
  committed(): void {
    this.#passed.length = 0;
  }
}
