import type { Buffer } from 'node:buffer';
import { deflateRawSync, inflateRawSync } from 'node:zlib';

/** The fastest level: JSON of facts shrinks to a sixth by it, and to little less by a slower one. */
const LEVEL = 1;

/** A text, small. */
export function deflated(text: string): Buffer {
  return deflatedBytes(text);
}

/** The same of UTF-8. */
export function deflatedBytes(text: string | Buffer): Buffer {
  return deflateRawSync(text, { level: LEVEL });
}

/** The text again. */
export function inflated(bytes: Buffer): string {
  return inflatedBytes(bytes).toString('utf8');
}

/** The same as UTF-8. */
export function inflatedBytes(bytes: Buffer): Buffer {
  return inflateRawSync(bytes);
}
