import type { Fact, FactDraft, FactKey, JsonValue, LineSpan, Native, RecordPath, TapeId, TapeLine } from '@tapefold/facts';
import { LARGE_TEXT_CHARS, carryLarge, factKey } from '@tapefold/facts';
import { present } from '../shape.js';
import type { ClaudeState } from './state.js';

/** Writes the facts of one line: gives each its identity and carries large texts by reference. */
export interface Pen {
  readonly tape: TapeId;
  readonly facts: Fact[];
  /** Appends a fact and returns its key; `facts.at(-1)` is then the fact as written, large texts carried. */
  write(draft: FactDraft): FactKey;
  /** A value of a record as its provider wrote it: itself, or its place where it is large. */
  native(record: number, value: JsonValue, path: RecordPath): Native;
}

/** `agent` stands on every fact of a sub-agent whose lines are in its parent's file. */
export interface PenSource {
  readonly line: TapeLine;
  readonly records: readonly JsonValue[];
}

export function penFor(tape: TapeId, state: ClaudeState, source: PenSource): Pen {
  const line: LineSpan = { offset: source.line.offset, length: source.line.length - (source.line.newlineBytes ?? (source.line.isTerminated ? 1 : 0)) };
  const isLong = line.length > LARGE_TEXT_CHARS;
  const facts: Fact[] = [];
  return {
    tape, facts,
    write(draft) {
      const fact = present({ ...draft, tape, ordinal: state.nextOrdinal, line }) as Fact;
      state.nextOrdinal += 1;
      facts.push(isLong ? source.records.reduce<Fact>((carried, value, record) => carryLarge(carried, { tape, line, record, value }), fact) : fact);
      return factKey(tape, fact.ordinal);
    },
    // By the value's own size, not the line's: glued records must not change what the first one gave.
    native(record, value, path) {
      const isLarge = isLong && JSON.stringify(value).length > LARGE_TEXT_CHARS;
      return isLarge ? { dialect: 'claude', span: { tape, line, record, path } } : { dialect: 'claude', raw: value };
    },
  };
}
