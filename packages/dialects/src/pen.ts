import type { Fact, FactDraft, FactKey, JsonValue, LineSpan, Native, RecordPath, TapeId, TapeLine } from '@tapefold/facts';
import { LARGE_TEXT_CHARS, type RecordSource, carryLarge, factKey } from '@tapefold/facts';
import { present } from './shape.js';

/** Writes the facts of one line: gives each its identity and carries large texts by reference. */
export interface Pen {
  readonly tape: TapeId;
  /** The line that facts are of, without its newline. */
  readonly line: LineSpan;
  readonly facts: Fact[];
  /** Appends a fact and returns its key; `facts.at(-1)` is then the fact as written, large texts carried. `earlier`: a record of another line that texts may come from. */
  write(draft: FactDraft, earlier?: RecordSource): FactKey;
  /** A value of a record as its provider wrote it: itself, or its place where it is large. */
  native(record: number, value: JsonValue, path: RecordPath): Native;
}

/** What a pen writes from: a line and the records found on it. */
export interface PenSource {
  /** Names native records. */
  readonly dialect: string;
  readonly line: TapeLine;
  readonly records: readonly JsonValue[];
}

/** A pen for one line; counts on in `state`. */
export function penFor(tape: TapeId, state: { nextOrdinal: number }, source: PenSource): Pen {
  const { dialect } = source;
  const line: LineSpan = { offset: source.line.offset, length: source.line.length - (source.line.newlineBytes ?? (source.line.isTerminated ? 1 : 0)) };
  const isLong = line.length > LARGE_TEXT_CHARS;
  const facts: Fact[] = [];
  return {
    tape, line, facts,
    write(draft, earlier) {
      const fact = present({ ...draft, tape, ordinal: state.nextOrdinal, line }) as Fact;
      state.nextOrdinal += 1;
      const sources: RecordSource[] = [...(isLong ? source.records.map((value, record) => ({ tape, line, record, value })) : []), ...(earlier ? [earlier] : [])];
      facts.push(sources.reduce<Fact>((carried, of) => carryLarge(carried, of), fact));
      return factKey(tape, fact.ordinal);
    },
    // By the value's own size, not the line's: glued records must not change what the first one gave.
    native(record, value, path) {
      const isLarge = isLong && JSON.stringify(value).length > LARGE_TEXT_CHARS;
      return isLarge ? { dialect, span: { tape, line, record, path } } : { dialect, raw: value };
    },
  };
}
