import { Buffer, isAscii, isUtf8 } from 'node:buffer';

/** What is known of the bytes of several lines, so that each line need not be checked. */
export type TextEncoding = 'ascii' | 'utf8' | 'mixed';

/** Looks at whole lines at once: one pass of SIMD code, where a check per line costs a call each. Complete lines only, so no character is cut. */
export function encodingOf(bytes: Buffer): TextEncoding {
  if (isAscii(bytes)) return 'ascii';
  return isUtf8(bytes) ? 'utf8' : 'mixed';
}

/** A part of `bytes` as text, or undefined where it is no UTF-8. A byte order mark stays as U+FEFF. Never throws. */
export function textOf(bytes: Buffer, [start, end]: readonly [number, number], encoding: TextEncoding): string | undefined {
  if (encoding === 'ascii') return bytes.toString('latin1', start, end);
  if (encoding === 'mixed' && !isUtf8(bytes.subarray(start, end))) return undefined;
  return bytes.toString('utf8', start, end);
}

const REPLACEMENT = '\ufffd';
const replacementBytes = Buffer.from(REPLACEMENT);

/** The text before the first byte that is no UTF-8; a replacement character that the file itself holds is text. Linear, never throws. */
export function textBeforeBadByte(bytes: Buffer): string {
  const text = bytes.toString('utf8');
  let byte = 0;
  for (let from = 0, at = text.indexOf(REPLACEMENT); at >= 0; from = at + 1, at = text.indexOf(REPLACEMENT, from)) {
    byte += Buffer.byteLength(text.slice(from, at));
    if (!bytes.subarray(byte, byte + replacementBytes.length).equals(replacementBytes)) return text.slice(0, at);
    byte += replacementBytes.length;
  }
  return text;
}
