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
  readonly #starts: ReadonlyMap<string, PlayStart>;

  constructor(thread: ShelfThread, starts: readonly PlayStart[]) {
    this.#thread = thread;
    this.#starts = new Map(starts.map((start) => [`${start.segment} ${start.offset}`, start]));
  }

  async fold(segments: readonly Segment[]): Promise<this> {
    for (const [i, { file, endOffset }] of segments.entries()) {
      const player = this.#thread.shelf.played(file).createPlayer();
      for (const batch of openTapeLinesSync(file.path, { to: endOffset })) {
        for (const line of batch) this.#line(line, { player, tape: file.tape, segment: i });
        await setImmediate();
      }
      this.player = player.checkpoint();
    }
    return this;
  }

  #line(line: TapeLine, { player, tape, segment }: { readonly player: Player; readonly tape: string; readonly segment: number }): void {
    this.#compareStart(this.#starts.get(`${segment} ${line.offset}`), player);
    this.records.add(this.position, { named: this.head.identity?.historyMode === 'paginated' ? ordinalOf(line) : undefined, mark: { tape, offset: line.offset } });
    for (const fact of player.play(line).facts) this.#fact(fact);
  }

  #compareStart(start: PlayStart | undefined, player: Player): void {
    if (!start || this.differentStart !== undefined) return;
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
    const folded = foldThread(this.head, this.#thread.shown(fact), position);
    this.head = folded.head;
    this.lastAt = fact.at ?? this.lastAt;
    this.rows.apply(folded.changes);
  }
}
