import type { Fact, TapeId, TapeLine } from '@tapefold/facts';
import { createCodexPlayer } from '@tapefold/dialects';
import { RecordIndex, type ThreadHead, ThreadRows, emptyThreadHead, foldThread, settleThread } from '@tapefold/threads';
import type { OpenedThread, PlacedFact, ReadProgress, ThreadReading } from '../thread-source.js';
import { pieceReader } from './piece-reader.js';
import { Progress, ordinalOf, segmentLines } from './segment-lines.js';
import { threadOf } from './summary.js';
import type { Segment, ThreadFiles, ThreadShelf } from './thread-files.js';

/** A player for one file of the catalogue. */
export function playerOf({ tape, name }: Pick<Segment['file'], 'tape' | 'name'>): ReturnType<typeof createCodexPlayer> {
  return createCodexPlayer({ tape, namedThreadId: name?.threadId, namedCreatedAt: name?.createdAtLocal });
}

/** The facts of a thread in order, in batches of one line; `problems` grows while they are read. */
export async function* factsOf(segments: readonly Segment[], told: { progress: ReadProgress; problems: string[]; onLine?: (line: TapeLine, tape: TapeId) => void }): AsyncGenerator<readonly Fact[]> {
  const progress = new Progress(told.progress, segments);
  for (const segment of segments) {
    const player = playerOf(segment.file);
    const batches = segmentLines(segment, progress);
    for (;;) {
      const next = await batches.next();
      if (next.done) {
        told.problems.push(...endProblems(segment, next.value?.damage?.message, next.value?.endOffset));
        break;
      }
      for (const line of next.value) {
        told.onLine?.(line, segment.file.tape);
        const { facts } = player.play(line);
        if (facts.length) yield facts;
      }
    }
  }
}

function endProblems({ file, endOffset }: Segment, damage: string | undefined, end: number | undefined): string[] {
  const isShort = endOffset !== undefined && end !== undefined && end < endOffset;
  return [...(damage === undefined ? [] : [damage]), ...(isShort ? [`${file.shownPath} ends before the place where this thread goes on from it: some of the history is gone.`] : [])];
}

export async function* placedFacts(segments: readonly Segment[], progress: ReadProgress): AsyncGenerator<PlacedFact> {
  let position = 0;
  for await (const facts of factsOf(segments, { progress, problems: [] })) {
    for (const fact of facts) {
      yield { position, fact };
      position += 1;
    }
  }
}

/** Plays the segments of a thread and folds them into rows. */
export async function openThread(shelf: ThreadShelf, thread: ThreadFiles, progress: ReadProgress): Promise<OpenedThread> {
  const { segments, problems } = shelf.segmentsOf(thread);
  const rows = new ThreadRows();
  const records = new RecordIndex();
  let head: ThreadHead = emptyThreadHead;
  let position = 0;
  const onLine = (line: TapeLine, tape: TapeId): void =>
    records.add(position, { named: head.identity?.historyMode === 'paginated' ? ordinalOf(line) : undefined, mark: { tape, offset: line.offset } });
  for await (const facts of factsOf(segments, { progress, problems, onLine })) {
    for (const fact of facts) {
      const folded = foldThread(head, fact, position);
      position += 1;
      head = folded.head;
      rows.apply(folded.changes);
    }
  }
  return { thread: threadOf(shelf, thread, head), head, rows, placeOf: records.placeOf, marks: records, readPiece: pieceReader(shelf.catalog), problems };
}

/** The thread with all its turns, settled: nothing runs. */
export function readingOf(opened: OpenedThread): ThreadReading {
  const turns = settleThread(opened.head, opened.rows, { readPiece: opened.readPiece });
  return { thread: { ...opened.thread, turns }, problems: opened.problems };
}
