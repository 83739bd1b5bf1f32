import { type ContextState, emptyContext, foldContext } from '@tapefold/context';
import { type Fact, type JsonValue, type Player, type TapeLine } from '@tapefold/facts';
import { openTapeLinesSync } from '@tapefold/tapes';
import { RecordIndex, type ThreadHead, ThreadRows, emptyThreadHead, foldThread } from '@tapefold/threads';
import { TranscriptFold } from '@tapefold/transcript/fold';
import { setImmediate } from 'node:timers/promises';
import type { PlayStart } from '../rows/play-start.js';
import { ordinalOf } from '../files/segment-lines.js';
import type { Segment, ShelfThread } from '../files/shelf.js';
import { HistoryOutline } from '../indexing/history-outline.js';
import { firstDifference, plain } from './first-difference.js';

const placeOf = ({ segment, offset }: Pick<PlayStart, 'segment' | 'offset'>): string => `${segment} ${offset}`;

/** What a thread's files come to when they are folded anew in memory, up to the bytes that rows were made of. */
export class Afresh {
  readonly rows = new ThreadRows();
  readonly records = new RecordIndex();
  readonly outline = new HistoryOutline();
  readonly transcript = new TranscriptFold();
  head: ThreadHead = emptyThreadHead;
  position = 0;
  lastAt: string | null = null;
  player: JsonValue = null;
  /** The first of the stored places at which the player was in another state. */
  differentStart: string | undefined;
  readonly #thread: ShelfThread;
  /** The model's history. */
  context: ContextState = emptyContext;
  /** Stored places that were not passed yet, by segment and byte. */
  readonly #starts: Map<string, PlayStart>;

  constructor(thread: ShelfThread, starts: readonly PlayStart[]) {
    this.#thread = thread;
    this.#starts = new Map(starts.map((start) => [placeOf(start), start]));
    if (this.#starts.size < starts.length) this.differentStart = 'two places to play from are at the same byte';
  }

  async fold(segments: readonly Segment[]): Promise<this> {
    for (const [i, { file, endOffset }] of segments.entries()) {
      const player = this.#thread.shelf.played(file).createPlayer();
      let offset = 0;
      // A document is played from its beginning, where no line of it stands.
      this.#compareStart({ segment: i, offset }, player);
      for (const batch of openTapeLinesSync(file.path, { to: endOffset })) {
        for (const line of batch) {
          this.#line(line, { player, tape: file.tape, segment: i });
          offset = line.offset + line.length;
        }
        await setImmediate();
      }
      this.#compareStart({ segment: i, offset }, player);
      this.player = player.checkpoint();
    }
    const [left] = this.#starts.values();
    if (left) this.differentStart ??= `the place to play from at byte ${left.offset} of file ${left.segment + 1} is where no line begins`;
    return this;
  }

  #line(line: TapeLine, { player, tape, segment }: { readonly player: Player; readonly tape: string; readonly segment: number }): void {
    this.#compareStart({ segment, offset: line.offset }, player);
    this.records.add(this.position, { named: this.head.identity?.historyMode === 'paginated' ? ordinalOf(line) : undefined, mark: { tape, offset: line.offset } });
    for (const fact of player.play(line).facts) this.#fact(fact);
  }

  #compareStart(place: Pick<PlayStart, 'segment' | 'offset'>, player: Player): void {
    const start = this.#starts.get(placeOf(place));
    if (!start) return;
    this.#starts.delete(placeOf(place));
    if (this.differentStart !== undefined) return;
    // Where two segments begin at one position, the later one counts.
    const state = start.player === null ? player.checkpoint() : (JSON.parse(start.player) as unknown);
    this.differentStart = firstDifference({ position: this.position, player: plain(player.checkpoint()) }, { position: start.position, player: plain(state) }, `the place to play from at byte ${start.offset}`);
  }

  #fact(fact: Fact): void {
    const { position } = this;
    this.position += 1;
    if (!this.#thread.owns(fact)) return;
    this.outline.take(fact, position);
    this.transcript.load(fact);
    this.context = foldContext(this.context, fact, position);
    const folded = foldThread(this.head, this.#thread.shown(fact), position);
    this.head = folded.head;
    this.lastAt = fact.at ?? this.lastAt;
    this.rows.apply(folded.changes);
  }
}
