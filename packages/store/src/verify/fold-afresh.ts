import { type ContextState, emptyContext, foldContext } from '@tapefold/context';
import { type Fact, type JsonValue, type Player, type TapeLine } from '@tapefold/facts';
import { RecordIndex, type ThreadHead, ThreadRows, emptyThreadHead, foldThread } from '@tapefold/threads';
import { TranscriptFold } from '@tapefold/transcript/fold';
import type { PlayStart } from '../rows/play-start.js';
import type { SegmentStamp } from '../rows/segment-stamp.js';
import { ordinalOf } from '../files/segment-lines.js';
import type { Segment, ShelfThread } from '../files/shelf.js';
import { HistoryOutline } from '../indexing/history-outline.js';
import { PlayedSegment, type SegmentEnd } from './played-segment.js';
import { PlayedStarts } from './played-starts.js';

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
  /** The model's history. */
  context: ContextState = emptyContext;
  /** How the play of each file ended. */
  readonly ends: SegmentEnd[] = [];
  readonly starts: PlayedStarts;
  readonly #thread: ShelfThread;

  constructor(thread: ShelfThread, starts: readonly PlayStart[]) {
    this.#thread = thread;
    this.starts = new PlayedStarts(starts);
  }

  /** Whether a line without an end is behind: from then on the indexer takes no places to play from. */
  get #isLoose(): boolean {
    return this.ends.some(({ isLoose }) => isLoose);
  }

  /** Throws `TapeError`. */
  async fold(stamps: readonly SegmentStamp[]): Promise<this> {
    const { segments } = this.#thread.segments();
    for (const [i, stamp] of stamps.entries()) await this.#segment(segments[i] as Segment, { stamp, index: i });
    this.starts.end();
    return this;
  }

  async #segment(segment: Segment, { stamp, index }: { readonly stamp: SegmentStamp; readonly index: number }): Promise<void> {
    const { file, endOrdinal } = segment;
    const player = this.#thread.shelf.played(file).createPlayer();
    const played = new PlayedSegment(segment, stamp);
    const hasStarts = file.form === 'lines' && !this.#isLoose;
    let offset = 0;
    const place = () => ({ position: this.position, segment: index, offset, player });
    this.starts.begin(place());
    for await (const lines of played.lines()) {
      for (const line of lines) {
        // A document is played from its beginning, where no line of it stands.
        ({ offset } = line);
        this.starts.pass(place());
        if (hasStarts) this.starts.demand(place(), false);
        this.#line(line, { player, tape: file.tape });
        offset = line.offset + line.length;
      }
    }
    this.starts.pass(place());
    this.ends.push(played.end);
    if (hasStarts && endOrdinal === undefined && !played.end.isLoose) this.starts.demand(place(), true);
    this.player = player.checkpoint();
  }

  #line(line: TapeLine, { player, tape }: { readonly player: Player; readonly tape: string }): void {
    this.records.add(this.position, { named: this.head.identity?.historyMode === 'paginated' ? ordinalOf(line) : undefined, mark: { tape, offset: line.offset } });
    for (const fact of player.play(line).facts) this.#fact(fact);
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
