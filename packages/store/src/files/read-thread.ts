import type { Fact, TapeId, TapeLine } from '@tapefold/facts';
import { RecordIndex, type ThreadHead, ThreadRows, emptyThreadHead, foldThread, settleBranches, settleThread } from '@tapefold/threads';
import { StoreError } from '../errors.js';
import type { FactsOptions, OpenOptions, OpenedThread, PlacedFact, ReadOptions, ReadProgress, ThreadReading } from '../thread-source.js';
import { pieceReader } from './piece-reader.js';
import { timeMs } from './record-time.js';
import { Progress, ordinalOf, segmentLines } from './segment-lines.js';
import type { Segment, ShelfThread } from './shelf.js';
import { withWholeOutputs } from './whole-outputs.js';

interface Told { readonly progress: ReadProgress; readonly problems: string[]; readonly onLine?: (line: TapeLine, tape: TapeId) => void }

/** The facts of a thread's files in order, in batches of one line; `problems` grows while they are read. */
async function* factsOf({ shelf }: ShelfThread, segments: readonly Segment[], told: Told): AsyncGenerator<readonly Fact[]> {
  const progress = new Progress(told.progress, segments);
  for (const segment of segments) {
    const player = shelf.played(segment.file).createPlayer();
    const batches = segmentLines(segment, progress);
    try {
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
    } finally {
      await batches.return(undefined);
    }
  }
}

/** Facts with their places, up to the one that is asked for. Throws `StoreError` (`positionBehindEnd`) where the thread ends before it. */
async function* upTo(asOf: number | undefined, batches: AsyncGenerator<readonly Fact[]>): AsyncGenerator<PlacedFact> {
  let position = 0;
  for await (const facts of batches) {
    for (const fact of facts) {
      yield { position, fact };
      if (position === asOf) return;
      position += 1;
    }
  }
  if (asOf !== undefined) throw new StoreError('positionBehindEnd', { position: asOf, last: position - 1 });
}

/** What the end of a segment tells: damage, or that it ends before the cut that the thread gives it. */
export function endProblems({ file, endOffset }: Segment, damage: string | undefined, end: number | undefined): string[] {
  const isShort = endOffset !== undefined && end !== undefined && end < endOffset;
  return [...(damage === undefined ? [] : [damage]), ...(isShort ? [`${file.shownPath} ends before the place where this thread goes on from it: some of the history is gone.`] : [])];
}

/** What a thread's files say, each fact at its place; sub-agents whose lines stand in the file of their parent included, unless only its own is wanted. */
export async function* placedFacts(thread: ShelfThread, options: FactsOptions): AsyncGenerator<PlacedFact> {
  for await (const placed of upTo(options.asOf, factsOf(thread, thread.segments().segments, { progress: options, problems: [] }))) {
    if (options.isOwn ? thread.owns(placed.fact) : thread.tells(placed.fact)) yield placed;
  }
}

/** What is told of a thread with damaged lines. */
export const damagedLines = (count: number, threadId: string): string => `${count} of its lines cannot be read: \`tapefold doctor ${threadId}\` says which.`;

/** Plays the segments of a thread and folds what is its own into rows, all of it or up to a fact. */
export async function openThread(thread: ShelfThread, { onProgress, asOf }: OpenOptions): Promise<OpenedThread> {
  const { segments, problems: known } = thread.segments();
  const problems = [...known];
  const rows = new ThreadRows();
  const records = new RecordIndex();
  let head: ThreadHead = emptyThreadHead;
  const outputs = thread.outputs();
  let lastAt: string | undefined;
  let next = 0;
  const onLine = (line: TapeLine, tape: TapeId): void =>
    records.add(next, { named: head.identity?.historyMode === 'paginated' ? ordinalOf(line) : undefined, mark: { tape, offset: line.offset } });
  for await (const { position, fact } of upTo(asOf, factsOf(thread, segments, { progress: { onProgress }, problems, onLine }))) {
    const folded = thread.owns(fact) ? foldThread(head, thread.shown(fact), position) : undefined;
    next = position + 1;
    if (!folded) continue;
    outputs?.note(fact);
    head = folded.head;
    lastAt = fact.at ?? lastAt;
    rows.apply(folded.changes);
  }
  if (head.counts.damaged > 0) problems.push(damagedLines(head.counts.damaged, thread.threadId));
  return { program: thread.shelf.program, lastRecordAtMs: timeMs(lastAt), thread: thread.object(head), head, rows, placeOf: records.placeOf, marks: records, readPiece: pieceReader(thread.shelf.byTape), problems, wholeOutput: outputs?.whole };
}

/** The thread with all its turns, settled: nothing runs. */
export function readingOf(opened: OpenedThread, { hasWholeOutputs = false, hasAllBranches = false }: Pick<ReadOptions, 'hasWholeOutputs' | 'hasAllBranches'> = {}): ThreadReading {
  const settle = hasAllBranches ? settleBranches : settleThread;
  const turns = settle(opened.head, opened.rows, { readPiece: opened.readPiece });
  return { program: opened.program, lastRecordAtMs: opened.lastRecordAtMs, thread: { ...opened.thread, turns: hasWholeOutputs ? withWholeOutputs(turns, opened) : turns }, problems: opened.problems };
}
