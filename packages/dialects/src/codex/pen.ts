import type { Fact, FactDraft, FactKey, JsonValue, LineSpan, Native, RecordPath, TapeId, TapeLine } from '@tapefold/facts';
import { LARGE_TEXT_CHARS, carryLarge, factKey } from '@tapefold/facts';
import type { CodexRecord, CodexState } from './state.js';

/** Writes the facts of one line: gives each its identity and carries large texts by reference. */
export interface Pen {
  readonly state: CodexState;
  readonly facts: Fact[];
  readonly line: LineSpan;
  /** Appends a fact and returns its key; `facts.at(-1)` is then the fact as written, large texts carried. */
  write(draft: FactDraft): FactKey;
  /** An id of our own for what a record shows: by where it stands, so it is the same from wherever the reading began. */
  ownId(record: CodexRecord): string;
  /** Key that the next written fact will have. */
  nextKey(): FactKey;
  /** The record as a provider wrote it: itself, or its place where the line is long. */
  native(record: CodexRecord, value: JsonValue, path?: RecordPath): Native;
}

/** Longer than this, a line may hold a large text. */
export const isLongLine = (line: LineSpan): boolean => line.length > LARGE_TEXT_CHARS;

/** `records` are those of the line, in order: the pieces of large texts point into them. */
export function penFor(tape: TapeId, state: CodexState, source: { line: TapeLine; records: readonly JsonValue[] }): Pen {
  const line: LineSpan = { offset: source.line.offset, length: source.line.length - (source.line.newlineBytes ?? (source.line.isTerminated ? 1 : 0)) };
  const isLong = isLongLine(line);
  const facts: Fact[] = [];
  const nextKey = (): FactKey => factKey(tape, state.nextOrdinal);
  return {
    state, facts, line, nextKey,
    ownId: (record) => `line@${line.offset}.${record.index}`,
    write(draft) {
      const key = nextKey();
      const fact = { ...draft, tape, ordinal: state.nextOrdinal, line } as Fact;
      state.nextOrdinal += 1;
      facts.push(isLong ? source.records.reduce<Fact>((carried, value, record) => carryLarge(carried, { tape, line, record, value }), fact) : fact);
      return key;
    },
    native(record, value, path = []) {
      if (!isLong) return { dialect: 'codex', raw: value };
      return { dialect: 'codex', span: { tape, line, record: record.index, path: [...record.path, ...path] } };
    },
  };
}
