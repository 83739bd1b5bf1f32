import type { Fact, FactDraft, FactKey, JsonValue, LineSpan, Native, RecordPath, TapeId, TapeLine } from '@tapefold/facts';
import { LARGE_TEXT_CHARS, carryLarge, factKey } from '@tapefold/facts';
import type { LineRecords } from '../records.js';
import type { CodexRecord, CodexState } from './state.js';

/** A draft on its way to be a fact. */
type Writable = { -readonly [K in keyof Fact]?: Fact[K] };

/** Writes the facts of one line: gives each its identity and carries large texts by reference. */
export class Pen {
  readonly facts: Fact[] = [];
  readonly line: LineSpan;
  #record = 0;
  #isLong = false;

  /** `found`: the records of the line; the pieces of large texts point into them. */
  constructor(private readonly tape: TapeId, readonly state: CodexState, private readonly source: { readonly line: TapeLine; readonly found: LineRecords }) {
    const { offset, length, newlineBytes, isTerminated } = source.line;
    this.line = { offset, length: length - (newlineBytes ?? (isTerminated ? 1 : 0)) };
    this.begin(0);
  }

  /** The facts that follow are of this record of the line. */
  begin(index: number): void {
    this.#record = index;
    this.#isLong = (this.source.found.texts[index]?.length ?? 0) > LARGE_TEXT_CHARS;
  }

  /** The record under play is long, and may hold a large text. By its own length: what follows it on the line must change nothing that it says. */
  isLong(): boolean {
    return this.#isLong;
  }

  /** Appends a fact, into which it turns the draft itself, and returns its key; `facts.at(-1)` is then the fact as written, large texts carried. */
  write(draft: FactDraft): FactKey {
    const { tape, state, line } = this;
    const key = this.nextKey();
    const fact = draft as Writable;
    fact.tape = tape;
    fact.ordinal = state.nextOrdinal;
    fact.line = line;
    state.nextOrdinal += 1;
    this.facts.push(this.#isLong ? carryLarge(fact as Fact, { tape, line, record: this.#record, value: this.source.found.records[this.#record] }) : fact as Fact);
    return key;
  }

  /** An id of our own for what a record shows: by where it stands, so it is the same from wherever the reading began. */
  ownId({ index }: CodexRecord): string {
    return `line@${this.line.offset}.${index}`;
  }

  /** Key that the next written fact will have. */
  nextKey(): FactKey {
    return factKey(this.tape, this.state.nextOrdinal);
  }

  /** The record as a provider wrote it: itself, or its place where the line is long. */
  native(of: CodexRecord, value: JsonValue, path: RecordPath = []): Native {
    if (!this.#isLong) return { dialect: 'codex', raw: value };
    return { dialect: 'codex', span: { tape: this.tape, line: this.line, record: of.index, path: [...of.path, ...path] } };
  }
}
