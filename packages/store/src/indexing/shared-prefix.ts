import type { Segment } from '../files/shelf.js';
import type { HistoryEntry, HistoryId, SharedSpan } from '../thread-store.js';

/** How far the rows of another history are made of the same lines as those of a thread: up to a byte of one of its segments. */
export interface CommonPrefix {
  readonly base: HistoryId;
  readonly segment: number;
  readonly offset: number;
}

/** Undefined where already the first lines are of other files. */
function commonPrefix({ id: base, state: { segments: stamps } }: HistoryEntry, segments: readonly Segment[]): CommonPrefix | undefined {
  let common: CommonPrefix | undefined;
  for (const [i, { file, endOffset, endOrdinal }] of segments.entries()) {
    const stamp = stamps[i];
    if (stamp?.tape !== file.tape) break;
    common = { base, segment: i, offset: stamp.bytes };
    // Behind different cuts nothing is the same any more.
    if (stamp.endOffset !== (endOffset ?? null) || stamp.endOrdinal !== (endOrdinal ?? null)) break;
  }
  return common;
}

const isLonger = (a: CommonPrefix, b: CommonPrefix | undefined): boolean => !b || a.segment > b.segment || (a.segment === b.segment && a.offset > b.offset);

/** The history that a thread has the most lines in common with. */
export function longestPrefix(bases: readonly HistoryEntry[], segments: readonly Segment[]): CommonPrefix | undefined {
  let longest: CommonPrefix | undefined;
  for (const base of bases) {
    const common = commonPrefix(base, segments);
    if (common && isLonger(common, longest)) longest = common;
  }
  return longest;
}

/** Follows the play of a thread, and tells up to which position its rows may be shared. */
export class SharedPrefix {
  readonly #common: CommonPrefix | undefined;
  #from: number;
  #to: number;

  /** `from`: where sharing goes on. */
  constructor(common: CommonPrefix | undefined, from: number) {
    this.#common = common;
    this.#from = from;
    this.#to = from;
  }

  /** Lines were played up to a byte of a segment, and facts up to a position. */
  passed({ index, offset }: { readonly index: number; readonly offset: number }, position: number): void {
    const common = this.#common;
    if (common && (index < common.segment || (index === common.segment && offset <= common.offset))) this.#to = position;
  }

  /** What the next commit begins to share. */
  get shared(): SharedSpan | undefined {
    return this.#common && this.#to > this.#from ? { base: this.#common.base, from: this.#from, to: this.#to } : undefined;
  }

  committed(): void {
    this.#from = this.#to;
  }
}

/** Whether a history ended where what it shares does: only then it shares more. */
export function sharesAll(entry: HistoryEntry | undefined): boolean {
  return entry !== undefined && (entry.shared.at(-1)?.to ?? 0) === entry.state.position;
}

/** The prefix of a history that is gone on with. */
export function prefixToGoOnWith(known: HistoryEntry, common: CommonPrefix | undefined): SharedPrefix {
  return new SharedPrefix(sharesAll(known) ? common : undefined, known.state.position);
}
