import { CodexStretches, codexTailCheckpoint } from '@tapefold/dialects';
import type { TapeLine } from '@tapefold/facts';
import { type SkipLine, readLines, readLinesSync } from '@tapefold/tapes';
import { type PlacedRealtime, type ThreadHead, ThreadRows, emptyThreadHead } from '@tapefold/threads';
import { setImmediate } from 'node:timers/promises';
import type { OpenedThread } from '../../thread-source.js';
import { JOINED_BYTES } from '../../turn-map/limits.js';
import type { FoundTurns, Stretch } from '../../turn-map/turn-map.js';
import type { PlayedFile, Segment } from '../shelf.js';
import { LinesFold } from './lines-fold.js';
import { BytesLine } from './stretch-line.js';

/** Passes lines to the finder of stretches, each with its place in the file. */
function finding(stretches: CodexStretches): SkipLine {
  const line = new BytesLine();
  let offset = 0;
  return (bytes, start, end) => {
    line.turnTo(bytes, [start, end], offset);
    offset += end - start + 1;
    return stretches.take(line);
  };
}

/** Play of the lines that tell who the thread is. */
class HeadPlay {
  readonly #fold: LinesFold;
  readonly realtime: PlacedRealtime[] = [];

  constructor(file: PlayedFile) {
    this.#fold = new LinesFold(file.createPlayer(), { tape: file.tape, head: emptyThreadHead, position: 0, isNumbered: true });
  }

  get head(): ThreadHead {
    return this.#fold.head;
  }

  /** False for a line that is none, or not whole. */
  take(line: TapeLine): boolean {
    const changes = this.#fold.take(line);
    for (const change of changes) if (change.op === 'realtime.add') this.realtime.push({ ...change.realtime, place: this.#fold.records.placeOf([change.position]) });
    return line.isTerminated && line.flaw === undefined;
  }
}

/**
 * Looks through a rollout for its turns and stretches. Undefined where it has none that are sure: then only play tells. Throws `TapeError`.
 */
export async function findStretches({ file }: Segment, played: PlayedFile, isStopped: () => boolean): Promise<FoundTurns | undefined> {
  const stretches = new CodexStretches(JOINED_BYTES);
  const play = new HeadPlay(played);
  const batches = readLinesSync(file.path, { skips: finding(stretches) });
  try {
    for (;;) {
      const next = batches.next();
      if (next.done) return !next.value.isTorn && stretches.isClear && stretches.marks.length > 0 ? { head: play.head, realtime: play.realtime, endOffset: next.value.endOffset, marks: stretches.marks } : undefined;
      if (!stretches.isClear || !next.value.every((line) => play.take(line)) || isStopped()) return undefined;
      if (play.head.identity?.historyMode !== 'paginated') return undefined;
      stretches.isPromptKnown ||= play.head.details.firstPrompt !== undefined;
      await setImmediate();
    }
  } finally {
    batches.return(undefined as never);
  }
}

/** Plays a stretch. Its facts are numbered from its first byte on, which no fact before can reach. Throws `TapeError`. */
export async function openStretch({ path, tape, createPlayer }: PlayedFile, head: ThreadHead, { from, to }: Stretch): Promise<Pick<OpenedThread, 'rows' | 'placeOf' | 'marks'>> {
  const { identity } = head;
  const player = from === 0 || !identity ? createPlayer() : createPlayer(codexTailCheckpoint(identity, from));
  const fold = new LinesFold(player, { tape, head: from === 0 ? emptyThreadHead : head, position: from, isNumbered: true });
  const rows = new ThreadRows();
  for await (const lines of readLines(path, { from, to })) for (const line of lines) rows.apply(fold.take(line));
  return { rows, placeOf: fold.records.placeOf, marks: fold.records };
}
