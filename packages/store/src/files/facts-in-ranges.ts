import type { JsonValue } from '@tapefold/facts';
import type { FactRange, PlayStart, StartQuery } from '../rows/play-start.js';
import type { PlacedFact } from '../thread-source.js';
import { Progress, segmentLines } from './segment-lines.js';
import type { ShelfThread } from './shelf.js';

/** Where every thread can be played from. */
const beginning: PlayStart = { position: 0, segment: 0, offset: 0, player: null };

/** Ranges in order, those that touch as one, empty ones left out. */
export function joinedRanges(ranges: readonly FactRange[]): FactRange[] {
  const joined: FactRange[] = [];
  for (const range of [...ranges].filter(({ from, to }) => from < to).sort((a, b) => a.from - b.from)) {
    const last = joined.at(-1);
    if (last && range.from <= last.to) joined[joined.length - 1] = { from: last.from, to: Math.max(last.to, range.to) };
    else joined.push(range);
  }
  return joined;
}

/** Every fact of the thread's files from a place on. */
async function* playedFrom(thread: ShelfThread, start: PlayStart): AsyncGenerator<PlacedFact, void> {
  let { position } = start;
  const { segments } = thread.segments();
  for (const [i, segment] of segments.entries()) {
    if (i < start.segment) continue;
    const isFirst = i === start.segment;
    const player = thread.shelf.played(segment.file).createPlayer(isFirst && start.player !== null ? (JSON.parse(start.player) as JsonValue) : undefined);
    for await (const lines of segmentLines(segment, new Progress({}, []), isFirst ? start.offset : 0)) {
      for (const line of lines) for (const fact of player.play(line).facts) yield { position: position++, fact };
    }
  }
}

/** How facts are played. `startAt`: places to play from; `onPlayed`: each fact that was played, whether it was asked for or not. */
export interface RangePlay {
  readonly startAt: (query: StartQuery) => Promise<PlayStart | undefined>;
  readonly onPlayed: (placed: PlacedFact) => void;
}

/**
 * The facts at some positions (`joinedRanges`), in order, played from the nearest places before them. Costs the ranges, and what lies between them and such places; a thread without any is
 * played from its beginning.
 */
export async function* factsInRanges(thread: ShelfThread, ranges: readonly FactRange[], { startAt, onPlayed }: RangePlay): AsyncGenerator<PlacedFact, void> {
  let play: AsyncGenerator<PlacedFact, void> | undefined;
  let next = 0;
  try {
    for (const { from, to } of ranges) {
      const start = await startAt({ behind: play ? next : -1, upTo: from });
      if (start || !play) {
        await play?.return();
        play = playedFrom(thread, start ?? beginning);
        next = start?.position ?? 0;
      }
      while (next < to) {
        const { done, value } = await play.next();
        if (done) return;
        next = value.position + 1;
        onPlayed(value);
        if (value.position >= from) yield value;
      }
    }
  } finally {
    await play?.return();
  }
}
