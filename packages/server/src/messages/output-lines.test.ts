import { Buffer } from 'node:buffer';
import { PassThrough } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { OUTPUT_BLOCK_BYTES } from '../limits.js';
import { OutputLines } from './output-lines.js';

const texts = Array.from({ length: 60 }, (_, i) => `${i} é `.repeat(4_000));
/** Bytes whose memory is used anew for the next ones. */
function* reused(): Generator<string | Uint8Array> {
  const block = Buffer.alloc(OUTPUT_BLOCK_BYTES);
  for (const text of texts) yield block.subarray(0, block.write(text));
}

describe('[R-LIVE-3] lines to an output that hands on what it was given', () => {
  it.each([['texts', () => texts], ['bytes', reused]])('stay as they were, however late they are read: %s', async (_, message) => {
    const output = new PassThrough();
    const pieces: Buffer[] = [];
    const lines = new OutputLines(output);
    const sent = lines.send(message()).then(() => lines.send(['next']));
    await setImmediate();
    output.on('data', (piece: Buffer) => pieces.push(piece));
    await sent;
    expect(Buffer.concat(pieces).toString('utf8')).toBe(`${texts.join('')}\nnext\n`);
  });
});
