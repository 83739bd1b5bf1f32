import { type Fact, factKey } from '@tapefold/facts';
import { OutlineFilter, type OutlineState } from '@tapefold/transcript/fold';
import { BlockText, type OutlineBlock, type OutlinedEntry, blockTextOf } from '../rows/outline.js';

/** Folds the facts of one history into blocks of its outline. Memory: what lies between two commits, and one block. */
export class HistoryOutline {
  readonly #filter: OutlineFilter;
  readonly #full: OutlineBlock[] = [];
  #open: BlockText;
  #isChanged = false;

  /** `state`: that of what is stored; `tail`: its last block. */
  constructor(state?: OutlineState, tail?: OutlineBlock) {
    this.#filter = new OutlineFilter(state);
    this.#open = tail ? blockTextOf(tail) : new BlockText();
  }

  /** What the next one goes on from. */
  get state(): OutlineState {
    return this.#filter.state;
  }

  /** The next fact of the history's own. */
  take(fact: Fact, position: number): void {
    const isOutlined = this.#filter.take(fact, factKey(fact.tape, fact.ordinal));
    const entry = fact.type === 'context.appended' && fact.agent === undefined ? entryOf(fact, position) : undefined;
    if (!isOutlined && !entry) return;
    if (this.#open.isFull) {
      this.#full.push(this.#open.block());
      this.#open = new BlockText();
    }
    if (isOutlined) this.#open.addFact(position, outlined(fact));
    if (entry) this.#open.addEntry(entry);
    this.#isChanged = true;
  }

  /** Blocks that changed since the last commit. */
  changed(): readonly OutlineBlock[] {
    return this.#isChanged ? [...this.#full, this.#open.block()] : [];
  }

  /** They were written. */
  committed(): void {
    this.#full.length = 0;
    this.#isChanged = false;
  }
}

function entryOf({ tape, ordinal, line, after }: Extract<Fact, { type: 'context.appended' }>, position: number): OutlinedEntry {
  return { position, tape, ordinal, offset: line.offset, after };
}

/** What a fact says of the timeline: of an answer to a call only that there was one, and of tokens only those of the response. */
function outlined(fact: Fact): Fact {
  if (fact.type === 'usage.recorded') {
    const { total: _, ...rest } = fact;
    return rest;
  }
  if (fact.type !== 'context.appended' || fact.item.kind !== 'result') return fact;
  const { large: _, ...rest } = fact;
  return { ...rest, item: { kind: 'result', output: [] } };
}
