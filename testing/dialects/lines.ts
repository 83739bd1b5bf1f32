import { Buffer } from 'node:buffer';
import type { TapeLine } from '@tapefold/facts';

/** One line's text as a reader of bytes hands it over: without what follows its first bad byte. */
function textOf(bytes: Buffer): Pick<TapeLine, 'text' | 'flaw'> {
  const text = bytes.toString('utf8');
  if (Buffer.from(text, 'utf8').equals(bytes)) return { text };
  for (let end = text.indexOf('\ufffd'); ; end = text.indexOf('\ufffd', end + 1)) {
    const head = text.slice(0, end);
    const size = Buffer.byteLength(head);
    if (!bytes.subarray(size, size + 3).equals(Buffer.from('\ufffd'))) return { text: head, flaw: 'invalidUtf8' };
  }
}

/** One line, its newline included where there is one. */
export function lineOf(bytes: Uint8Array, offset: number): TapeLine {
  const isTerminated = bytes.at(-1) === 10;
  return { offset, length: bytes.length, ...textOf(Buffer.from(bytes.subarray(0, bytes.length - Number(isTerminated)))), isTerminated };
}

/** The lines of a file, found the obvious way; the last one may have no newline. */
export function linesOf(bytes: Uint8Array): { line: TapeLine; bytes: Uint8Array }[] {
  const lines: { line: TapeLine; bytes: Uint8Array }[] = [];
  for (let start = 0; start < bytes.length;) {
    const newline = bytes.indexOf(10, start);
    const end = newline < 0 ? bytes.length : newline + 1;
    const own = bytes.subarray(start, end);
    lines.push({ line: lineOf(own, start), bytes: own });
    start = end;
  }
  return lines;
}

/** A file of records, one a line; a string stands for a line that is no record. */
export function fileOf(records: readonly unknown[]): Buffer {
  return Buffer.from(records.map((record) => `${typeof record === 'string' ? record : JSON.stringify(record)}\n`).join(''));
}
