import { existsSync } from 'node:fs';
import { type ByteSource, type OnRead, type OpenFile, openFile, plainSource } from './byte-source.js';
import { TapeError } from './errors.js';
import { ZSTD_CHUNK_BYTES } from './limits.js';
import { zstdSource } from './zstd-source.js';

const COMPRESSED = '.zst';

/** True when the name says that the file is compressed. */
export function isCompressedName(path: string): boolean {
  return path.endsWith(COMPRESSED);
}

/** The path that Codex shows for a file: without `.zst`, also where only the compressed file exists. */
export function shownPathOf(path: string): string {
  return isCompressedName(path) ? path.slice(0, -COMPRESSED.length) : path;
}

/** The same tape in its other form: Codex compresses old files and decompresses them before it appends. */
function otherForm(path: string): string {
  return isCompressedName(path) ? shownPathOf(path) : `${path}${COMPRESSED}`;
}

/** Opens the file, or its other form when only that is there (it may change its form between listing and reading). Throws `TapeError`. */
export function openEitherForm(path: string, onRead?: OnRead): OpenFile {
  try {
    return openFile(path, onRead);
  } catch (error) {
    const other = otherForm(path);
    if (error instanceof TapeError && error.code === 'notFound' && existsSync(other)) return openFile(other, onRead);
    throw error;
  }
}

/** The plain content of an open file from byte `from` on; for a compressed one everything before is decoded and dropped. */
export function sourceOf(file: OpenFile, from = 0): ByteSource {
  if (!isCompressedName(file.path)) return plainSource(file, from);
  const source = zstdSource(plainSource(file));
  drop(source, from);
  return source;
}

function drop(source: ByteSource, count: number): void {
  const scratch = new Uint8Array(Math.min(count, ZSTD_CHUNK_BYTES));
  for (let left = count; left > 0;) {
    const read = source.readInto(left < scratch.length ? scratch.subarray(0, left) : scratch);
    if (read === 0 && source.damage) throw source.damage;
    if (read === 0) throw new TapeError('changedWhileReading', { path: source.path, offset: count - left });
    left -= read;
  }
}

/** Opens the plain content of a tape for reading in order. Throws `TapeError`. */
export function openSource(path: string, options: { readonly from?: number | undefined; readonly onRead?: OnRead | undefined } = {}): ByteSource {
  const file = openEitherForm(path, options.onRead);
  try {
    return sourceOf(file, options.from);
  } catch (error) {
    file.close();
    throw error;
  }
}
