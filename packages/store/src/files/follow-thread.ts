import type { Fact, Player } from '@tapefold/facts';
import { TapeError, type FollowedTape, followLines } from '@tapefold/tapes';
import type { FollowOptions, PlacedFact, ThreadGrowth } from '../thread-source.js';
import { Progress, segmentLines } from './segment-lines.js';
import type { Segment, ShelfThread } from './shelf.js';

/** Counts positions, and keeps the facts that are told of the thread. */
class Telling {
  #position = 0;

  constructor(private readonly thread: ShelfThread, private readonly isOwn: boolean) {}

  /** The growth that these facts are; nothing where none of them is told. */
  *take(facts: readonly Fact[]): Generator<ThreadGrowth> {
    const placed: PlacedFact[] = [];
    for (const fact of facts) {
      if (this.isOwn ? this.thread.owns(fact) : this.thread.tells(fact)) placed.push({ position: this.#position, fact });
      this.#position += 1;
    }
    if (placed.length > 0) yield { kind: 'facts', facts: placed };
  }
}

async function* playedWhole(player: Player, segment: Segment, telling: Telling): AsyncGenerator<ThreadGrowth, void> {
  for await (const lines of segmentLines(segment, new Progress({}, [segment]))) {
    for (const line of lines) yield* telling.take(player.play(line).facts);
  }
}

/** A file that cannot grow (a compressed one) is none to follow. */
function growing(path: string): FollowedTape | undefined {
  try {
    return followLines(path);
  } catch (error) {
    if (error instanceof TapeError && error.code === 'notGrowing') return undefined;
    throw error;
  }
}

/**
 * A thread from its first fact on, and then what is written to its newest file: older files of it do not grow. A rewritten file ends this with `restarted`:
 * whoever follows begins again.
 */
export async function* followThread(thread: ShelfThread, { isOwn = false, signal }: FollowOptions): AsyncGenerator<ThreadGrowth, void> {
  const telling = new Telling(thread, isOwn);
  const { segments } = thread.segments();
  const newest = segments.at(-1);
  for (const segment of segments.slice(0, -1)) yield* playedWhole(thread.shelf.played(segment.file).createPlayer(), segment, telling);
  if (!newest) return yield { kind: 'gone' };
  const player = thread.shelf.played(newest.file).createPlayer();
  const followed = growing(newest.file.path);
  if (!followed) {
    yield* playedWhole(player, newest, telling);
    return yield { kind: 'caughtUp' };
  }
  const close = (): void => followed.close();
  signal.addEventListener('abort', close, { once: true });
  if (signal.aborted) close();
  try {
    for await (const news of followed) {
      switch (news.kind) {
        case 'lines': yield* telling.take(news.lines.flatMap((line) => player.play(line).facts)); break;
        case 'caughtUp': yield { kind: 'caughtUp' }; break;
        case 'restarted': return yield { kind: 'restarted' };
        case 'gone': return yield { kind: 'gone' };
      }
    }
  } finally {
    signal.removeEventListener('abort', close);
  }
}
