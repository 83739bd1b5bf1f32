import type { PieceReader } from '@tapefold/facts';
import { type ItemRow, type ThreadItem, itemObject } from '@tapefold/threads';
import { pieceReader } from '../files/piece-reader.js';
import type { SegmentStamp } from '../rows/segment-stamp.js';
import { type SearchText, hiddenWords, textsOfItem } from './item-texts.js';

/** Reads the large texts of a history's rows back from the files that they were made of. */
export function stampedPieces(segments: readonly SegmentStamp[]): PieceReader {
  return pieceReader(new Map(segments.map(({ tape, path, sizeBytes, mtimeMs }) => [
    tape, { tape, path, shownPath: path, form: path.endsWith('.zst') ? 'zst' : path.endsWith('.jsonl') ? 'lines' : 'document', sizeBytes, mtimeMs, isArchived: false, home: '' },
  ])));
}

const objectOf = (row: ItemRow, readPiece: PieceReader | undefined): ThreadItem => itemObject(row, { isTurnOver: true, readPiece });

/** The texts of a row that a person sees. */
export function textsOfItemRow(row: ItemRow, readPiece: PieceReader | undefined): readonly SearchText[] {
  return textsOfItem(objectOf(row, readPiece));
}

/** What the index takes of a row: what a person sees of it, by table, and hidden words of messages, which the protocol's own searches look for. */
export interface IndexedTexts {
  readonly text: readonly Pick<SearchText, 'text'>[];
  readonly output: readonly Pick<SearchText, 'text'>[];
  readonly isCut: boolean;
}

const nothing: IndexedTexts = { text: [], output: [], isCut: false };

/** What is indexed of a row; rows that are never shown have nothing. */
export function indexedTexts(row: ItemRow, readPiece: PieceReader | undefined): IndexedTexts {
  if (row.visibility !== 'shown') return nothing;
  const item = objectOf(row, readPiece);
  const texts = textsOfItem(item);
  const hidden = hiddenWords(item, texts);
  const text = texts.filter(({ source }) => source !== 'output');
  return { text: hidden === undefined ? text : [...text, { text: hidden }], output: texts.filter(({ source }) => source === 'output'), isCut: texts.some(({ isCut }) => isCut) };
}
