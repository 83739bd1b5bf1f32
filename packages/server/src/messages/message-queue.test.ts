import { Buffer } from 'node:buffer';
import { describe, expect, it } from 'vitest';
import { FIRST_BLOCK_BYTES, OUTPUT_BLOCK_BYTES } from '../limits.js';
import { MessageQueue } from './message-queue.js';

/** A sink that takes a piece late, and what it took. */
function lateSink() {
  const taken: { readonly piece: Buffer; readonly memory: ArrayBufferLike }[] = [];
  const put = async (piece: Buffer): Promise<void> => {
    await new Promise((resolve) => { setImmediate(resolve); });
    taken.push({ piece: Buffer.from(piece), memory: piece.buffer });
  };
  return { isClosed: false, end: '\n', put, taken, text: () => Buffer.concat(taken.map(({ piece }) => piece)).toString('utf8') };
}

describe('messages in pieces', () => {
  it.each([
    ['short', ['{', '"a":1', '}']], ['many', Array.from({ length: 5_000 }, (_, i) => `"é ${i} ${'x'.repeat(i % 300)}",`)], ['long', ['[', '日本'.repeat(300_000), ']']], ['of pairs', [`x${'😀'.repeat(200_000)}`, '😀'.repeat(200_000)]],
    ['of both', ['a', Buffer.from('é'), 'b'.repeat(20_000), Buffer.from('日'.repeat(70_000)), Buffer.from('c'), 'd']], ['of bytes', [Buffer.from('a')]],
  ] as const)('%s texts arrive as they are', async (_, message) => {
    const sink = lateSink();
    const queue = new MessageQueue(sink);
    await queue.send(message);
    await queue.send(['next']);
    expect(sink.text()).toBe(`${message.map(String).join('')}\nnext\n`);
  });

  it('[R-LIVE-3] a message of any length takes the memory of two blocks', async () => {
    const sink = lateSink();
    await new MessageQueue(sink).send([...Array.from({ length: 400 }, () => 'x'.repeat(5_000)), '日'.repeat(1_000_000)]);
    const blocks = new Set(sink.taken.map(({ memory }) => memory));
    expect([...blocks].map(({ byteLength }) => byteLength)).toEqual([FIRST_BLOCK_BYTES, OUTPUT_BLOCK_BYTES]);
    expect(sink.taken.length).toBeGreaterThan(20);
  });
});
