import type { Player, TapeLine } from '@tapefold/facts';
import { RecordIndex, type RowChange, type ThreadHead, foldThread } from '@tapefold/threads';
import { ordinalOf } from '../segment-lines.js';

/** What lines are folded on from. `position`: of the first fact; `isNumbered`: records carry their numbers. */
interface LinesStart {
  readonly tape: string;
  readonly head: ThreadHead;
  readonly position: number;
  readonly isNumbered: boolean;
}

/** Plays and folds some lines of a rollout, one after the other. */
export class LinesFold {
  readonly records = new RecordIndex();
  head: ThreadHead;
  /** Of the next fact. */
  position: number;
  readonly #player: Player;
  readonly #start: LinesStart;

  constructor(player: Player, start: LinesStart) {
    this.#player = player;
    this.#start = start;
    this.head = start.head;
    this.position = start.position;
  }

  /** What the line changes. */
  take(line: TapeLine): RowChange[] {
    const { tape, isNumbered } = this.#start;
    this.records.add(this.position, { named: isNumbered ? ordinalOf(line) : undefined, mark: { tape, offset: line.offset } });
    return this.#player.play(line).facts.flatMap((fact) => {
      const folded = foldThread(this.head, fact, this.position);
      this.position += 1;
      this.head = folded.head;
      return folded.changes;
    });
  }
}
