import type { LargePiece, PieceReader } from '@tapefold/facts';
import { valueInLine } from '@tapefold/dialects';
import { readLinesSync, readSpan } from '@tapefold/tapes';
import type { ValueReader } from '../thread-source.js';
import { PLAIN_COPY_BYTES } from './limits.js';
import type { ShelfFile } from './shelf.js';

type TapePiece = Pick<Exclude<LargePiece, { text: string }>, 'tape' | 'line' | 'record' | 'path'>;

/** Lines of a compressed file by offset, decoded once; undefined where the content is too large to keep. */
function plainLines(file: ShelfFile): ReadonlyMap<number, string> | undefined {
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

/** Reads values of records back from the session files that they stand in. The line read last is kept: its values are asked for together. */
export function valueReader(files: ReadonlyMap<string, ShelfFile>): ValueReader {
  let last: { readonly tape: string; readonly offset: number; readonly text: string } | undefined;
  const copies = new Map<string, ReadonlyMap<number, string> | undefined>();
  const compressedLine = (file: ShelfFile, piece: TapePiece): string => {
    if (!copies.has(file.tape)) copies.set(file.tape, plainLines(file));
    return copies.get(file.tape)?.get(piece.line.offset) ?? readSpan(file.path, piece.line).toString('utf8');
  };
  const lineOf = (piece: TapePiece): string | undefined => {
    const file = files.get(piece.tape);
    if (!file) return undefined;
    if (last?.tape !== piece.tape || last.offset !== piece.line.offset) {
      last = { tape: piece.tape, offset: piece.line.offset, text: file.form === 'zst' ? compressedLine(file, piece) : readSpan(file.path, piece.line).toString('utf8') };
    }
    return last.text;
  };
  return (piece) => {
    try {
      const line = lineOf(piece);
      return line === undefined ? undefined : valueInLine(line, piece.record, piece.path);
    } catch {
      // The file was rewritten or is gone meanwhile: what stands in for the value is what there is.
      return undefined;
    }
  };
}

/** Reads large texts back. */
export function pieceReader(files: ReadonlyMap<string, ShelfFile>): PieceReader {
  const read = valueReader(files);
  return (piece) => {
    const value = read(piece);
    return typeof value === 'string' ? value : undefined;
  };
}
