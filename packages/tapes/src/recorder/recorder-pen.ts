import { type DroppedText, type Fact, type FactDraft, type FactKey, LARGE_TEXT_CHARS, type TapeId, type TextDelta, carryLarge, factKey } from '@tapefold/facts';
import { TapeError } from '../errors.js';
import { HELD_FACTS } from '../limits.js';
import type { TapeWriter } from '../writer/tape-writer.js';
import { checkedDraft } from './checked-draft.js';
import type { RecordedState } from './recorded-state.js';
import { type RecorderSinks, tell } from './sinks.js';

/** Adds a fact to a group, and says the key that it will have: later facts of the group name it. */
export type AddFact = (draft: FactDraft) => FactKey;

/** A draft as JSON has it: what is undefined is absent. */
function plain<D extends FactDraft>(draft: D): D {
  return JSON.parse(JSON.stringify(draft)) as D;
}

interface PenParts { readonly writer: TapeWriter; readonly state: RecordedState; readonly sinks: RecorderSinks; readonly now: () => number }

/**
 * Where every fact of a recorder goes through: checked, put on the tape, noted, told. A group of facts is one write, so that none of them is there alone
 * in a live process. Facts are told as any reader of the tape gets them, large texts carried by reference.
 */
export class RecorderPen {
  readonly tape: TapeId;
  readonly state: RecordedState;
  readonly #writer: TapeWriter;
  readonly #sinks: RecorderSinks;
  readonly #now: () => number;
  /** Told in order, so those behind a fact that waits for its barrier wait, too. */
  #held: { readonly facts: readonly Fact[]; readonly isWaiting: boolean }[] = [];
  #heldCount = 0;

  constructor({ writer, state, sinks, now }: PenParts) {
    this.tape = writer.tape;
    this.state = state;
    this.#writer = writer;
    this.#sinks = sinks;
    this.#now = now;
  }

  /** Ordinal that the next fact will have. */
  get nextOrdinal(): number { return this.#writer.nextOrdinal; }
  nowMs(): number { return this.#now(); }
  refuse(why: string): never { throw new TapeError('outOfOrder', { path: this.#writer.path, why }); }

  /** Writes a group of facts. Throws `TapeError`; then none of them is on the tape. */
  write(fill: (add: AddFact) => void): void {
    this.#put(this.#drafts(fill), false);
  }

  /** The same; they are told when they are on the disk, which the promise waits for. */
  async writeThrough(fill: (add: AddFact) => void): Promise<void> {
    const entry = this.#put(this.#drafts(fill), true);
    await this.#writer.barrier();
    // A barrier that fails leaves them untold for good: they may be gone after a power cut.
    this.#held = this.#held.map((held) => (held === entry ? { ...held, isWaiting: false } : held));
    this.#tellHeld();
  }

  delta(delta: TextDelta): void { tell(this.#sinks, this.#sinks.onDelta, delta); }
  dropped(dropped: DroppedText): void { tell(this.#sinks, this.#sinks.onDropped, dropped); }

  #drafts(fill: (add: AddFact) => void): FactDraft[] {
    const at = new Date(this.#now()).toISOString();
    const drafts: FactDraft[] = [];
    const first = this.#writer.nextOrdinal;
    fill((draft) => {
      drafts.push(plain(checkedDraft({ at, ...draft }, this.#writer.path)));
      return factKey(this.tape, first + drafts.length - 1);
    });
    return drafts;
  }

  #put(drafts: readonly FactDraft[], isWaiting: boolean): unknown {
    if ((isWaiting || this.#held.length > 0) && this.#heldCount + drafts.length > HELD_FACTS) {
      throw new TapeError('tooManyHeld', { path: this.#writer.path, why: `${this.#heldCount} facts wait for a barrier to be told` });
    }
    const lines = this.#writer.appendAll(drafts);
    const facts = drafts.map((draft, i): Fact => {
      const { ordinal, line } = lines[i] ?? { ordinal: 0, line: { offset: 0, length: 0 } };
      const fact = { ...draft, tape: this.tape, ordinal, line } as Fact;
      return line.length > LARGE_TEXT_CHARS ? carryLarge(fact, { tape: this.tape, line, record: 0, value: draft }) : fact;
    });
    for (const fact of facts) this.state.note(fact);
    const entry = { facts, isWaiting };
    this.#held.push(entry);
    this.#heldCount += facts.length;
    this.#tellHeld();
    return entry;
  }

  #tellHeld(): void {
    for (let next = this.#held[0]; next && !next.isWaiting; next = this.#held[0]) {
      this.#held.shift();
      this.#heldCount -= next.facts.length;
      for (const fact of next.facts) tell(this.#sinks, this.#sinks.onFact, fact, fact.ordinal);
    }
  }
}
