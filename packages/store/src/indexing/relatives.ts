import type { TapeId } from '@tapefold/facts';
import type { Segment, ShelfThread } from '../files/shelf.js';

/** A thread with its pieces. */
interface Chained {
  readonly thread: ShelfThread;
  readonly segments: readonly Segment[];
}

/** Which threads begin with the same file: a base and its forks, and forks of one base. They may share rows. */
export class Relatives<T extends Chained> {
  readonly #families = new Map<TapeId, T[]>();

  constructor(all: readonly T[]) {
    for (const each of all) {
      const tape = each.segments[0]?.file.tape;
      const family = tape === undefined ? undefined : this.#families.get(tape);
      if (family) family.push(each);
      else if (tape !== undefined) this.#families.set(tape, [each]);
    }
  }

  /** All others that begin with the same file. */
  of({ thread, segments }: Chained): readonly T[] {
    const family = this.#families.get(segments[0]?.file.tape ?? '') ?? [];
    return family.length === 1 ? [] : family.filter((each) => each.thread !== thread);
  }

  /** The same order, but for those whose base would come later: it comes first, so that they can share its rows. */
  basesFirst(all: readonly T[]): T[] {
    const sorted = new Set<T>();
    const add = (each: T): void => {
      if (sorted.has(each)) return;
      for (const base of this.of(each)) if (isBaseOf(base, each)) add(base);
      sorted.add(each);
    };
    for (const each of all) add(each);
    return [...sorted];
  }
}

/** Whether a thread goes on from another's newest file. Where files name each other in a circle, from the one with fewer pieces before it. */
function isBaseOf({ segments: base }: Chained, { segments }: Chained): boolean {
  return base.length < segments.length && segments[base.length - 1]?.file.tape === base.at(-1)?.file.tape;
}
