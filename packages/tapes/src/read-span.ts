import type { LineSpan } from '@tapefold/facts';
import { Buffer } from 'node:buffer';
import type { ByteSource, OnRead } from './byte-source.js';
import { TapeError } from './errors.js';
import { openSource } from './open-source.js';

/**
 * The bytes of a span of the plain content. For `.zst` everything before is decoded first. Throws `TapeError`: `changedWhileReading` when
 * the file no longer reaches so far, `corruptCompression` when it cannot be decoded so far, and the errors of opening.
 */
export function readSpan(path: string, span: LineSpan, options: { readonly onRead?: OnRead | undefined } = {}): Buffer {
  const source = openSource(path, { from: span.offset, onRead: options.onRead });
  try {
    return readExactly(source, span);
  } finally {
    source.close();
  }
}

function readExactly(source: ByteSource, { offset, length }: LineSpan): Buffer {
  const bytes = Buffer.allocUnsafeSlow(length);
  for (let done = 0; done < length;) {
    const read = source.readInto(bytes.subarray(done));
    if (read === 0) throw source.damage ?? new TapeError('changedWhileReading', { path: source.path, offset: offset + done });
    done += read;
  }
  return bytes;
}
