import type { LargePiece, PieceReader } from '@tapefold/facts';
import { stringInLine } from '@tapefold/dialects';
import { readLinesSync, readSpan } from '@tapefold/tapes';
import type { Catalog, CatalogFile } from './catalog.js';
import { PLAIN_COPY_BYTES } from './limits.js';

type TapePiece = Exclude<LargePiece, { text: string }>;

/** Lines of a compressed file by offset, decoded once; undefined where the content is too large to keep. */
function plainLines(file: CatalogFile): ReadonlyMap<number, string> | undefined {
  const lines = new Map<number, string>();
  let bytes = 0;
  for (const batch of readLinesSync(file.path)) {
    for (const line of batch) {
      bytes += line.length;
      if (line.text !== undefined) lines.set(line.offset, line.text);
    }
    if (bytes > PLAIN_COPY_BYTES) return undefined;
  }
  return lines;
}

/** Reads large texts back from the session files that they stand in. The line read last is kept: its texts are asked for together. */
export function pieceReader(catalog: Catalog): PieceReader {
  let last: { readonly tape: string; readonly offset: number; readonly text: string } | undefined;
  const copies = new Map<string, ReadonlyMap<number, string> | undefined>();
  const compressedLine = (file: CatalogFile, piece: TapePiece): string => {
    if (!copies.has(file.tape)) copies.set(file.tape, plainLines(file));
    return copies.get(file.tape)?.get(piece.line.offset) ?? readSpan(file.path, piece.line).toString('utf8');
  };
  const lineOf = (piece: TapePiece): string | undefined => {
    const file = catalog.byTape.get(piece.tape);
    if (!file) return undefined;
    if (last?.tape !== piece.tape || last.offset !== piece.line.offset) {
      last = { tape: piece.tape, offset: piece.line.offset, text: file.form === 'zst' ? compressedLine(file, piece) : readSpan(file.path, piece.line).toString('utf8') };
    }
    return last.text;
  };
  return (piece) => {
    try {
      const line = lineOf(piece);
      return line === undefined ? undefined : stringInLine(line, piece.record, piece.path);
    } catch {
      // The file was rewritten or is gone meanwhile: the stand-in of the text is what there is.
      return undefined;
    }
  };
}
