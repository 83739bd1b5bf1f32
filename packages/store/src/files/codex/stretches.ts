import { CodexStretches, codexTailCheckpoint } from '@tapefold/dialects';
import type { TapeLine } from '@tapefold/facts';
import { type SkipLine, readLines, readLinesSync } from '@tapefold/tapes';
import { type PlacedRealtime, type ThreadHead, ThreadRows, emptyThreadHead } from '@tapefold/threads';
import { setImmediate } from 'node:timers/promises';
import type { OpenedThread } from '../../thread-source.js';
import { JOINED_BYTES } from '../../turn-map/limits.js';
import type { FoundTurns, MappedBytes, Stretch } from '../../turn-map/turn-map.js';
import type { PlayedFile, Segment } from '../shelf.js';
import { LinesFold } from './lines-fold.js';
import { BytesLine } from './stretch-line.js';

/** A file to look through, and how it is played. */
interface LookedFile {
  readonly segment: Segment;
  readonly played: PlayedFile;
}

/** Play of the lines that tell who the thread is. */
class HeadPlay {
  #fold: LinesFold | undefined;
  readonly realtime: PlacedRealtime[] = [];

  get head(): ThreadHead {
    return this.#fold?.head ?? emptyThreadHead;
  }

  begin({ tape, createPlayer }: PlayedFile): void {
    this.#fold = new LinesFold(createPlayer(), { tape, head: this.head, position: this.#fold?.position ?? 0, isNumbered: true });
  }

  /** False for a line that is none, or not whole, or not of the kind of file that has stretches. */
  take(line: TapeLine): boolean {
    const changes = this.#fold?.take(line) ?? [];
    for (const change of changes) if (change.op === 'realtime.add' && this.#fold) this.realtime.push({ ...change.realtime, place: this.#fold.records.placeOf([change.position]) });
    return line.isTerminated && line.flaw === undefined && this.head.identity?.historyMode === 'paginated';
  }
}

/** One look through the files of a thread. */
class StretchLook {
  readonly stretches = new CodexStretches(JOINED_BYTES);
  readonly play = new HeadPlay();
  readonly files: MappedBytes[] = [];

  /** Passes lines to the finder, each with its place in all files in a row. */
  #skips(base: number): SkipLine {
    const line = new BytesLine();
    let offset = base;
    return (bytes, start, end) => {
      line.turnTo(bytes, [start, end], offset);
      offset += end - start + 1;
      return this.stretches.take(line);
    };
  }

  #takes(lines: readonly TapeLine[]): boolean {
    const isWhole = this.stretches.isClear && lines.every((line) => this.play.take(line));
    this.stretches.isPromptKnown ||= this.play.head.details.firstPrompt !== undefined;
    return isWhole;
  }

  /** Answers whether all of the file is sure. */
  async file({ segment: { file, endOffset }, played }: LookedFile, isStopped: () => boolean): Promise<boolean> {
    const { stretches, play, files } = this;
    const from = files.at(-1)?.to ?? 0;
    const marks = stretches.marks.length;
    play.begin(played);
    stretches.nextFile();
    const batches = readLinesSync(file.path, { to: endOffset, skips: this.#skips(from) });
    try {
      for (;;) {
        const next = batches.next();
        if (next.done) {
          const { isTorn, endOffset: end } = next.value;
          files.push({ threadId: play.head.identity?.threadId ?? '', from, to: from + end, firstOrdinal: stretches.marks[marks]?.ordinal ?? null });
          return !isTorn && stretches.isClear && end === (endOffset ?? end);
        }
        if (!this.#takes(next.value) || isStopped()) return false;
        await setImmediate();
      }
    } finally {
      batches.return(undefined as never);
    }
  }
}

/** Looks through rollouts that go on from each other for their turns and stretches. Undefined where they have none that are sure: then only play tells. Throws `TapeError`. */
export async function findStretches(looked: readonly LookedFile[], isStopped: () => boolean): Promise<FoundTurns | undefined> {
  const look = new StretchLook();
  for (const file of looked) if (!await look.file(file, isStopped)) return undefined;
  const { play: { head, realtime }, stretches: { marks }, files } = look;
  return marks.length > 0 ? { head, realtime, files, marks } : undefined;
}

/** Plays a stretch. Its facts are numbered from its first byte on, which no fact before can reach. Throws `TapeError`. */
export async function openStretch({ path, tape, createPlayer }: PlayedFile, head: ThreadHead, { from, to, position }: Stretch): Promise<Pick<OpenedThread, 'rows' | 'placeOf' | 'marks'>> {
  const { identity } = head;
  const player = from === 0 || !identity ? createPlayer() : createPlayer(codexTailCheckpoint(identity, from));
  const fold = new LinesFold(player, { tape, head, position, isNumbered: true });
  const rows = new ThreadRows();
  for await (const lines of readLines(path, { from, to })) for (const line of lines) rows.apply(fold.take(line));
  return { rows, placeOf: fold.records.placeOf, marks: fold.records };
}
