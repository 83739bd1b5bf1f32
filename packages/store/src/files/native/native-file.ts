import { createNativePlayer, nativeTape } from '@tapefold/dialects';
import { type JsonValue, type Player, decodeNativeLine } from '@tapefold/facts';
import { type NativeTapeFile, TapeError, readHeadLines } from '@tapefold/tapes';
import { isUuid, uuidV5 } from '../derived-ids.js';
import type { LookTable } from '../kept-looks.js';
import type { OnRead, ShelfFile } from '../shelf.js';

/** One native tape of a home. */
export interface NativeFile extends ShelfFile {
  /** The thread's id as its recorder wrote it. */
  readonly nativeId: string;
  /** The same as it is shown. */
  readonly threadId: string;
}

const PREFIX = nativeTape('');
/** A header has a hundred bytes. */
const HEADER_BYTES = 4_096;

/** The id of a thread on the wire: a UUID that the recorder chose, as nearly all do; for any other name the UUID of version 5 over `native/<id>`. */
export function nativeThreadId(nativeId: string): string {
  return isUuid(nativeId) ? nativeId.toLowerCase() : uuidV5(nativeTape(nativeId));
}

/** Names of tapes by path, as their headers say them: a header never changes, but another file may come to stand there. */
export type KnownHeaders = LookTable<Pick<NativeTapeFile, 'sizeBytes' | 'mtimeMs'> & { readonly tape: string }>;

/** The name that facts of a tape are keyed by: a folder may have been renamed, or copied. */
function tapeOf(found: NativeTapeFile, known: KnownHeaders, onRead: OnRead | undefined): string {
  const seen = known.get(found.path);
  if (seen && seen.sizeBytes === found.sizeBytes && seen.mtimeMs === found.mtimeMs) return seen.tape;
  const [line] = readHeadLines(found.path, { maxLines: 1, maxBytes: HEADER_BYTES, onRead }).lines;
  const read = decodeNativeLine(line?.text ?? '', { tape: '', version: 1, line: { offset: 0, length: 0 } });
  if (!('header' in read)) return nativeTape(found.threadId);
  const { header: { tape } } = read;
  known.set(found.path, { tape, sizeBytes: found.sizeBytes, mtimeMs: found.mtimeMs });
  return tape;
}

/** A tape of a home with its ids. Reads its first line where that is not known; never throws. */
export function nativeFile(home: string, found: NativeTapeFile, { known, onRead }: { readonly known: KnownHeaders; readonly onRead?: OnRead | undefined }): NativeFile {
  const { path, sizeBytes, mtimeMs } = found;
  const file = (tape: string, unreadable?: string): NativeFile => {
    const nativeId = tape.startsWith(PREFIX) ? tape.slice(PREFIX.length) : found.threadId;
    return { path, shownPath: path, form: 'lines', isArchived: false, sizeBytes, mtimeMs, home, tape, nativeId, threadId: nativeThreadId(nativeId), unreadable };
  };
  try {
    return file(tapeOf(found, known, onRead));
  } catch (cause) {
    if (!(cause instanceof TapeError)) throw cause;
    return file(nativeTape(found.threadId), cause.message);
  }
}

/** A player for a tape, new or from a checkpoint of one. */
export function playerOf({ tape }: Pick<NativeFile, 'tape'>, checkpoint?: JsonValue): Player {
  return createNativePlayer({ tape }, checkpoint);
}
