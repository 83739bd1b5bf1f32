import { Writable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { ClosedPipe } from './exit.js';
import { Output } from './output.js';

/** Takes a chunk only when it is told to. */
function slow(): { stream: Writable; chunks: string[]; take: () => void } {
  const waiting: (() => void)[] = [];
  const chunks: string[] = [];
  const stream = new Writable({
    write: (chunk: Buffer, _, done) => {
      chunks.push(chunk.toString());
      waiting.push(done);
    },
  });
  return { stream, chunks, take: () => waiting.shift()?.() };
}

describe('output', () => {
  test('waits for each chunk to be taken', async () => {
    const { stream, chunks, take } = slow();
    const output = new Output(stream);
    await output.line('short');
    expect(chunks).toEqual([]);
    let isDone = false;
    const written = output.line('x'.repeat(70_000)).then(() => (isDone = true));
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect([chunks.length, isDone]).toEqual([1, false]);
    take();
    await written;
    await output.flush();
    expect(chunks.join('').length).toBe(70_007);
  });

  test('a closed pipe is told apart from a full disk', async () => {
    const failing = (code: string): Output => new Output(new Writable({ write: (_chunk, _encoding, done) => done(Object.assign(new Error(code), { code })) }));
    const flush = async (output: Output): Promise<void> => {
      await output.write('x');
      await output.flush();
    };
    await expect(flush(failing('EPIPE'))).rejects.toBeInstanceOf(ClosedPipe);
    await expect(flush(failing('ENOSPC'))).rejects.toThrow('ENOSPC');
  });
});
