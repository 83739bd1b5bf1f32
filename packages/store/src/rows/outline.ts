import type { Fact, FactKey, FactOf, TapeId } from '@tapefold/facts';

/** An entry of the model's history of which only the place is kept. */
export interface OutlinedEntry {
  readonly position: number;
  readonly tape: TapeId;
  readonly ordinal: number;
  /** Where its line begins. */
  readonly offset: number;
  readonly after: FactKey | undefined;
}

/** A fact with its place in the history. */
export interface OutlinedFact {
  readonly position: number;
  readonly fact: Fact;
}

/** A piece of a history's outline, as JSON; `from`: the position that it begins at. */
export interface OutlineBlock {
  readonly from: number;
  readonly facts: string;
  readonly entries: string;
}

/** The facts of a history that say which turns and entities there are, and the places of the entries of the model's history, each in order. */
export interface Outline {
  readonly facts: readonly OutlinedFact[];
  readonly entries: readonly OutlinedEntry[];
}

/** A block is full with so many facts, entries or units of text: a commit writes the last one again, and a look at the newest turns reads few. */
const BLOCK_FACTS = 256;
const BLOCK_ENTRIES = 2_048;
const BLOCK_CHARS = 256 * 1024;

type EntryCells = readonly [position: number, ordinal: number, offset: number, tape: number, after?: FactKey];

/** A block that is being filled. Where blocks end depends on the facts alone. */
export class BlockText {
  readonly #facts: string[] = [];
  readonly #tapes: TapeId[] = [];
  readonly #entries: EntryCells[] = [];
  #from: number | undefined;
  #chars = 0;

  /** `from`: of a block that is gone on with. */
  constructor(from?: number) {
    this.#from = from;
  }

  get isFull(): boolean {
    return this.#facts.length >= BLOCK_FACTS || this.#entries.length >= BLOCK_ENTRIES || this.#chars >= BLOCK_CHARS;
  }

  addFact(position: number, fact: Fact): void {
    this.#from ??= position;
    // Where an entry of the model's history begins is of use; where any other fact stands is not.
    const text = JSON.stringify([position, this.#tape(fact.tape), { ...fact, tape: undefined, line: fact.type.startsWith('context.') ? fact.line : undefined }]);
    this.#facts.push(text);
    this.#chars += text.length;
  }

  addEntry({ position, tape, ordinal, offset, after }: OutlinedEntry): void {
    this.#from ??= position;
    const at = this.#tape(tape);
    this.#entries.push(after === undefined ? [position, ordinal, offset, at] : [position, ordinal, offset, at, after]);
  }

  #tape(tape: TapeId): number {
    const known = this.#tapes.lastIndexOf(tape);
    return known < 0 ? this.#tapes.push(tape) - 1 : known;
  }

  block(): OutlineBlock {
    return { from: this.#from ?? 0, facts: `[${this.#facts.join(',')}]`, entries: JSON.stringify({ tapes: this.#tapes, list: this.#entries }) };
  }
}

const nowhere = { offset: 0, length: 0 };

/** A fact before it has its place again. */
type Unplaced = { -readonly [K in keyof Fact]?: Fact[K] };

/** What a block holds. A fact that is none of the model's history stands nowhere in its file. */
export function outlineOf({ facts, entries }: Pick<OutlineBlock, 'facts' | 'entries'>): Outline {
  const { tapes, list } = JSON.parse(entries) as { readonly tapes: readonly TapeId[]; readonly list: readonly EntryCells[] };
  return {
    facts: (JSON.parse(facts) as [number, number, Unplaced][]).map(([position, tape, fact]) => {
      // Nobody else has it yet, and there are many: a copy of each would be most of the cost.
      fact.tape = tapes[tape] ?? '';
      fact.line ??= nowhere;
      return { position, fact: fact as Fact };
    }),
    entries: list.map(([position, ordinal, offset, tape, after]) => ({ position, tape: tapes[tape] ?? '', ordinal, offset, after })),
  };
}

/** The last block that was written, to go on with. */
export function blockTextOf(block: OutlineBlock): BlockText {
  const { facts, entries } = outlineOf(block);
  const text = new BlockText(block.from);
  for (const { position, fact } of facts) text.addFact(position, fact);
  for (const entry of entries) text.addEntry(entry);
  return text;
}

/** Stands for a fact that an entry tells the place of. */
export function entryFact({ tape, ordinal, offset, after }: OutlinedEntry): FactOf<'context.appended'> {
  return { type: 'context.appended', tape, ordinal, line: { offset, length: 0 }, item: { kind: 'result', output: [] }, ...(after === undefined ? {} : { after }) };
}
