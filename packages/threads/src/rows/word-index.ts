import { type OrdinalRange, type TapeId, parseFactKey } from '@tapefold/facts';
import type { NoticeRow, TurnRow, Word } from '../fold/row.js';
import { closed, opened } from './interval.js';
import type { Draft } from './item-state.js';
import { insertionIndex } from './order.js';

interface Entry {
  readonly ordinal: number;
  readonly word: Draft<Word>;
  readonly owner: TurnRow | NoticeRow;
}

const orderOf = (entry: Entry): readonly number[] => [entry.ordinal];

/** What was said of turns and beside them, by tape and ordinal: history facts take it back by ranges. */
export class WordIndex {
  readonly #byTape = new Map<TapeId, Entry[]>();

  /** Enters a word; `owner`: the row that changes with it. */
  add(word: Draft<Word>, owner: TurnRow | NoticeRow): void {
    const key = parseFactKey(word.key);
    if (!key) return;
    const entries = this.#byTape.get(key.tape) ?? [];
    this.#byTape.set(key.tape, entries);
    entries.splice(insertionIndex(entries, [key.ordinal], orderOf), 0, { ordinal: key.ordinal, word, owner });
  }

  /** Takes words of a range back, or lets them count again; answers the rows that changed. Costs the number of words in it. */
  change(op: 'history.close' | 'history.open', range: OrdinalRange, position: number): (TurnRow | NoticeRow)[] {
    const entries = this.#byTape.get(range.tape) ?? [];
    const from = insertionIndex(entries, [range.from - 1], orderOf);
    const to = insertionIndex(entries, [range.to - 1], orderOf);
    const changed = entries.slice(from, Math.max(from, to)).filter(({ word }) => {
      const before = word.effective;
      word.effective = op === 'history.close' ? closed(before, position) : opened(before, position);
      return word.effective !== before;
    });
    return changed.map(({ owner }) => owner);
  }
}

/** The words of a turn as drafts of their own, so that rows never share them with changes. */
export function ownWords(row: TurnRow): Draft<TurnRow> {
  const own = <W extends Word>(words: readonly W[]): W[] => words.map((word) => ({ ...word }));
  return { ...row, ends: own(row.ends), outlooks: own(row.outlooks), compactions: own(row.compactions) };
}

