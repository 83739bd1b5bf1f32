import { Buffer } from 'node:buffer';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type BackwardOptions, readLinesBackward } from './read-backward.js';
import { chunkSizes, contents, linesByHand, rawFrame, temporaryFolder, writeTape } from './tape-bytes.suite.js';

const folder = temporaryFolder();

function backward(path: string, options: BackwardOptions) {
  let bytesRead = 0;
  const all = [];
  const lines = readLinesBackward(path, { ...options, onRead: (bytes) => (bytesRead += bytes) });
  for (;;) {
    const next = lines.next();
    if (next.done) return { all, end: next.value, bytesRead };
    all.push(next.value);
  }
}

describe('backward lines', () => {
  it('[R-TAPE-3] are the forward lines reversed, and end at the start', () => {
    fc.assert(fc.property(contents, chunkSizes, fc.constantFrom(undefined, 5, 150), (bytes, chunkBytes, maxLineBytes) => {
      const { all, end } = backward(writeTape(folder, 'a.jsonl', bytes), { chunkBytes, maxLineBytes });
      expect(all).toEqual(linesByHand(bytes, maxLineBytes).reverse());
      expect(end).toEqual({ endedBy: 'start', startOffset: 0 });
    }));
  });

  it('[R-TAPE-3] deliver every line that starts within the budget, no cut one, and never read more than budget and chunk', () => {
    // Random budgets, and those that end exactly at, one byte before and one after the start of a line.
    const budgets = fc.oneof(fc.nat(600), fc.record({ line: fc.nat(), off: fc.integer({ min: -1, max: 1 }) }));
    fc.assert(fc.property(contents, chunkSizes, budgets, (bytes, chunkBytes, budget) => {
      const lines = linesByHand(bytes);
      const budgetBytes = typeof budget === 'number' ? budget : Math.max(0, bytes.length - (lines[budget.line % (lines.length || 1)]?.offset ?? 0) + budget.off);
      const { all, end, bytesRead } = backward(writeTape(folder, 'b.jsonl', bytes), { chunkBytes, budgetBytes });
      const within = lines.filter(({ offset }) => offset >= bytes.length - budgetBytes);
      expect(all).toEqual(within.reverse());
      expect(end).toEqual({ endedBy: bytes.length > budgetBytes ? 'budget' : 'start', startOffset: all.at(-1)?.offset ?? bytes.length });
      expect(bytesRead).toBeLessThanOrEqual(budgetBytes + chunkBytes);
    }));
  });

  it('[R-TAPE-3] [R-TAPE-5] give the same for a compressed file', () => {
    fc.assert(fc.property(contents, fc.integer({ min: 1, max: 50 }), fc.nat(600), (bytes, blockBytes, budgetBytes) => {
      const plain = backward(writeTape(folder, 'c.jsonl', bytes), { budgetBytes });
      const compressed = backward(writeTape(folder, 'd.jsonl.zst', rawFrame(bytes, blockBytes)), { budgetBytes });
      expect({ ...compressed, bytesRead: 0 }).toEqual({ ...plain, bytesRead: 0 });
    }));
  });

  it('[R-TAPE-3] stopping early reads one chunk of a large file', () => {
    const path = writeTape(folder, 'large.jsonl', Buffer.from(`${'x'.repeat(999)}\n`.repeat(2_000)));
    let bytesRead = 0;
    for (const line of readLinesBackward(path, { chunkBytes: 4_096, onRead: (bytes) => (bytesRead += bytes) })) {
      expect(line).toMatchObject({ offset: 1_999_000, length: 1_000 });
      break;
    }
    expect(bytesRead).toBe(4_096);
  });

  it('[R-TAPE-3] a damaged compression says so beside the lines before it', () => {
    const bytes = Buffer.from('{"a":1}\n{"b":2}\n');
    const path = writeTape(folder, 'cut.jsonl.zst', Buffer.concat([rawFrame(bytes, 100), rawFrame(bytes, 100).subarray(0, 9)]));
    const { all, end } = backward(path, {});
    expect(all.map((line) => line.text)).toEqual(['{"b":2}', '{"a":1}']);
    expect(end.damage).toMatchObject({ code: 'corruptCompression', offset: 16 });
  });
});
