import type { TurnRow, Word } from '../fold/row.js';
import { isEffective } from './interval.js';

/** The newest word that counts. */
export function newestWord<W extends Word>(words: readonly W[]): W | undefined {
  return words.filter((word) => isEffective(word.effective)).at(-1);
}

/** True where nothing that counts ends the turn. */
export function isOpenTurn(row: TurnRow): boolean {
  return newestWord(row.ends) === undefined;
}

function wordsAsOf<W extends Word>(words: readonly W[], asOf: number): W[] {
  return words.filter((word) => isEffective(word.effective, asOf)).map((word) => ({ ...word, effective: [[word.position, null]] }));
}

/** The row as it was when the fact at `asOf` had been folded. */
export function turnAsOf(row: TurnRow, asOf: number): TurnRow {
  return { ...row, ends: wordsAsOf(row.ends, asOf), outlooks: wordsAsOf(row.outlooks, asOf), compactions: wordsAsOf(row.compactions, asOf) };
}
