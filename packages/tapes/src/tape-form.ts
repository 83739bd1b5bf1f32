import { isJsonObject } from '@tapefold/facts';
import { Buffer } from 'node:buffer';
import type { OnRead } from './byte-source.js';
import { SNIFF_BYTES } from './limits.js';
import { isCompressedName, openSource, shownPathOf } from './open-source.js';

/** How the lines of a tape lie in its file: one per `\n`, the same inside zstd, or as values of one JSON document. */
export type TapeForm = 'lines' | 'zst' | 'document';

/** What a file's name says of its form. */
export function namedForm(path: string): TapeForm {
  if (isCompressedName(path)) return 'zst';
  return path.endsWith('.json') ? 'document' : 'lines';
}

/** The first bytes of the plain content, at most `SNIFF_BYTES`. Throws `TapeError` of opening and reading. */
export function sniff(path: string, onRead?: OnRead): Buffer {
  const source = openSource(path, { onRead });
  try {
    const bytes = Buffer.alloc(SNIFF_BYTES);
    let done = 0;
    for (let read = -1; read !== 0 && done < SNIFF_BYTES;) done += read = source.readInto(bytes.subarray(done));
    return bytes.subarray(0, done);
  } finally {
    source.close();
  }
}

/** Value of the first line when it is complete JSON within the sniffed bytes. Never throws. */
export function firstRecord(head: Buffer): unknown {
  const [line] = head.toString('utf8').replace(/^\uFEFF/, '').split('\n', 1);
  try { return JSON.parse(line ?? ''); } catch { return undefined; }
}

/**
 * The form of a file by name and content: a `.json` whose first line is a whole record (and no session document) holds lines under a wrong name.
 * Throws `TapeError` of opening and reading a `.json`; others are not opened.
 */
export function tapeForm(path: string, onRead?: OnRead): TapeForm {
  const named = namedForm(path);
  if (named === 'lines' || (named === 'zst' && namedForm(shownPathOf(path)) === 'lines')) return named;
  const record = firstRecord(sniff(path, onRead));
  const holdsLines = isJsonObject(record) && !('items' in record) && !('session' in record);
  if (!holdsLines) return 'document';
  return named === 'zst' ? 'zst' : 'lines';
}
