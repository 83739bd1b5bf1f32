import type { Player } from '@tapefold/facts';
import { HistoryStarts } from '../indexing/history-starts.js';
import type { PlayStart } from '../rows/play-start.js';
import { firstDifference, plain } from './first-difference.js';

/** Bytes that the indexer may play behind the byte at which a place is due: it takes one between two reads. Twice of what it reads at once. */
const LATE_BYTES = 524_288;

/** A line's beginning, and the position of its first fact. */
interface LinePlace extends Pick<PlayStart, 'position' | 'segment' | 'offset'> {
  readonly player: Player;
}

/** Where the next place should have been. */
interface Due {
  readonly after: PlayStart;
  readonly offset: number;
  readonly position: number;
}

const keyOf = ({ segment, offset }: Pick<PlayStart, 'segment' | 'offset'>): string => `${segment} ${offset}`;
const missing = ({ segment, offset }: Pick<PlayStart, 'segment' | 'offset'>): string => `a place to play from is missing in the index, behind byte ${offset} of file ${segment + 1}`;

/** Compares the stored places to play from with a whole play of the files: where they are, the state of the player there, and that there are as many as the indexer writes. */
export class PlayedStarts {
  /** The first difference. */
  difference: string | undefined;
  /** Places that were not passed yet, by segment and byte. */
  readonly #left: Map<string, PlayStart>;
  readonly #byPosition: ReadonlyMap<number, PlayStart>;
  #last: PlayStart | undefined;
  #due: Due | undefined;

  constructor(starts: readonly PlayStart[]) {
    this.#left = new Map(starts.map((start) => [keyOf(start), start]));
    this.#byPosition = new Map(starts.map((start) => [start.position, start]));
    if (this.#left.size < starts.length) this.difference = 'two places to play from are at the same byte';
  }

  /** A file begins, at its byte 0. */
  begin(place: LinePlace): void {
    // Where two files begin at one position, only the later place is kept.
    const kept = this.#byPosition.get(place.position);
    if (!this.#left.has(keyOf(place)) && (kept === undefined || kept.segment < place.segment)) this.difference ??= `the place to play from at the beginning of file ${place.segment + 1} is missing in the index`;
    this.#last = { ...place, player: null };
    this.pass(place);
  }

  /** A line begins, or the last one ended. */
  pass(place: LinePlace): void {
    const start = this.#left.get(keyOf(place));
    if (!start) return;
    this.#left.delete(keyOf(place));
    this.#settle(start.position);
    this.#last = start;
    if (this.difference !== undefined) return;
    // The tape is played from its beginning with a new player.
    const isNew = start.player === null && start.offset === 0;
    const state = isNew ? place.player.checkpoint() : (JSON.parse(start.player ?? 'null') as unknown);
    this.difference = firstDifference({ position: place.position, player: plain(place.player.checkpoint()) }, { position: start.position, player: plain(state) }, `the place to play from at byte ${start.offset}`);
  }

  /** The same in a file that the indexer takes such places of. `isEnd`: no line follows. */
  demand(place: LinePlace, isEnd: boolean): void {
    const { difference } = this;
    if (difference !== undefined || !this.#last || this.#last.segment !== place.segment) return;
    const interval = HistoryStarts.stepAfter(this.#last.player);
    if (place.offset - this.#last.offset < interval) return;
    if (!this.#due) this.#due = { after: this.#last, offset: place.offset, position: -1 };
    // Of two places at one position the later is kept: whether one is missing is known at the next.
    if (this.#due.position < 0 && (isEnd || place.offset >= this.#due.offset + LATE_BYTES)) this.#due = { ...this.#due, position: place.position };
  }

  /** A stored place was come to. */
  #settle(position: number): void {
    if (this.#due && this.#due.position >= 0 && this.#due.position !== position) this.difference ??= missing(this.#due.after);
    this.#due = undefined;
  }

  /** All was played. */
  end(): void {
    const [left] = this.#left.values();
    if (left) this.difference ??= `the place to play from at byte ${left.offset} of file ${left.segment + 1} is where no line begins`;
    this.#settle(-1);
  }
}
