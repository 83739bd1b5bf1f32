import type { Fact, Published, TextDelta } from '@tapefold/facts';
import { OUTBOX_CHARS } from '../limits.js';

/** A record that waits: `size` is about its characters as it is sent. */
interface Waiting { readonly record: Published; readonly size: number }

const OVERHEAD_CHARS = 200;

function sizeOf(record: Published): number {
  switch (record.type) {
    case 'fact': return record.fact.line.length + OVERHEAD_CHARS;
    case 'delta': return record.delta.text.length + OVERHEAD_CHARS;
    case 'caption': return record.caption.text.length + OVERHEAD_CHARS;
    default: return OVERHEAD_CHARS;
  }
}

const continues = (a: TextDelta, b: TextDelta): boolean =>
  a.turn === b.turn && a.step === b.step && a.item === b.item && a.field === b.field && a.index === b.index && b.offset === a.offset + a.text.length;

/**
 * What waits to be sent, in order and bounded. Law: every fact is here, or the outbox is behind, and then all facts from some ordinal on are to be read from the tape.
 * Where it is full, what is only for the moment goes first; where facts alone are too many, they go too, since the tape has them.
 */
export class Outbox {
  #waiting: Waiting[] = [];
  /** The first ones are on their way, and stay as they are until it is known whether they arrived. */
  #taken = 0;
  #chars = 0;
  #isBehind = false;

  /** Facts are missing here: read them from the tape, then `rejoin`. */
  get isBehind(): boolean { return this.#isBehind; }
  get isEmpty(): boolean { return this.#waiting.length === 0; }
  /** Ordinal of the first fact that waits; undefined where none does. */
  get firstOrdinal(): number | undefined {
    for (const { record } of this.#waiting) if (record.type === 'fact') return record.fact.ordinal;
    return undefined;
  }

  fact(fact: Fact): void {
    if (!this.#isBehind) this.#add({ type: 'fact', fact });
  }

  /** Something for the moment only. Pieces of one text that follow each other become one. */
  passing(record: Exclude<Published, { type: 'fact' }>): void {
    if (this.#isBehind) return;
    const last = this.#waiting.length > this.#taken ? this.#waiting.at(-1)?.record : undefined;
    if (record.type !== 'delta' || last?.type !== 'delta' || !continues(last.delta, record.delta)) return this.#add(record);
    this.#waiting.pop();
    this.#chars -= sizeOf(last);
    this.#add({ type: 'delta', delta: { ...last.delta, text: last.delta.text + record.delta.text } });
  }

  /** The next records, about `chars` of them, one at least. They stay until `arrived` or `returned`. */
  take(chars: number): readonly Published[] {
    let size = 0;
    this.#taken = 0;
    for (const waiting of this.#waiting) {
      size += waiting.size;
      if (this.#taken > 0 && size > chars) break;
      this.#taken += 1;
    }
    return this.#waiting.slice(0, this.#taken).map(({ record }) => record);
  }

  /** What was taken has arrived. */
  arrived(): void {
    for (const { size } of this.#waiting.splice(0, this.#taken)) this.#chars -= size;
    this.#taken = 0;
  }

  /** What was taken has not arrived, or nobody knows: it is sent again. */
  returned(): void { this.#taken = 0; }

  /** The server has all facts before this one, and wants this one next. */
  from(ordinal: number): void {
    this.#taken = 0;
    const first = this.firstOrdinal;
    if (first !== undefined && first > ordinal) return this.#fallBehind();
    while (this.firstOrdinal !== undefined && (this.firstOrdinal ?? ordinal) < ordinal) this.#chars -= this.#waiting.shift()?.size ?? 0;
  }

  /** All facts from some ordinal on have to be read from the tape. */
  fallBehind(): void { this.#fallBehind(); }

  /** What was missing was read from the tape and has arrived. */
  rejoin(): void { this.#isBehind = false; }

  #add(record: Published): void {
    const size = sizeOf(record);
    this.#waiting.push({ record, size });
    this.#chars += size;
    if (this.#chars <= OUTBOX_CHARS) return;
    this.#keep(({ record: { type } }, i) => i < this.#taken || type === 'fact');
    if (this.#chars > OUTBOX_CHARS) this.#fallBehind();
  }

  #fallBehind(): void {
    this.#isBehind = true;
    this.#keep((_, i) => i < this.#taken);
  }

  #keep(isKept: (waiting: Waiting, i: number) => boolean): void {
    this.#waiting = this.#waiting.filter(isKept);
    this.#chars = this.#waiting.reduce((sum, { size }) => sum + size, 0);
  }
}
