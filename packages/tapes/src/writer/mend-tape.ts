import { type NativeHeader, decodeNativeLine, isJsonObject } from '@tapefold/facts';
import { ftruncateSync, writeSync } from 'node:fs';
import { TapeError } from '../errors.js';
import { HEAD_MAX_BYTES } from '../limits.js';
import { readLinesBackward } from '../read-backward.js';
import { readHeadLines } from '../read-head.js';

/** Where a writer goes on. */
export interface TapeEndState {
  readonly header: NativeHeader | undefined;
  /** Bytes of whole lines. */
  readonly endOffset: number;
  readonly nextOrdinal: number;
}

interface OpenTape { readonly fd: number; readonly path: string; readonly sizeBytes: number }

/** The header; undefined where a crash left less than one line of it. Throws where something else stands there. */
function headerOf({ path, sizeBytes }: OpenTape): NativeHeader | undefined {
  const [first] = sizeBytes === 0 ? [] : readHeadLines(path, { maxLines: 1, maxBytes: HEAD_MAX_BYTES }).lines;
  const text = first?.text ?? '';
  if (sizeBytes === 0 || (first && !first.isTerminated && isTornHeader(text))) return undefined;
  const read = decodeNativeLine(text, { tape: '', version: 1, line: { offset: 0, length: 0 } });
  if ('header' in read) return read.header;
  if ('error' in read && read.error.code === 'newerVersion') throw new TapeError('newerVersion', { path, why: read.error.message });
  throw new TapeError('notATape', { path, why: 'its first line is not the header of one' });
}

/** What a crash can leave of a header: a beginning of it, or (the disk knew the size and not yet the content) zero bytes. */
function isTornHeader(text: string): boolean {
  const begun = '{"tapefold":"tape"';
  return text.startsWith(begun) || begun.startsWith(text) || /^\0+$/.test(text);
}

/** The ordinal that a line claims; undefined for lines that are no fact's. */
function ordinalIn(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  try {
    const raw: unknown = JSON.parse(text);
    const ordinal = isJsonObject(raw) ? raw['ordinal'] : undefined;
    return typeof ordinal === 'number' && Number.isSafeInteger(ordinal) && ordinal >= 0 ? ordinal : undefined;
  } catch {
    return undefined;
  }
}

interface Torn { readonly offset: number; readonly ordinal: number | undefined }

/** The newest whole facts tell what comes next. A damaged line may have been a fact that somebody has seen, so its ordinal is not given again. */
function lookBack({ path, sizeBytes }: OpenTape): { readonly torn: Torn | undefined; readonly nextOrdinal: number } {
  let torn: Torn | undefined;
  let damaged = 0;
  for (const line of readLinesBackward(path, { budgetBytes: sizeBytes })) {
    const ordinal = line.flaw === undefined ? ordinalIn(line.text) : undefined;
    if (!line.isTerminated) torn = { offset: line.offset, ordinal };
    else if (ordinal !== undefined) return { torn, nextOrdinal: ordinal + 1 + damaged };
    else if (line.offset > 0) damaged += 1;
  }
  return { torn, nextOrdinal: damaged };
}

/**
 * Brings a tape that a dead writer left into order: a last line without its end is closed where it is a whole fact (readers have shown it), else cut off. Nothing
 * else of the file changes. Throws `TapeError` (`notATape`, `newerVersion`) and what the system throws.
 */
export function mendTape(tape: OpenTape): TapeEndState {
  const { fd, sizeBytes } = tape;
  const header = headerOf(tape);
  if (!header) {
    if (sizeBytes > 0) ftruncateSync(fd, 0);
    return { header, endOffset: 0, nextOrdinal: 0 };
  }
  const { torn, nextOrdinal } = lookBack(tape);
  if (!torn) return { header, endOffset: sizeBytes, nextOrdinal };
  if (torn.ordinal === nextOrdinal) {
    writeSync(fd, '\n');
    return { header, endOffset: sizeBytes + 1, nextOrdinal: nextOrdinal + 1 };
  }
  ftruncateSync(fd, torn.offset);
  return { header, endOffset: torn.offset, nextOrdinal };
}
