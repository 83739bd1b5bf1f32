import type { Fact, FactDraft, FactKey, JsonValue, LineSpan, Native, RecordPath, TapeId, TapeLine } from '@tapefold/facts';
import { LARGE_TEXT_CHARS, carryLarge, factKey } from '@tapefold/facts';
import type { LineRecords } from '../records.js';
import type { CodexRecord, CodexState } from './state.js';

/** Writes the facts of one line: gives each its identity and carries large texts by reference. */
export interface Pen {
  readonly state: CodexState;
  readonly facts: Fact[];
  readonly line: LineSpan;
  /** The record under play is long, and may hold a large text. By its own length: what follows it on the line must change nothing that it says. */
  isLong(): boolean;
  /** The facts that follow are of this record of the line. */
  begin(index: number): void;
  /** Appends a fact, into which it turns the draft itself, and returns its key; `facts.at(-1)` is then the fact as written, large texts carried. */
  write(draft: FactDraft): FactKey;
  /** An id of our own for what a record shows: by where it stands, so it is the same from wherever the reading began. */
  ownId(record: CodexRecord): string;
  /** Key that the next written fact will have. */
  nextKey(): FactKey;
  /** The record as a provider wrote it: itself, or its place where the line is long. */
  native(record: CodexRecord, value: JsonValue, path?: RecordPath): Native;
}

/** `found`: the records of the line; the pieces of large texts point into them. */
export function penFor(tape: TapeId, state: CodexState, source: { line: TapeLine; found: LineRecords }): Pen {
  const line: LineSpan = { offset: source.line.offset, length: source.line.length - (source.line.newlineBytes ?? (source.line.isTerminated ? 1 : 0)) };
  const { records, texts } = source.found;
  let record = 0;
  let isLong = false;
  const begin = (index: number): void => {
    record = index;
    isLong = (texts[index]?.length ?? 0) > LARGE_TEXT_CHARS;
  };
  begin(0);
  const facts: Fact[] = [];
  const nextKey = (): FactKey => factKey(tape, state.nextOrdinal);
  return {
    state, facts, line, nextKey, begin, isLong: () => isLong,
    ownId: ({ index }) => `line@${line.offset}.${index}`,
    write(draft) {
      const key = nextKey();
      const fact = Object.assign(draft, { tape, ordinal: state.nextOrdinal, line }) as Fact;
      state.nextOrdinal += 1;
      facts.push(isLong ? carryLarge(fact, { tape, line, record, value: records[record] }) : fact);
      return key;
    },
    native(of, value, path = []) {
      if (!isLong) return { dialect: 'codex', raw: value };
      return { dialect: 'codex', span: { tape, line, record: of.index, path: [...of.path, ...path] } };
    },
  };
}
