import { Buffer } from 'node:buffer';
import type { TextForm } from '@tapefold/threads';

/* Text with a unit for each byte of its UTF-8. The engine keeps it in half of the room, and it goes from the database to the reader without being decoded and encoded, which costs many times as much as to copy it. */

const ascii = /^[\0-\x7f]*$/;

/** A text packed. */
export function packedText(text: string): string {
  return ascii.test(text) ? text : Buffer.from(text, 'utf8').toString('latin1');
}

/** The text again. */
export function unpackedText(packed: string): string {
  return ascii.test(packed) ? packed : Buffer.from(packed, 'latin1').toString('utf8');
}

/** JSON that is put together of packed text. */
export const packedForm: TextForm = { encode: packedText, decode: unpackedText };
